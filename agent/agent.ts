import type { ReadFiles } from "../sandbox/files/files.ts";
import { after } from "../sandbox/commands/timers.ts";
import type { ForeignTools } from "./mcp/foreign_tools.ts";
import type { ExecutorParts } from "./calls/executor_parts.ts";
import { todoWrite } from "../tools/todo_write.ts";
import type { Content, Person, Tool } from "../tools/tool.ts";
import type { SessionChildren } from "./children/session_children.ts";
import type { Backing } from "./backing/backing.ts";
import { frameOf } from "./ask_model.ts";
import { discreetAppend } from "./discretion.ts";
import { cleanState } from "./clean_state.ts";
import { type CompactionOutcome, ContextKeeper, type WindowFill } from "./compaction/keeper.ts";
import type { Egress } from "./egress.ts";
import type { EditChecks } from "./edit_checks/edit_checks.ts";
import type { Enclosure } from "./enclosure.ts";
import type { EventSink, SessionEvent, UsageTotals } from "./events.ts";
import { EXIT } from "./exit_code.ts";
import { executorHooks, notifyingPerson } from "./hooks/executor_hooks.ts";
import type { AgentHooks } from "./hooks/open_hooks.ts";
import { type Approver, denyAll } from "./gate/approver.ts";
import { type InTurn, inTurnPerson } from "./gate/in_turn.ts";
import { rulesOf } from "./gate/rules.ts";
import { sessionPolicy } from "./gate/session_policy.ts";
import { logEndedJobs } from "./job_ends.ts";
import type { Instructions } from "./instructions.ts";
import { extraFolders, type Launch } from "./launch.ts";
import { RepetitionWatch } from "./limits.ts";
import { type LoopParts, type RunLimits, runTask, type TaskEnd } from "./loop.ts";
import { addTotals, usageTotals } from "./usage_totals.ts";
import type { Model } from "./model/model.ts";
import { costOf } from "./model/provider.ts";
import type { Usage } from "./messages.ts";
import type { SkillShelf } from "./skills/skill_shelf.ts";
import { skillTool } from "../tools/skill.ts";
import { systemPrompt } from "./prompt.ts";
import { userRecord } from "./session/convert.ts";
import type { Redaction } from "./redaction.ts";
import { redactedAppend } from "./redaction.ts";
import type { Session } from "./session/log.ts";
import { usingState } from "./state_error.ts";
import { type Said, Steering } from "./steering.ts";
import type { TaskSnapshots } from "./snapshots/task_snapshots.ts";
import { VERSION } from "./version.ts";

/** An agent at work in one session. */
export interface Agent {
  readonly session: Session;
  /** The first event of a run. */
  readonly started: SessionEvent;
  /** What each task may take. */
  readonly limits: RunLimits;
  /** What it was started with, and what confines it. */
  readonly launch: Launch;
  readonly enclosure: Enclosure;
  /** What servers of others offer; absent where none is configured. */
  readonly foreign?: ForeignTools;
  /** The files as its tools see them. */
  readonly files: ReadFiles;
  /** Takes what a person says, and works until it is answered or stopped. */
  task(content: readonly Content[], signal: AbortSignal, options?: TaskOptions): Promise<TaskEnd>;
  /**
   * Runs a shell command that a person typed, in the model's shell, and tells the model of it with
   * the next prompt; resolves to its output. Not to be called while a task runs.
   * @throws {Error} where no command can be run here.
   */
  runCommand(
    command: string,
    signal: AbortSignal,
    progress: (part: string) => void,
  ): Promise<string>;
  /**
   * Tells the model what a person says while a task runs: after the results of the calls that run
   * now, before the next answer. True: it will be told, which the event `user` says, or it comes
   * back with the end of the task as `undelivered`. False: no task runs that could take it.
   */
  steer(said: Said): boolean;
  /** Sums the older part of the conversation up. Not to be called while a task runs. */
  compact(instructions: string | undefined, signal: AbortSignal): Promise<CompactionOutcome>;
  /** How full the model's window is; worked out with each call. */
  windowFill(): WindowFill;
  /** Undo and redo of what tasks did to the files; the conversation stays as it is. */
  readonly moves: Pick<TaskSnapshots, "prepareMove" | "makeMove">;
  /** Tokens and cost of the whole session. */
  usage(): UsageTotals;
  /** Ends what still runs, and the session with its reason. */
  close(reason: string): Promise<void>;
  /** Has what still runs ended without waiting for it: for a process that ends at once. */
  abandon(): Promise<void>;
}

