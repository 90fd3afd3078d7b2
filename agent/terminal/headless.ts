import { resolve } from "node:path";
import type { Agent } from "../agent.ts";
import { loadAnswerSchema } from "../answer_schema.ts";
import type { Invocation } from "../command_line/parse.ts";
import type { OptionValues } from "../command_line/options.ts";
import type { ReadVariable } from "../environment.ts";
import { EXIT } from "../exit_code.ts";
import { failureOf } from "../failure.ts";
import { Interruption, interruptionOf } from "../interruption.ts";
import type { TaskEnd } from "../loop/loop.ts";
import { startAgent } from "../start.ts";
import type { UsageTotals } from "../events.ts";
import { after } from "../../sandbox/commands/timers.ts";
import { text } from "../../tools/tool.ts";
import { attachImages } from "../attachments.ts";
import { checkOutputFile, writeOutputFile } from "../output_file.ts";
import { taskInSchema } from "../structured_answer.ts";
import { unlessAborted } from "../unless_aborted.ts";
import { nobody } from "../gate/approver.ts";
import type { Output, OutputStreams } from "./output.ts";
import { type PromptWords, readPromptFiles } from "./prompt_files.ts";
import { readPrompt, type StandardInput } from "./prompt_input.ts";
import { outputFor, tellFailure } from "./report_failure.ts";
import { NO_USAGE, resultEvent } from "./result_event.ts";
import { onSignals } from "./signals.ts";
import type { UserCommand } from "./slash/user/user_command.ts";

/** The world of a run: what a process has, handed in. */
export interface Host {
  readonly env: ReadVariable;
  /** Absolute. */
  readonly cwd: string;
  /** The file that Deno runs, absolute. */
  readonly program: string;
  readonly stdin: StandardInput;
  readonly streams: OutputStreams;
  readonly stdoutIsTerminal: boolean;
  readonly stderrIsTerminal: boolean;
  /** Ends the process, output that nobody takes notwithstanding. */
  exit(code: number): void;
}

/** How long a run that was stopped waits for its file of -o, maybe a pipe that nobody reads, in ms. */
const STOPPED_WRITE_MS = 2_000;

/** Does one task and tells how it went in the format that was asked for; resolves to the exit code. */
export async function runHeadless(invocation: Invocation, host: Host): Promise<number> {
  const output = outputFor(invocation.options, host);
  const { output: named } = invocation.options;
  // The last message is on stdout anyway.
  const file = named === undefined || named === "-" ? undefined : resolve(host.cwd, named);
  const stop = new AbortController();
  let started: Agent | undefined;
  let quitting: Promise<void> | undefined;
  let over = false;
  async function quit(interruption: Interruption): Promise<void> {
    await started?.abandon();
    output.emit(resultEvent(stopped(interruption), NO_USAGE));
    host.exit(interruption.exitCode);
  }
  const quitOnce = (interruption: Interruption) => quitting ??= quit(interruption);
  using _signals = onSignals({
    // What is left then is a file of -o, maybe a pipe that nobody reads.
    interrupt: (reason) => over ? void quitOnce(reason) : stop.abort(reason),
    quit: quitOnce,
  });
  using _limit = timeLimit(invocation.options.timeout, stop);
  host.streams.stdout.closed.addEventListener("abort", () => stop.abort());
  if (file !== undefined) checkOutputFile(file);
  const onStart = (agent: Agent) => started = agent;
  const ran = await runOnce(invocation, host, output, { signal: stop.signal, onStart });
  over = true;
  const end = await keepLastMessage(file, ran, output, host, stop.signal);
  if (quitting) await quitting;
  else output.emit(resultEvent(end, ran.usage));
  return end.exitCode;
}

function stopped({ reason, exitCode }: Interruption): TaskEnd {
  return { reason, exitCode, text: "", turns: 0 };
}

