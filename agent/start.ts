import type { Agent } from "./agent.ts";
import { createAgent } from "./assembly/create_agent.ts";
import { recordVariables } from "./children/inheritance.ts";
import { childrenOf, usesChildren } from "./children/open.ts";
import type { OptionValues } from "./command_line/options.ts";
import type { ReadVariable } from "./environment.ts";
import { prepareLaunch } from "./launch.ts";
import { markdownTools } from "./model/markdown/markdown_tools.ts";
import { overheard } from "./observation/overheard.ts";
import { Recorders } from "./observation/recorders.ts";
import { rightsFixed } from "./observation/rights_fixed.ts";
import { createRedaction, ownSecrets } from "./redaction.ts";
import { taskSnapshots } from "./snapshots/task_snapshots.ts";
import { type Audience, redactedAudience } from "./start/audience.ts";
import { checkModel } from "./start/check_model.ts";
import { connectModel } from "./start/connect_models.ts";
import { openEquipment } from "./start/open_equipment.ts";
import { openGround } from "./start/open_ground.ts";
import { openRecorders } from "./start/open_recorders.ts";
import { openSessionFor } from "./start/open_session.ts";
import { settleLaunch } from "./start/settle_launch.ts";
import { snapshotPlace } from "./start/snapshot_place.ts";

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
  const ground = await openGround(
    { launch, audience, redaction, warn, opened: await opened },
    held,
  );
  const { session, enclosure, inTurn } = ground;
  const shared = { launch, audience, redaction, ...ground };
  const equipment = await openEquipment({ ...shared, env }, held);
  const children = usesChildren(enclosure)
    ? held.use(
      await childrenOf({
        ...{ options, launch, enclosure, session, variables, roles, audience, inTurn },
        traceparentOf: (childId) => records.traceparentOf(childId),
      }),
    )
    : undefined;
  const agent = createAgent({
    ...{ ...shared, ...equipment, ...wishesOf(audience), model },
    snapshots: taskSnapshots({
      ...{ workspace: launch.places.workspace, session },
      keeps: snapshotPlace(launch, (await opened).unlogged),
      note: audience.note,
    }),
    ...(children && { children }),
    ...(records.any && { observe: records.observe }),
    now: () => new Date(),
  });
  records.observe(agent.started);
  records.observe(rightsFixed(launch, enclosure));
  held.move();
  return records.agent(agent);
}

/** What an agent is to be by those who watch it. */
function wishesOf({ child, person, answerSchema, approve, emit, interactive }: Audience) {
  return {
    ...{ approve, emit, interactive },
    ...(person && { person }),
    ...(child && { role: child.instructions }),
    ...(answerSchema !== undefined && { answerSchema }),
  };
}
