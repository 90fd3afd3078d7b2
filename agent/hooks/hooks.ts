import type { ProcessOpener } from "../../sandbox/commands/open_process.ts";
import type { EventSink } from "../events.ts";
import type { Redaction } from "../redaction.ts";
import type { NewRecord } from "../session/records.ts";
import { type Hook, matchingHooks } from "./configured_hooks.ts";
import type { HookEvent } from "./hook_schema.ts";
import { type HookOutcome, outcomeOf } from "./hook_outcome.ts";
import { runHook } from "./run_hook.ts";

/** What hooks work with. */
export interface HookParts {
  readonly hooks: readonly Hook[];
  readonly sessionId: string;
  /** The session's log; absent where none is kept. */
  readonly transcript: string | undefined;
  /** Where hooks run, absolute. */
  readonly workspace: string;
  /** Starts programs where those of the model run. */
  readonly opener: Pick<ProcessOpener, "open">;
  /** Starts programs of the person's that nothing confines. */
  readonly outside: Pick<ProcessOpener, "open">;
  readonly redaction: Redaction;
  readonly append: (record: NewRecord) => Promise<unknown>;
  readonly emit: EventSink;
  /** Tells a person what went wrong, or what a hook wants them to know. */
  readonly warn: (line: string) => void;
}

/** A moment for hooks: what they are told beside what all are. */
export interface HookMoment {
  readonly event: HookEvent;
  /** What matchers are held against. */
  readonly subject?: string;
  readonly facts?: Readonly<Record<string, unknown>>;
  /** Arguments of a call, which hooks may change. */
  readonly input?: unknown;
  readonly callId?: string;
  /** Whether text that is no JSON is for the model. */
  readonly plain?: boolean;
  /** What the log tells the model, by a note: what hooks add, or why they refuse. */
  readonly tells?: "context" | "refusal";
}

/** What the hooks of a moment came to. */
export interface HookVerdict {
  /** A no, with its reason; hooks after it did not run. */
  readonly refusal?: string;
  /** A person is to be asked, for this reason. */
  readonly ask?: string;
  /** A person's own hook says yes. */
  readonly allow?: true;
  /** The call's arguments as hooks want them. */
  readonly input?: Readonly<Record<string, unknown>>;
  /** What hooks say to the model. */
  readonly context: readonly string[];
}

/** Events whose no shows nowhere else. */
const TOLD_TO_PERSON: ReadonlySet<HookEvent> = new Set<HookEvent>([
  "SessionStart",
  "Stop",
  "SubagentStop",
]);

const NOTHING: HookVerdict = { context: [] };

/** Runs hooks one after the other; each that ran is in the log and in the events. */
export class Hooks {
  readonly #parts: HookParts;

  constructor(parts: HookParts) {
    this.#parts = parts;
  }

  has(event: HookEvent): boolean {
    return this.#parts.hooks.some((hook) => hook.event === event);
  }

  /** Once the signal is raised hooks are ended, and say nothing. */
  async run(moment: HookMoment, signal: AbortSignal): Promise<HookVerdict> {
    let verdict = NOTHING;
    for (const hook of matchingHooks(this.#parts.hooks, moment.event, moment.subject)) {
      if (signal.aborted) return NOTHING;
      const input = verdict.input ?? moment.input;
      const outcome = await this.#runOne(hook, { ...moment, input }, signal);
      if (signal.aborted) return NOTHING;
      if (outcome.kind === "blocked") return { ...verdict, refusal: outcome.reason };
      if (outcome.kind === "passed") verdict = joined(verdict, outcome, hook);
    }
    return verdict;
  }

  async #runOne(hook: Hook, moment: HookMoment, signal: AbortSignal): Promise<HookOutcome> {
    const { opener, outside, workspace, warn } = this.#parts;
    const began = performance.now();
    const run = await runHook(
      hook,
      this.#payload(hook, moment),
      hook.outside ? outside : opener,
      { cwd: workspace, env: { CORDON_PROJECT_DIR: workspace } },
      signal,
    );
    const outcome = outcomeOf(run, hook, moment.plain ?? false);
    if (signal.aborted) return outcome;
    await this.#log(hook, moment, outcome, Math.round(performance.now() - began));
    if (outcome.kind === "failed") warn(`warning: ${outcome.problem}`);
    if (outcome.kind === "passed" && outcome.answer.message) warn(outcome.answer.message);
    if (outcome.kind === "blocked" && TOLD_TO_PERSON.has(moment.event)) {
      warn(`A hook (${moment.event}) says: ${outcome.reason}`);
    }
    return outcome;
  }

  /** What a hook reads; the log lies where nothing in the view can see it. */
  #payload(hook: Hook, { event, subject, facts, input }: HookMoment): unknown {
    const { sessionId, transcript, workspace, redaction } = this.#parts;
    return redaction.json({
      session_id: sessionId,
      transcript_path: hook.outside ? transcript ?? null : null,
      cwd: workspace,
      hook_event_name: event,
      ...(input !== undefined && { tool_name: subject, tool_input: input }),
      ...facts,
    });
  }

  async #log(
    { command, origin }: Hook,
    { event, callId, tells }: HookMoment,
    outcome: HookOutcome,
    durationMs: number,
  ): Promise<void> {
    const { exitCode } = outcome;
    const answer = outcome.kind === "passed" ? outcome.answer : {};
    const reason = reasonOf(outcome);
    const record = {
      ...{ event, command, origin, outcome: outcome.kind },
      ...(callId !== undefined && { call_id: callId }),
      exit_code: exitCode,
      duration_ms: durationMs,
      ...(answer.decision && { decision: answer.decision }),
      ...(reason !== undefined && { reason }),
      ...(answer.updatedInput && { arguments: answer.updatedInput }),
    };
    const told = tells === "context" ? answer.context : tells && refusalOf(outcome);
    await this.#parts.append({ type: "hook", ...record, ...(told !== undefined && { told }) });
    this.#parts.emit({ type: "hook", ...record });
  }
}

function refusalOf(outcome: HookOutcome): string | undefined {
  return outcome.kind === "blocked" ? outcome.reason : undefined;
}

function reasonOf(outcome: HookOutcome): string | undefined {
  switch (outcome.kind) {
    case "passed":
      return outcome.answer.reason;
    case "blocked":
      return outcome.reason;
    case "failed":
      return outcome.problem;
  }
}

/** A yes of a project's hook is none: a project cannot take a question from a person. */
function joined(
  before: HookVerdict,
  { answer }: Extract<HookOutcome, { kind: "passed" }>,
  { origin, command }: Hook,
): HookVerdict {
  const { decision, reason, updatedInput, context } = answer;
  return {
    ...before,
    ...(decision === "ask" && { ask: reason ?? `the hook ${command} wants it asked` }),
    ...(decision === "allow" && origin === "user" && { allow: true }),
    ...(updatedInput && { input: updatedInput }),
    context: context === undefined ? before.context : [...before.context, context],
  };
}
