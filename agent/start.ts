import { resolve } from "node:path";
import type { EgressEvent } from "../sandbox/egress/events.ts";
import { CommandError } from "../sandbox/commands/commands.ts";
import { isConfined } from "../sandbox/rights/tier.ts";
import type { ApplyModel, Person } from "../tools/tool.ts";
import { type Agent, createAgent } from "./agent.ts";
import { recordVariables } from "./children/inheritance.ts";
import type { ChildStanding } from "./children/messages.ts";
import { childrenOf, rolesFor, usesChildren, withRoles } from "./children/open.ts";
import { agreesToMerge } from "./agree_to_merge.ts";
import { applyModel } from "./apply_model.ts";
import { type Backing, openBacking } from "./backing/backing.ts";
import { recoverChanges } from "./backing/recover_changes.ts";
import type { OptionValues } from "./command_line/options.ts";
import type { ReadVariable } from "./environment.ts";
import { openEgress } from "./egress.ts";
import type { EgressQuestions } from "./egress_questions.ts";
import type { EditChecks } from "./edit_checks/edit_checks.ts";
import { encloseRun, type Enclosure } from "./enclosure.ts";
import type { EventSink } from "./events.ts";
import { type Approver, denyAll } from "./gate/approver.ts";
import { questionQueue } from "./gate/in_turn.ts";
import { rulesOf } from "./gate/rules.ts";
import { type CommandFiles, commandFiles, settingIn } from "./config/command_files.ts";
import { askForTrust } from "./config/ask_for_trust.ts";
import { gatherInstructions } from "./instructions.ts";
import { instructionFiles, viewedInstructionFiles } from "./instruction_files.ts";
import { ConfigurationError } from "./json_file.ts";
import { jobEvent } from "./job_ends.ts";
import { type Launch, prepareLaunch } from "./launch.ts";
import { namesServers } from "./mcp/servers.ts";
import { createModel } from "./model/connect.ts";
import { markdownTools } from "./model/markdown/markdown_tools.ts";
import type { Model } from "./model/model.ts";
import { findPlaces } from "./places.ts";
import { openSessionFor } from "./open_session.ts";
import { hostOf, scriptOf } from "./settings.ts";
import {
  createRedaction,
  ownSecrets,
  redactedApprover,
  redactedEvents,
  redactedPerson,
  type Redaction,
} from "./redaction.ts";
import type { Session } from "./session/log.ts";
import { SkillShelf } from "./skills/skill_shelf.ts";
import { StateError, usingState } from "./state_error.ts";
import { taskSnapshots } from "./snapshots/task_snapshots.ts";

/** Who watches a run, and who can be asked. */
export interface Audience {
  readonly emit: EventSink;
  /** A line for people, outside the events. */
  readonly note: (line: string) => void;
  /** The same for what a person must not miss. */
  readonly alarm: (line: string) => void;
  readonly approve: Approver;
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  /** Who answers the questions of the model; absent where nobody does. */
  readonly person?: Person;
  /** JSON Schema that the answer must fit, as JSON. */
  readonly answerSchema?: string;
  /** Answers in the place of the model that the options name, as in a replay. */
  readonly model?: Model;
  /** What ties a sub-agent to the session that started it; what concerns the folder was settled there. */
  readonly child?: ChildStanding & { readonly instructions: string };
}

/**
 * Finds out early what would keep an agent from being built, as far as that shows without a session.
 * @throws what {@linkcode prepareLaunch} does.
 */
export function checkStart(options: OptionValues, env: ReadVariable, cwd: string): void {
  checkModel(prepareLaunch(options, env, cwd));
}

/**
 * Builds the agent that the options ask for: rights, session, capabilities, model.
 * @throws what {@linkcode prepareLaunch}, {@linkcode openSessionFor} and {@linkcode createModel} do.
 */
