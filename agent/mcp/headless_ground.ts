import type { EgressEvent } from "../../sandbox/egress/events.ts";
import { type Backing, openBacking } from "../backing/backing.ts";
import { recoverChanges } from "../backing/recover_changes.ts";
import type { OptionValues } from "../command_line/options.ts";
import { type Egress, openEgress } from "../egress.ts";
import { encloseRun, type Enclosure } from "../enclosure.ts";
import type { ReadVariable } from "../environment.ts";
import { type Launch, prepareLaunch } from "../launch.ts";
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

/**
 * Opens rights, view and capabilities as a run has them; no log is kept, since nothing is said.
 * @throws what {@linkcode prepareLaunch} does.
 */
export async function openHeadlessGround(
  options: OptionValues,
  { env, cwd, warn }: HeadlessOptions,
): Promise<HeadlessGround> {
  const redaction = createRedaction([]);
  const tell = (line: string) => warn(redaction.redact(line));
  const launch = await prepareLaunch(options, env, cwd);
  redaction.learn(ownSecrets(launch.settings));
  const log = (event: EgressEvent) => {
    if (event.type === "refused") tell(event.message);
  };
  await using held = new AsyncDisposableStack();
  const { session } = await openSessionFor({ "no-session": true }, launch);
  held.defer(() => session.close("done"));
  const egress = held.use(await openEgress(launch, { log }));
  const enclosure = await encloseRun(launch, { id: session.id, folder: undefined }, {
    proxySocket: egress.proxy?.path,
  });
  for (const line of [...launch.warnings, ...enclosure.warnings]) tell(line);
  const logError = (error: unknown) => tell(error instanceof Error ? error.message : String(error));
  const backing = held.use(openBacking(launch, enclosure, session, {
    applyModel: undefined,
    net: egress.net,
    onJob() {},
    openForBrowser: egress.openForBrowser,
    ...{ logError, redaction, alarm: tell },
  }));
  for (const line of await recoverChanges(launch, enclosure, backing)) tell(line);
  const owned = held.move();
  return {
    ...{ launch, enclosure, egress, backing, session, redaction, log },
    [Symbol.asyncDispose]: () => owned[Symbol.asyncDispose](),
  };
}