/** What holds for one task alone. */
export interface TaskOptions {
  /** Go before those of the run. */
  readonly limits?: RunLimits;
  /** Names of the only tools that are offered, of those that are; absent: all of them. */
  readonly tools?: ReadonlySet<string>;
}

/** What an agent is made of. */
export interface AgentParts {
  readonly launch: Launch;
  readonly enclosure: Enclosure;
  readonly egress: Egress;
  readonly session: Session;
  readonly model: Model;
  readonly backing: Backing;
  readonly approve: Approver;
  /** Lets questions wait for each other. */
  readonly inTurn: InTurn;
  /** Who answers the questions of the model; absent where nobody does. */
  readonly person?: Person;
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  readonly instructions: Instructions;
  /** JSON Schema that the answer must fit, as JSON. */
  readonly answerSchema?: string;
  readonly snapshots: TaskSnapshots;
  /** Absent where no tool could start one. */
  readonly children?: SessionChildren;
  /** Tools, resources and prompts of MCP servers; absent where none is configured. */
  readonly foreign?: ForeignTools;
  /** Of a sub-agent: how its role works. */
  readonly role?: string;
  readonly skills: SkillShelf;
  /** Absent where none are configured. */
  readonly hooks?: AgentHooks;
  /** What is done around edits; absent: nothing. */
  readonly edits?: EditChecks;
  /** Of what is logged; events and questions come redacted already. */
  readonly redaction: Redaction;
  readonly emit: EventSink;
  readonly logError: (error: unknown) => void;
  readonly now: () => Date;
}

/** Enough to start what ends jobs, which goes on without us; a person who quits does not wait. */
const ABANDON_MS = 250;

/** The end of a task, with what a person said that nobody was told. */
function withUndelivered(end: TaskEnd, steering: Steering): TaskEnd {
  const undelivered = steering.close();
  return undelivered.length > 0 ? { ...end, undelivered } : end;
}

/** How a task ends that a hook refused. */
const REFUSED: TaskEnd = { reason: "failed", exitCode: EXIT.failed, text: "", turns: 0 };