export async function startAgent(
  options: OptionValues,
  environment: ReadVariable,
  cwd: string,
  watching: Audience,
): Promise<Agent> {
  const redaction = createRedaction([]);
  const audience = withoutSecrets(watching, redaction);
  const variables = recordVariables(environment);
  const env = variables.read;
  const { child } = audience;
  const asksFirst = audience.interactive && child === undefined;
  if (asksFirst) await askForTrust(findPlaces(options, env, cwd), audience.approve);
  let launch = prepareLaunch(options, env, cwd);
  if (asksFirst && await agreesToMerge(launch, audience.approve)) {
    launch = prepareLaunch(options, env, cwd);
  }
  const roles = await rolesFor(launch, audience);
  launch = { ...launch, catalogue: withRoles(launch.catalogue, roles) };
  redaction.learn(ownSecrets(launch.settings));
  // What a person has been told of a folder, and a machine, they are not told by each sub-agent.
  const warn = (line: string) => child ? undefined : audience.note(`warning: ${line}`);
  launch.warnings.forEach(warn);
  checkModel(launch);
  // The model comes first: where it cannot be, no session is left behind.
  const asked = watching.model ??
    connect(launch, env, async (name) => (await opened).session.blobs.load(name));
  const model = launch.settings.toolFormat === "markdown" ? markdownTools(asked) : asked;
  // Its client is loaded while the view is opened by processes of its own.
  setTimeout(() => model.prepare?.());
  const opened = openSessionFor(options, launch, child);
  const { session, unlogged } = await opened;
  // What was opened is let go of where the rest cannot be had: the session can be opened again.
  await using held = new AsyncDisposableStack();
  held.defer(() => session.close("failed"));
  if (unlogged !== undefined) audience.note(`No log is kept: ${unlogged}`);
  const inTurn = questionQueue();
  const approving = { approve: audience.approve, inTurn };
  const egress = await openEgress(launch, {
    ...(audience.interactive && { questions: egressQuestions(launch, session, approving) }),
    log: (event) => tellEgress(event, session, audience),
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
  });
  describeTools(launch);
  const enclosure = await enclosing;
  enclosure.warnings.forEach(warn);
  if (child) await takeStanding(child, enclosure, session);
  if (isUnguarded(launch, enclosure)) audience.alarm(UNGUARDED);
  const logError = (error: unknown) => {
    const stack = stackOf(error);
    if (stack !== undefined) audience.note(stack);
  };
  const backing = openBacking(launch, enclosure, session, {
    applyModel: connectApplyModel(launch),
    ...{ net: egress.net, openForBrowser: egress.openForBrowser },
    onJob: (job) => audience.emit(jobEvent(job)),
    ...{ logError, redaction, alarm: audience.alarm },
  });
  held.use(backing);
  for (const line of await recoverChanges(launch, enclosure, backing)) audience.alarm(line);
  const { workspace, config } = launch.places;
  const { commands } = backing;
  const files = enclosure.view && !launch.grants.allows("read", workspace)
    ? viewedInstructionFiles(commands, workspace)
    : instructionFiles;
  const instructions = await gatherInstructions(workspace, config, files);
  if (instructions.truncated) audience.note("warning: AGENTS.md files are cut at 32 KiB");
  const own = commandFiles(launch.configuration, isConfined(enclosure.rights.confinement));
  for (const line of own.warnings) audience.note(`warning: ${line}`);
  const hooks = [...own.ofProject, ...own.ofPerson].some(({ config }) => config.hooks)
    ? (await import("./hooks/open_hooks.ts")).openHooks({
      ...{ files: own, launch, enclosure, session, redaction },
      opener: backing.capabilities.commands,
      emit: audience.emit,
      warn: audience.note,
      isChild: child !== undefined,
    })
    : undefined;
  // A sub-agent has what its parent asks for itself.
  const foreign = namesServers(launch.configuration) && !child
    ? (await import("./mcp/open_servers.ts")).openServers({
      ...{ launch, enclosure, backing, env, redaction },
      warn: (line) => audience.note(`warning: ${line}`),
      log: (event) => tellEgress(event, session, audience),
    })
    : undefined;
  if (foreign) held.use(foreign);
  const edits = await editChecksOf(own, enclosure, backing);
  const skills = openSkills(launch, enclosure, audience);
  await skills.look();
  const children = usesChildren(enclosure)
    ? await childrenOf({ options, launch, enclosure, session, variables, roles, audience, inTurn })
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
      ...{ workspace, session },
      keeps: snapshotPlace(launch, unlogged),
      note: audience.note,
    }),
    skills,
    ...(hooks && { hooks }),
    ...(edits && { edits }),
    ...approving,
    interactive: audience.interactive,
    ...(audience.person && { person: audience.person }),
    ...(children && { children }),
    ...(foreign && { foreign }),
    ...(child && { role: child.instructions }),
    ...(audience.answerSchema !== undefined && { answerSchema: audience.answerSchema }),
    redaction,
    emit: audience.emit,
    logError,
    now: () => new Date(),
  });
  held.move();
  return agent;
}

