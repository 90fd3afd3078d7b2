import type { EgressEvent } from "../../sandbox/egress/events.ts";
import { type Backing, openBacking } from "../backing/backing.ts";
import { recoverChanges } from "../backing/recover_changes.ts";
import { type Egress, openEgress } from "../egress.ts";
import { encloseRun, type Enclosure } from "../enclosure.ts";
import { type InTurn, questionQueue } from "../gate/in_turn.ts";
import { jobEvent } from "../job_ends.ts";
import type { Launch } from "../launch.ts";
import type { Redaction } from "../redaction.ts";
import type { Session } from "../session/log.ts";
import { usingState } from "../state_error.ts";
import { askForStore } from "./ask_for_store.ts";
import { asksFirst, type Audience } from "./audience.ts";
import { connectApplyModel } from "./connect_models.ts";
import { errorNote } from "./error_note.ts";
import type { OpenedSession } from "./open_session.ts";
import { egressQuestions, tellEgress } from "./session_egress.ts";
import { takeStanding } from "./take_standing.ts";
import { isUnguarded, UNGUARDED } from "./unguarded.ts";

/** What the calls of an agent stand on. */
export interface Ground {
  readonly session: Session;
  readonly egress: Egress;
  readonly enclosure: Enclosure;
  readonly backing: Backing;
  /** Lets questions wait for each other. */
  readonly inTurn: InTurn;
  readonly logEgress: (event: EgressEvent) => void;
  readonly logError: (error: unknown) => void;
}

/** What it is opened for. */
export interface GroundNeeds {
  readonly launch: Launch;
  readonly audience: Audience;
  readonly redaction: Redaction;
  readonly opened: OpenedSession;
  /** Takes a sentence that a person should read. */
  readonly warn: (line: string) => void;
}

/** Opens the way out, the view and what works in them; `held` owns all of it, the session too. */
export async function openGround(needs: GroundNeeds, held: AsyncDisposableStack): Promise<Ground> {
  const { launch, audience, redaction, opened: { session, unlogged }, warn } = needs;
  held.defer(() => session.close("failed"));
  if (unlogged !== undefined) audience.note(`No log is kept: ${unlogged}`);
  const inTurn = questionQueue();
  const logEgress = (event: EgressEvent) => tellEgress(event, session, audience);
  const asking = { approve: audience.approve, inTurn };
  const egress = held.use(
    await openEgress(launch, {
      ...(audience.interactive && { questions: egressQuestions(launch, session, asking) }),
      log: logEgress,
    }),
  );
  const enclosure = await enclose(needs, egress);
  enclosure.warnings.forEach(warn);
  if (audience.child) await takeStanding(audience.child, enclosure, session);
  if (isUnguarded(launch, enclosure)) audience.alarm(UNGUARDED);
  const logError = (error: unknown) => {
    const line = errorNote(error);
    if (line !== undefined) audience.note(line);
  };
  const backing = held.use(openBacking(launch, enclosure, session, {
    applyModel: connectApplyModel(launch),
    ...{ net: egress.net, openForBrowser: egress.openForBrowser },
    ...(audience.fileLayer && { fileLayer: audience.fileLayer }),
    onJob: (job) => audience.emit(jobEvent(job)),
    ...{ logError, redaction, alarm: audience.alarm },
  }));
  for (const line of await recoverChanges(launch, enclosure, backing)) audience.alarm(line);
  return { session, egress, enclosure, backing, inTurn, logEgress, logError };
}

async function enclose(
  { launch, audience, opened: { session, unlogged } }: GroundNeeds,
  { proxy }: Egress,
): Promise<Enclosure> {
  const folder = session.folder === undefined
    ? undefined
    : await usingState(session.folder, () => session.makeFolder());
  const enclosing = encloseRun(launch, { id: session.id, folder }, {
    proxySocket: proxy?.path,
    keepsLog: unlogged === undefined,
    hasPerson: audience.person !== undefined,
    asksForHosts: audience.interactive,
    ...asksForStore(launch, audience),
  });
  describeTools(launch);
  return await enclosing;
}

/** Who can be asked at the start is asked for the git store, too. */
function asksForStore({ places: { state } }: Launch, { approve, ...audience }: Audience) {
  return state !== undefined && asksFirst(audience)
    ? { askForStore: (store: string) => askForStore(state, store, approve) }
    : {};
}

/** Makes what the first request says of tools, while processes of the system look for a view. */
function describeTools({ catalogue, selected }: Launch): void {
  for (const { name, parameters } of catalogue) if (selected.has(name)) void parameters.json;
}
