import type { EgressEvent } from "../sandbox/egress/events.ts";
import type { Agent } from "./agent.ts";
import { createAgent } from "./assembly/create_agent.ts";
import { openBacking } from "./backing/backing.ts";
import { recoverChanges } from "./backing/recover_changes.ts";
import { recordVariables } from "./children/inheritance.ts";
import { childrenOf, usesChildren } from "./children/open.ts";
import type { OptionValues } from "./command_line/options.ts";
import { openEgress } from "./egress.ts";
import { encloseRun } from "./enclosure.ts";
import type { ReadVariable } from "./environment.ts";
import { questionQueue } from "./gate/in_turn.ts";
import { jobEvent } from "./job_ends.ts";
import { type Launch, prepareLaunch } from "./launch.ts";
import { markdownTools } from "./model/markdown/markdown_tools.ts";
import { openSessionFor } from "./start/open_session.ts";
import { overheard } from "./observation/overheard.ts";
import { Recorders } from "./observation/recorders.ts";
import { rightsFixed } from "./observation/rights_fixed.ts";
import { createRedaction, ownSecrets } from "./redaction.ts";
import { taskSnapshots } from "./snapshots/task_snapshots.ts";
import { asksFirst, type Audience, redactedAudience } from "./start/audience.ts";
import { askForStore } from "./start/ask_for_store.ts";
import { checkModel } from "./start/check_model.ts";
import { openRecorders } from "./start/open_recorders.ts";
import { openConfiguredParts } from "./start/configured_parts.ts";
import { connectApplyModel, connectModel } from "./start/connect_models.ts";
import { errorNote } from "./start/error_note.ts";
import { instructionsFor } from "./start/instructions_for.ts";
import { openSkills } from "./start/open_skills.ts";
import { egressQuestions, tellEgress } from "./start/session_egress.ts";
import { settleLaunch } from "./start/settle_launch.ts";
import { snapshotPlace } from "./start/snapshot_place.ts";
import { takeStanding } from "./start/take_standing.ts";
import { isUnguarded, UNGUARDED } from "./start/unguarded.ts";
import { usingState } from "./state_error.ts";

/**
 * Finds out early what would keep an agent from being built, as far as that shows without a session.
 * @throws what {@linkcode prepareLaunch} does.
 */
export async function checkStart(
  options: OptionValues,
  env: ReadVariable,
  cwd: string,
): Promise<void> {
  checkModel(await prepareLaunch(options, env, cwd));
}

/**
 * Builds the agent that the options ask for: rights, session, capabilities, model.
 * @throws what {@linkcode prepareLaunch}, {@linkcode openSessionFor} and {@linkcode connectModel} do.
 */
export async function startAgent(
  options: OptionValues,
  environment: ReadVariable,
  cwd: string,
  watching: Audience,
): Promise<Agent> {
  const redaction = createRedaction([]);
  const records = new Recorders(redaction);
  const audience = redactedAudience(overheard(watching, records.observe), redaction);
  const variables = recordVariables(environment);
  const env = variables.read;
  const { child } = audience;
  const { launch, roles } = await settleLaunch(options, env, cwd, audience);
  redaction.learn(ownSecrets(launch.settings));
  // What a person has been told of a folder, and a machine, they are not told by each sub-agent.
  const warn = (line: string) => child ? undefined : audience.note(`warning: ${line}`);
  launch.warnings.forEach(warn);
  checkModel(launch);
  // What was opened is let go of where the rest cannot be had: the session can be opened again.
  await using held = new AsyncDisposableStack();
  held.use(records);
  await openRecorders(records, { options, launch, redaction, child, warn });
  // The model comes first: where it cannot be, no session is left behind.
  const asked = watching.model ??
    connectModel(launch, env, async (name) => (await opened).session.blobs.load(name));
  const model = records.model(
    launch.settings.toolFormat === "markdown" ? markdownTools(asked) : asked,
  );
  // Its client is loaded while the view is opened by processes of its own.
  setTimeout(() => model.prepare?.());
  const opened = openSessionFor(options, launch, child);
  const { session, unlogged } = await opened;
  held.defer(() => session.close("failed"));
  if (unlogged !== undefined) audience.note(`No log is kept: ${unlogged}`);
  const inTurn = questionQueue();
  const approving = { approve: audience.approve, inTurn };
  const logEgress = (event: EgressEvent) => tellEgress(event, session, audience);
  const egress = await openEgress(launch, {
    ...(audience.interactive && { questions: egressQuestions(launch, session, approving) }),
    log: logEgress,
  });
  held.use(egress);
  const folder = session.folder === undefined
    ? undefined
    : await usingState(session.folder, () => session.makeFolder());
  const viewSession = { id: session.id, folder };
  const enclosing = encloseRun(launch, viewSession, {
    proxySocket: egress.proxy?.path,
    keepsLog: unlogged === undefined,
    hasPerson: audience.person !== undefined,
    asksForHosts: audience.interactive,
    ...asksForStore(launch, audience),
  });
  describeTools(launch);
  const enclosure = await enclosing;
  enclosure.warnings.forEach(warn);
  if (child) await takeStanding(child, enclosure, session);
  if (isUnguarded(launch, enclosure)) audience.alarm(UNGUARDED);
  const logError = (error: unknown) => {
    const line = errorNote(error);
    if (line !== undefined) audience.note(line);
  };
  const backing = openBacking(launch, enclosure, session, {
    applyModel: connectApplyModel(launch),
    ...{ net: egress.net, openForBrowser: egress.openForBrowser },
    ...(audience.fileLayer && { fileLayer: audience.fileLayer }),
    onJob: (job) => audience.emit(jobEvent(job)),
    ...{ logError, redaction, alarm: audience.alarm },
  });
  held.use(backing);
  for (const line of await recoverChanges(launch, enclosure, backing)) audience.alarm(line);
  const instructions = await instructionsFor(launch, enclosure, backing, audience.note);
  const configured = await openConfiguredParts({
    ...{ launch, enclosure, backing, session, audience, env, redaction, logEgress },
  });
  if (configured.foreign) held.use(configured.foreign);
  const skills = openSkills(launch, enclosure, audience);
  await skills.look();
  const children = usesChildren(enclosure)
    ? await childrenOf({
      ...{ options, launch, enclosure, session, variables, roles, audience, inTurn },
      traceparentOf: (childId) => records.traceparentOf(childId),
    })
    : undefined;
  if (children) held.use(children);
  const agent = createAgent({
    launch,
    enclosure,
    egress,
    session,
    backing,
    instructions,
    model,
    snapshots: taskSnapshots({
      ...{ workspace: launch.places.workspace, session },
      keeps: snapshotPlace(launch, unlogged),
      note: audience.note,
    }),
    skills,
    ...configured,
    ...approving,
    interactive: audience.interactive,
    ...(audience.person && { person: audience.person }),
    ...(children && { children }),
    ...(child && { role: child.instructions }),
    ...(audience.answerSchema !== undefined && { answerSchema: audience.answerSchema }),
    redaction,
    emit: audience.emit,
    ...(records.any && { observe: records.observe }),
    logError,
    now: () => new Date(),
  });
  records.observe(agent.started);
  records.observe(rightsFixed(launch, enclosure));
  held.move();
  return records.agent(agent);
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