async function runOnce(
  invocation: Invocation,
  host: Host,
  output: Output,
  { signal, onStart }: { signal: AbortSignal; onStart(agent: Agent): void },
): Promise<{ end: TaskEnd; usage: UsageTotals }> {
  const note = (line: string) => output.note(line);
  // Pipes may never bring anything: what is named on the command line, and standard input.
  const read = await unlessAborted(readTask(invocation, host, note), signal);
  if (read === undefined) return { end: stopped(interruptionOf(signal)), usage: NO_USAGE };
  const { schema, command, said, prompt } = read;
  const { options } = invocation;
  const model = command?.model;
  const asked = model === undefined ? options : { ...options, model };
  const agent = await startAgent(asked, host.env, host.cwd, {
    emit: (event) => output.emit(event),
    note,
    alarm: (line) => output.alarm(line),
    approve: nobody,
    interactive: false,
    ...(schema && { answerSchema: schema.json }),
  });
  onStart(agent);
  output.emit(agent.started);
  let reason: string = "failed";
  const worker = command ? await withToolsOf(command, agent, note) : agent;
  try {
    await tellWaiting(agent, note);
    const images = await attachImages(
      [...options.image ?? [], ...said.images],
      host.cwd,
      agent.session.blobs,
    );
    const content = [text(prompt), ...images];
    const end = schema
      ? await taskInSchema(worker, content, schema, signal, (event) => output.emit(event))
      : await worker.task(content, signal);
    reason = end.reason;
    return { end, usage: agent.usage() };
  } catch (error) {
    const failure = failureOf(error);
    // What was spent so far is told even where the log could not be written.
    tellFailure(failure, output, host);
    reason = failure.reason;
    return { end: { ...failure, text: "", turns: 0 }, usage: agent.usage() };
  } finally {
    await agent.close(reason);
  }
}

/** What a run is to do, and what its answer must fit. */
async function readTask(
  { options, operands }: Invocation,
  host: Host,
  note: (line: string) => void,
) {
  const schemaFile = options["output-schema"];
  const schema = schemaFile === undefined
    ? undefined
    : await loadAnswerSchema(resolve(host.cwd, schemaFile));
  const words = await readPromptFiles(operands, host.cwd);
  const { command, ...said } = await readCommand(words, options, host);
  return { schema, command, said, prompt: await readPrompt(said, host.stdin, note) };
}

/** Says what waits for trust; commands are told where one was given. */
async function tellWaiting({ launch }: Agent, note: (line: string) => void): Promise<void> {
  const { waitingForTrust } = await import("./waiting_for_trust.ts");
  const waiting = await waitingForTrust(launch, false);
  if (waiting !== undefined) note(`warning: ${waiting}`);
}

/** The words of the command line, where they give a command the text of that. */
async function readCommand(
  said: PromptWords,
  options: OptionValues,
  { env, cwd }: Host,
): Promise<PromptWords & { readonly command?: UserCommand }> {
  if (!said.words[0]?.startsWith("/")) return said;
  const { readAskedPrompt } = await import("./slash/headless_command.ts");
  const words = said.words.filter((word) => word !== "-");
  const { prompt, command } = await readAskedPrompt(words.join(" "), options, env, cwd);
  const dash = words.length < said.words.length ? ["-"] : [];
  return { ...said, words: [prompt, ...dash], ...(command && { command }) };
}

/** The agent, its tasks offered the tools that a command leaves to them. */
async function withToolsOf(
  command: UserCommand,
  agent: Agent,
  note: (line: string) => void,
): Promise<Agent> {
  const { toolsFor } = await import("../allowed_tools.ts");
  for (const line of command.warnings) note(`warning: ${line}`);
  const tools = toolsFor(command, agent.enclosure.offered, (line) => note(`warning: ${line}`));
  if (!tools) return agent;
  return { ...agent, task: (said, signal, more) => agent.task(said, signal, { ...more, tools }) };
}

/** Writes the last message to the file of `-o`; a run whose answer is lost has failed. */
async function keepLastMessage(
  file: string | undefined,
  { end }: { readonly end: TaskEnd },
  output: Output,
  host: Host,
  signal: AbortSignal,
): Promise<TaskEnd> {
  if (file === undefined) return end;
  try {
    const message = end.text === "" ? "" : `${end.text.replace(/\n$/, "")}\n`;
    const written = writeOutputFile(file, message);
    using patience = after(STOPPED_WRITE_MS);
    await (signal.aborted ? Promise.race([written, patience.passed]) : written);
    return end;
  } catch (error) {
    tellFailure(failureOf(error), output, host);
    return end.exitCode === EXIT.done ? { ...end, reason: "failed", exitCode: EXIT.failed } : end;
  }
}

/** Stops a run when its time is up. */
function timeLimit(seconds: number | undefined, stop: AbortController): Disposable {
  const timer = seconds === undefined ? undefined : setTimeout(
    () => stop.abort(new Interruption("time_limit", EXIT.limit)),
    seconds * 1000,
  );
  return { [Symbol.dispose]: () => clearTimeout(timer) };
}
