import { text } from "../../tools/tool.ts";
import type { Agent } from "../agent.ts";
import { parseAnswerSchema } from "../answer_schema.ts";
import type { ReadVariable } from "../environment.ts";
import type { EventSink } from "../events.ts";
import { EXIT } from "../exit_code.ts";
import { failureOf } from "../failure.ts";
import { Interruption } from "../interruption.ts";
import type { TaskEnd } from "../loop/loop.ts";
import { startAgent } from "../start.ts";
import { taskInSchema } from "../structured_answer.ts";
import { NO_USAGE, resultEvent } from "../terminal/result_event.ts";
import { onSignals } from "../terminal/signals.ts";
import { nobody } from "../gate/approver.ts";
import { clippedEvents } from "./clipped_events.ts";
import type { ChildTask } from "./messages.ts";
import { ParentLink } from "./parent_link.ts";

/** What a child has of its process. */
export interface ChildProcess {
  readonly env: ReadVariable;
  readonly input: ReadableStream<Uint8Array>;
  /** Takes whole lines, in order. */
  write(line: string): void;
  /** Ends the process now. */
  exit(code: number): void;
}

/** How long a child that has lost its parent may take to end in good order, in milliseconds. */
const ORPHAN_MS = 10_000;

/** Runs the task that comes on standard input, and tells the parent how it goes; the exit code. */
export async function runChild({ env, input, write, exit }: ChildProcess): Promise<number> {
  const link = new ParentLink(input, write);
  const stop = new AbortController();
  const interrupt = (reason: Interruption) => stop.abort(reason);
  using _signals = onSignals({ interrupt, quit: ({ exitCode }) => exit(exitCode) });
  let agent: Agent | undefined;
  // Told before there is an agent, it is told to the agent.
  const early: string[] = [];
  const task = await link.task();
  const steer = (said: string) => agent?.steer([text(said)]) || early.push(said);
  void link.obey({
    steer,
    cancel: () => interrupt(new Interruption("interrupted", EXIT.interrupted)),
    lost() {
      interrupt(new Interruption("interrupted", EXIT.hangup));
      Deno.unrefTimer(setTimeout(() => exit(EXIT.hangup), ORPHAN_MS));
    },
  });
  const emit = clippedEvents((event) => link.send({ type: "event", event }));
  const { end, usage } = await run(task, { env, link, emit }, stop.signal, (started) => {
    agent = started;
    return early;
  });
  emit(resultEvent(end, usage));
  return end.exitCode;
}

/** Where a run comes from, and where it tells of itself. */
interface RunParts {
  readonly env: ReadVariable;
  readonly link: ParentLink;
  readonly emit: EventSink;
}

async function run(
  task: ChildTask,
  { env, link, emit }: RunParts,
  signal: AbortSignal,
  onStart: (agent: Agent) => readonly string[],
) {
  let agent: Agent | undefined;
  let reason = "failed";
  try {
    const schema = task.schema === undefined
      ? undefined
      : await parseAnswerSchema("the schema of the task", task.schema);
    const { subAgent } = task;
    const standing = subAgent?.standing;
    const note = (line: string, alarm = false) => link.send({ type: "note", line, alarm });
    agent = await startAgent(task.options, env, task.cwd, {
      emit,
      note,
      alarm: (line) => note(line, true),
      approve: standing?.hasPerson ? link.approve : nobody,
      interactive: standing?.hasPerson ?? false,
      ...(subAgent && { child: { ...subAgent.standing, instructions: subAgent.instructions } }),
      ...(standing?.answersQuestions && { person: link.parent }),
      ...(schema && { answerSchema: schema.json }),
    });
    emit(agent.started);
    const early = onStart(agent);
    const content = [task.prompt, ...early].map(text);
    const end = schema
      ? await taskInSchema(agent, content, schema, signal, emit)
      : await agent.task(content, signal);
    reason = end.reason;
    return { end, usage: agent.usage() };
  } catch (error) {
    const failure = failureOf(error);
    const { message, code, stack } = failure;
    if (stack !== undefined) link.send({ type: "note", line: stack, alarm: false });
    emit({ type: "error", message, code });
    reason = failure.reason;
    const end: TaskEnd = { ...failure, text: "", turns: 0 };
    return { end, usage: agent?.usage() ?? NO_USAGE };
  } finally {
    await agent?.close(reason);
  }
}