/** Makes what the first request says of tools, while processes of the system look for a view. */
function describeTools({ catalogue, selected }: Launch): void {
  for (const { name, parameters } of catalogue) if (selected.has(name)) void parameters.json;
}

type SettledChild = NonNullable<Audience["child"]>;

/**
 * Makes sure that a sub-agent has no more than its parent, and lets hold what was refused there.
 * @throws {ConfigurationError} where nothing confines it as its parent is confined.
 */
async function takeStanding(
  { confined, rules }: SettledChild,
  { view, rights }: Enclosure,
  session: Session,
): Promise<void> {
  if (confined && !view) {
    const why = rights.confinement.tierReason;
    throw new ConfigurationError(`Cannot confine the sub-agent as its parent is confined: ${why}`);
  }
  if (rules.length === 0) return;
  const decision = { decision: "deny", by: "parent", scope: "session" } as const;
  await session.append({ type: "approval", call_id: "", ...decision, rules: [...rules] });
}

/** Formatters and diagnostics after edits, loaded where they are configured. */
async function editChecksOf(
  own: CommandFiles,
  { rights, view }: Enclosure,
  { capabilities, shell }: Backing,
): Promise<EditChecks | undefined> {
  const format = settingIn(own, "format") ?? [];
  const diagnostics = settingIn(own, "diagnostics") ?? [];
  if (format.length + diagnostics.length === 0) return undefined;
  const { openEditChecks } = await import("./edit_checks/edit_checks.ts");
  const { files, commands } = capabilities;
  const workspace = view?.view.workspace ?? rights.workspace;
  return openEditChecks({ format, diagnostics, files, commands, workspace, cwd: () => shell.cwd });
}

/** The skills of a run, none looked for yet. */
function openSkills({ places, configuration }: Launch, { offered }: Enclosure, audience: Audience) {
  const { trust } = configuration.project;
  return new SkillShelf({
    async find() {
      const { findSkills } = await import("./skills/find_skills.ts");
      return await findSkills(places, trust);
    },
    tools: offered,
    warn: (line) => audience.note(`warning: ${line}`),
  });
}

/** Who watches, and what they are shown and told. */
function withoutSecrets(audience: Audience, redaction: Redaction): Audience {
  return {
    ...audience,
    emit: redactedEvents(audience.emit, redaction),
    note: (line) => audience.note(redaction.redact(line)),
    alarm: (line) => audience.alarm(redaction.redact(line)),
    approve: redactedApprover(audience.approve, redaction),
    ...(audience.person && { person: redactedPerson(audience.person, redaction) }),
  };
}

/** The stack of an error that is ours; what the system refused is told in words alone. */
function stackOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof StateError) return `warning: ${error.message}`;
  const ofSystem = error instanceof CommandError || "code" in error ||
    Object.values(Deno.errors).some((kind) => error instanceof kind);
  return ofSystem ? undefined : error.stack ?? error.message;
}

const UNGUARDED =
  "warning: --approval=all without any confinement: commands run unasked, with all your rights";