/** Joins the parts to an agent; nothing happens until its first task. */
export function createAgent(parts: AgentParts): Agent {
  const { launch, enclosure, session, model, children } = parts;
  const emit: EventSink = (event) =>
    parts.emit(event.type === "usage" ? { type: "usage", ...totals() } : event);
  const { settings } = launch;
  const { offered: tools } = enclosure;
  const { skills } = parts;
  const hooks = parts.hooks?.tasks;
  const person = parts.person && hooks ? notifyingPerson(parts.person, hooks) : parts.person;
  const { sweeping } = parts.backing;
  const append = discreetAppend(redactedAppend(session, parts.redaction), tools);
  const price = (usage: Usage) => costOf(usage, settings.provider.prices);
  const keeper = createKeeper({ ...parts, emit }, append);
  const steering = new Steering();
  const loop: LoopParts = {
    model,
    conversation: session.conversation,
    system: systemWith(tools),
    limits: settings.limits,
    onToolCall: () => parts.backing.prepare(),
    async beforeTurn() {
      await logEndedJobs(parts.backing.jobs, append);
      await children?.tell(append);
    },
    ...(children && {
      childrenCost: () => children.usage().cost_usd ?? 0,
      childLacksApproval: () => children.approvalUnavailable,
    }),
    keeper,
    steering,
    hear,
    mayEnd: (text, signal) => hooks?.mayEnd(text, signal) ?? Promise.resolve(true),
    costOf: price,
    emit,
    executor: {
      tools,
      capabilities: {
        ...parts.backing.capabilities,
        skills,
        ...(children && { children: children.capability }),
        ...(person && { person: inTurnPerson(person, parts.inTurn) }),
      },
      policy: sessionPolicy(parts),
      approve: settings.approval === "deny" ? denyAll : parts.approve,
      ...(parts.edits && { edits: parts.edits }),
      ...(parts.hooks && executorHooks(parts.hooks, parts)),
      inTurn: parts.inTurn,
      rules: () => rulesOf(session.conversation.standingApprovals),
      append,
      markerIn: (value) => parts.redaction.markerIn(value),
      ready: () => sweeping.ready(),
      swept: (run) => sweeping.call(run),
      refusal: (tool) => skills.refusal(tool),
      emit,
      watch: new RepetitionWatch(),
      beforeChange: (callId, signal) => parts.snapshots.beforeChange(callId, signal),
      logError: parts.logError,
    },
  };
  /** Takes what a person says into the conversation, unless a hook refuses it. */
  async function hear(said: Said, signal: AbortSignal): Promise<boolean> {
    const refusal = await hooks?.promptIsSaid(said, signal);
    if (refusal === undefined) await append(userRecord(said));
    else emit({ type: "error", message: `A hook refused it: ${refusal}`, code: "hook" });
    return refusal === undefined;
  }
  /** What the session and its children used. */
  function totals(): UsageTotals {
    const own = usageTotals(session.conversation.usage, price);
    return children ? addTotals(own, children.usage()) : own;
  }
  function systemWith(offered: readonly Tool[]): () => string {
    const names = offered.map(({ name }) => name);
    return () => parts.redaction.redact(systemPrompt(promptFacts(parts, names)));
  }
  function loopFor({ limits = loop.limits, tools: only }: TaskOptions): LoopParts {
    const offered = withSkillTool(parts);
    const isLeft = ({ name }: Tool) => !only || only.has(name);
    const left = offered.filter(isLeft);
    const executor: ExecutorParts = {
      ...loop.executor,
      // Those of servers come and go while a task runs.
      get tools() {
        return [...left, ...(parts.foreign?.tools.filter(isLeft) ?? [])];
      },
    };
    return { ...loop, limits, executor, system: systemWith(left) };
  }
  let begun = false;
  async function startHooks(signal: AbortSignal): Promise<void> {
    if (begun) return;
    begun = true;
    await hooks?.sessionStarts(session.conversation.turns > 0 ? "resume" : "startup", signal);
  }
  return {
    session,
    ...{ launch, enclosure },
    ...(parts.foreign && { foreign: parts.foreign }),
    files: parts.backing.capabilities.files,
    moves: parts.snapshots,
    started: sessionEvent(parts),
    usage: totals,
    limits: settings.limits,
    async task(content, signal, options = {}) {
      steering.open();
      try {
        await skills.look();
        await startHooks(signal);
        if (!await hear(content, signal)) return withUndelivered(REFUSED, steering);
        await parts.foreign?.ready(signal);
        const run = loopFor(options);
        // A child is held by what holds its parent.
        using _working = children?.beginTask(
          () => run.executor.tools.map(({ name }) => name).filter((name) => !skills.refusal(name)),
          run.executor,
        );
        const end = await parts.egress.during(signal, () => runTask(run, signal));
        const text = parts.redaction.redact(end.text);
        return withUndelivered({ ...end, text }, steering);
      } finally {
        steering.close();
        skills.endTask();
        await parts.snapshots.endTask();
      }
    },
    steer: (said) => steering.add(said),
    async compact(instructions, signal) {
      try {
        return await keeper.compact(frameOf(loopFor({})), instructions, signal);
      } catch (error) {
        if (!signal.aborted) throw error;
        return { ok: false, reason: "it was stopped" };
      }
    },
    windowFill: () => keeper.fill(frameOf(loopFor({}))),
    async runCommand(command, signal, progress) {
      const { runPersonCommand } = await import("./person_command.ts");
      const { capabilities } = parts.backing;
      const { redaction } = parts;
      const shell = { launch, tools, capabilities, sweeping, redaction, append };
      return await parts.egress.during(
        signal,
        () => runPersonCommand(command, shell, signal, progress),
      );
    },
    async abandon() {
      using patience = after(ABANDON_MS);
      children?.abandon();
      const ended = parts.backing.jobs[Symbol.asyncDispose]().catch(parts.logError);
      await Promise.race([ended, patience.passed]);
    },
    async close(reason) {
      await children?.[Symbol.asyncDispose]();
      await children?.tell(append);
      await hooks?.sessionEnds(reason);
      await parts.edits?.[Symbol.asyncDispose]();
      await parts.foreign?.[Symbol.asyncDispose]();
      await parts.backing[Symbol.asyncDispose]();
      await parts.egress[Symbol.asyncDispose]();
      parts.snapshots.close();
      await logEndedJobs(parts.backing.jobs, append);
      await session.close(reason);
      // Who keeps no log leaves nothing behind, not even the mark of a cleaning.
      if (session.path !== undefined && launch.places.state !== undefined) {
        await clean(launch.places.state, parts);
      }
    },
  };
}

