import type { EgressEvent } from "../../sandbox/egress/events.ts";
import { sessionEvent } from "../assembly/session_event.ts";
import { type Backing, openBacking } from "../backing/backing.ts";
import { recoverChanges } from "../backing/recover_changes.ts";
import type { OptionValues } from "../command_line/options.ts";
import { type Egress, openEgress } from "../egress.ts";
import { encloseRun, type Enclosure } from "../enclosure.ts";
import type { ReadVariable } from "../environment.ts";
import { type Launch, prepareLaunch } from "../launch.ts";
import type { Observe } from "../observation/observation.ts";
import { Recorders } from "../observation/recorders.ts";
import { rightsFixed } from "../observation/rights_fixed.ts";
import { openRecorders } from "../start/open_recorders.ts";
import { openSessionFor } from "../start/open_session.ts";
import { createRedaction, ownSecrets, type Redaction } from "../redaction.ts";
import type { Session } from "../session/log.ts";

/** What tools and servers need where no model works and nobody can be asked. */
export interface HeadlessGround extends AsyncDisposable {
  readonly launch: Launch;
  readonly enclosure: Enclosure;
  readonly egress: Egress;
  readonly backing: Backing;
  readonly session: Session;
  readonly redaction: Redaction;
  /** Takes what happens, for those who record it. */
  readonly observe: Observe;
  /** Takes a sentence for the person, which is recorded, too. */
  warn(line: string): void;
  /** Tells of what was refused on the way out. */
  log(event: EgressEvent): void;
}

/** Who is told of what. */
export interface HeadlessOptions {
  readonly env: ReadVariable;
  readonly cwd: string;
  /** Takes a sentence for the person, without secrets. */
  readonly warn: (line: string) => void;
}

/** Whose tools are used here has a model of its own. */
const NO_MODEL = { name: "none" };

/**
 * Opens rights, view, capabilities and recorders as a run has them; no session is kept, since nothing
 * is said.
 * @throws what {@linkcode prepareLaunch} and {@linkcode openRecorders} do.
 */
export async function openHeadlessGround(
  options: OptionValues,
  { env, cwd, warn }: HeadlessOptions,
): Promise<HeadlessGround> {
  const redaction = createRedaction([]);
  const records = new Recorders(redaction);
  function tell(line: string, alarm = false): void {
    const clean = redaction.redact(line);
    records.observe({ type: "note", line: clean, alarm });
    warn(clean);
  }
  const launch = await prepareLaunch(options, env, cwd);
  redaction.learn(ownSecrets(launch.settings));
  const log = (event: EgressEvent) => {
    if (event.type === "refused") tell(event.message);
  };
  await using held = new AsyncDisposableStack();
  held.use(records);
  await openRecorders(records, { options, launch, redaction, child: undefined, warn: tell });
  const { session } = await openSessionFor({ "no-session": true }, launch);
  held.defer(() => session.close("done"));
  const egress = held.use(await openEgress(launch, { log }));
  const enclosure = await encloseRun(launch, { id: session.id, folder: undefined }, {
    proxySocket: egress.proxy?.path,
  });
  records.observe(sessionEvent({ enclosure, session, model: NO_MODEL }));
  records.observe(rightsFixed(launch, enclosure));
  for (const line of [...launch.warnings, ...enclosure.warnings]) tell(line);
  const logError = (error: unknown) => tell(error instanceof Error ? error.message : String(error));
  const backing = held.use(openBacking(launch, enclosure, session, {
    applyModel: undefined,
    net: egress.net,
    onJob() {},
    openForBrowser: egress.openForBrowser,
    ...{ logError, redaction, alarm: (line) => tell(line, true) },
  }));
  for (const line of await recoverChanges(launch, enclosure, backing)) tell(line);
  const owned = held.move();
  return {
    ...{ launch, enclosure, egress, backing, session, redaction, log },
    ...{ observe: records.observe, warn: tell },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}