/** Where snapshots are kept, or why none are. */
function snapshotPlace({ places: { state, workspace }, grants }: Launch, unlogged?: string) {
  if (unlogged !== undefined || state === undefined) return { nothing: "no log is kept" };
  if (grants.allows("read", workspace) && grants.allows("write", workspace)) return { state };
  return { nothing: `--allow-read and --allow-write of ${workspace} are not granted` };
}

/** Whether commands run that nothing confines and nobody is asked for. */
function isUnguarded({ settings }: Launch, { rights, offered }: Enclosure): boolean {
  return settings.approval === "all" && !isConfined(rights.confinement) &&
    offered.some(({ needs }) => needs.run);
}

/** How questions of the network are put, and answers for the session kept. */
function egressQuestions(
  { settings }: Launch,
  session: Session,
  { approve, inTurn }: Pick<EgressQuestions, "approve" | "inTurn">,
): EgressQuestions {
  const denies = settings.approval === "deny";
  return {
    ...{ approve: denies ? denyAll : approve, inTurn },
    rules: () => denies ? [] : rulesOf(session.conversation.standingApprovals),
    append: (record) => session.append(record),
  };
}

/** A connection that ended is logged with its bytes; one that was refused is told. */
function tellEgress(event: EgressEvent, session: Session, audience: Audience): void {
  switch (event.type) {
    case "opened":
      return;
    case "closed": {
      const { source, host, port, bytesUp, bytesDown } = event;
      const record = { source, host, port, bytes_up: bytesUp, bytes_down: bytesDown };
      audience.emit({ type: "egress", ...record });
      // A log that fails says so to the loop, whose next record fails too.
      session.append({ type: "egress", ...record }).catch(() => {});
      return;
    }
    case "refused":
      audience.note(`network: ${event.message}`);
  }
}

function connectApplyModel({ settings, applyModel: agreed }: Launch): ApplyModel | undefined {
  const { applyModel: chosen } = settings;
  if (!chosen || !agreed) return undefined;
  return applyModel(createModel({
    name: chosen.model,
    provider: chosen.provider,
    ...(chosen.apiKey !== undefined && { apiKey: chosen.apiKey }),
    loadBlob: (name) => Promise.reject(new Deno.errors.NotFound(name)),
    readText: (path) => Deno.readTextFile(path),
  }));
}

/** What would only show with the first request is said before a session begins. */
function checkModel({ settings, grants }: Launch): void {
  const { model, provider, limits } = settings;
  if (model === undefined) {
    throw new ConfigurationError(
      'No model is set: name one by --model, CORDON_MODEL or "model" in config.jsonc',
    );
  }
  if (scriptOf(model) === undefined && !grants.allows("net", hostOf(provider))) {
    throw new ConfigurationError(
      `Cannot reach the model: --allow-net=${hostOf(provider)} is not granted`,
    );
  }
  if (limits.maxBudgetUsd !== undefined && !provider.prices) {
    throw new ConfigurationError(
      'Cannot keep to --max-budget-usd: what the model costs is not known, set "prices" in config.jsonc',
    );
  }
}

function connect(
  { settings, places }: Launch,
  env: ReadVariable,
  loadBlob: (name: string) => Promise<Uint8Array | undefined>,
): Model {
  const { model = "", provider, apiKey } = settings;
  const behindProxy = Boolean(env("HTTPS_PROXY") ?? env("HTTP_PROXY"));
  return createModel({
    name: model,
    provider,
    ...(apiKey !== undefined && { apiKey }),
    async loadBlob(name) {
      const bytes = await loadBlob(name);
      if (bytes) return bytes;
      throw new Deno.errors.NotFound(`Cannot send image "${name}": it is gone`);
    },
    readText: (path) => Deno.readTextFile(resolve(places.cwd, path)),
    // Behind a proxy nothing is reached directly, so a look at the address itself tells nothing.
    ...(behindProxy && { probe: () => Promise.resolve(true) }),
  });
}