/** The offered tools; that for skills where there are some now, also if there were none at the start. */
function withSkillTool({ launch, enclosure, skills }: AgentParts): readonly Tool[] {
  const { name } = skillTool;
  const others = enclosure.offered.filter((tool) => tool.name !== name);
  const wanted = launch.selected.has(name) && skills.known.length > 0;
  return wanted ? [...others, skillTool] : others;
}

/** What cannot be cleaned is told, and takes nothing from a run that has done its work. */
async function clean(state: string, { session, logError }: AgentParts): Promise<void> {
  const options = { now: Date.now, keep: new Set([session.id]) };
  try {
    await usingState(state, () => cleanState(state, options));
  } catch (error) {
    logError(error);
  }
}

function createKeeper(parts: AgentParts, append: Session["append"]): ContextKeeper {
  const { provider, compactAt } = parts.launch.settings;
  const { contextWindow: tokens, maxOutputTokens } = provider;
  return new ContextKeeper({
    model: parts.model,
    conversation: parts.session.conversation,
    append,
    emit: parts.emit,
    objection: (...asked) => parts.hooks?.tasks.compacts(...asked) ?? Promise.resolve(undefined),
    runningJobs: () => parts.backing.jobs.list().filter(({ end }) => end === undefined),
    runningChildren: () => parts.children?.unfinished ?? [],
    costOf: (usage) => costOf(usage, provider.prices),
    window: {
      ...(tokens !== undefined && { tokens }),
      ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      compactAt,
    },
  });
}

function sessionEvent({ enclosure, session, model }: AgentParts): SessionEvent {
  const { confinement, workspace } = enclosure.rights;
  return {
    type: "session",
    session_id: session.id,
    version: VERSION,
    cwd: workspace,
    model: model.name,
    tier: confinement.tier,
    tier_reason: confinement.tierReason,
    profile: confinement.profile,
  };
}

function promptFacts(parts: AgentParts, tools: readonly string[]) {
  const { launch, enclosure, backing, instructions, session } = parts;
  const { grants, confinement, workspace } = enclosure.rights;
  return {
    workspace,
    cwd: backing.shell.cwd,
    platform: Deno.build.os,
    date: parts.now().toISOString().slice(0, 10),
    // A repository around the workspace is none that commands could see.
    isGitRepository: instructions.inRepository &&
      enclosure.view?.view.hiddenRepository === undefined,
    confinement,
    approval: launch.settings.approval,
    interactive: parts.interactive,
    tools,
    extraFolders: extraFolders(grants, "read", launch.places),
    instructions: instructions.text,
    ...(parts.answerSchema !== undefined && { answerSchema: parts.answerSchema }),
    ...(parts.role !== undefined && { role: parts.role }),
    ...(tools.includes(skillTool.name) && { skills: parts.skills.known }),
    todos: session.conversation.latest(todoWrite)?.todos ?? [],
  };
}
