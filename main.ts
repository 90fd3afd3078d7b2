import { helpText } from "./agent/command_line/help.ts";
import type { OptionValues } from "./agent/command_line/options.ts";
import { type Invocation, parseCommandLine, UsageError } from "./agent/command_line/parse.ts";
import { processVariables } from "./agent/environment.ts";
import { EXIT } from "./agent/exit_code.ts";
import type { OutputStreams } from "./agent/terminal/output.ts";
import { nothingOnItsWay, type TextStream, textStream } from "./agent/terminal/stream.ts";
import type { Host } from "./agent/terminal/headless.ts";
import { reasonOf } from "./agent/session/error.ts";
import { VERSION } from "./agent/version.ts";
import { CELL_ARGUMENT } from "./sandbox/cell/program.ts";
import { nodeFs } from "./sandbox/files/node_fs.ts";
import { FORWARDER_ARGUMENT } from "./sandbox/egress/forwarder.ts";
import { CHILD_ARGUMENT, ownProgram } from "./agent/children/program.ts";
import { READER_ARGUMENT } from "./agent/reader/program.ts";

/** How long a process that is told to end at once waits for its output to be taken, in ms. */
const LAST_WORDS_MS = 200;

/** Runs one command line to its end and resolves to the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const host = processHost();
  const { stdout, stderr } = host.streams;
  const code = await runCommandLine(args, host);
  await Promise.all([stdout.flush(), stderr.flush()]);
  // A reader that has left needs no words, nor does a terminal that was hung up; a full disk does.
  const lost = stdout.closed.aborted && !(stdout.closed.reason instanceof Deno.errors.BrokenPipe);
  if (!lost || code === EXIT.hangup) return code;
  stderr.write(`error: Cannot write to stdout: ${reasonOf(stdout.closed.reason)}\n`);
  await stderr.flush();
  return EXIT.failed;
}

async function runCommandLine(args: readonly string[], host: Host): Promise<number> {
  let options: OptionValues = {};
  try {
    const invocation = parseCommandLine(args, host.env);
    options = invocation.options;
    return await dispatch(invocation, host);
  } catch (error) {
    const understood = error instanceof UsageError ? { ...options, ...error.options } : options;
    const [{ failureOf }, { reportFailure }] = await Promise.all([
      import("./agent/failure.ts"),
      import("./agent/terminal/report_failure.ts"),
    ]);
    return reportFailure(failureOf(error), understood, host);
  }
}

async function dispatch(invocation: Invocation, host: Host): Promise<number> {
  const { options, command } = invocation;
  if (options.help) return print(host.streams, helpText(VERSION));
  if (options.version || command === "version") return print(host.streams, `cordon ${VERSION}\n`);
  switch (command) {
    case "sessions": {
      const { runSessions } = await import("./agent/terminal/sessions_command.ts");
      return print(host.streams, await runSessions(invocation, host));
    }
    case "batch": {
      const { runBatchCommand } = await import("./agent/terminal/batch_command.ts");
      return await runBatchCommand(invocation, host);
    }
    case "export": {
      const { runExport } = await import("./agent/terminal/export_command.ts");
      return print(host.streams, await runExport(invocation, host));
    }
    case "replay": {
      const { runReplay } = await import("./agent/terminal/replay_command.ts");
      return await runReplay(invocation, host);
    }
    case "tools":
    case "rights": {
      const { report } = await import("./agent/terminal/report_command.ts");
      return print(host.streams, await report(command, options, host));
    }
    case "trust":
    case "untrust": {
      const { runTrust } = await import("./agent/terminal/trust_command.ts");
      return print(host.streams, await runTrust(command, options, host));
    }
    case "undo":
    case "redo": {
      const { runUndo } = await import("./agent/terminal/undo_command.ts");
      return await runUndo(command, invocation, host);
    }
    case "accept": {
      const { runAccept } = await import("./agent/terminal/accept_command.ts");
      return print(host.streams, await runAccept(invocation, host));
    }
    case "worktrees": {
      const { runWorktrees } = await import("./agent/terminal/worktrees_command.ts");
      return await runWorktrees(invocation, host);
    }
    case "mcp": {
      const { runMcp } = await import("./agent/terminal/mcp_command.ts");
      return await runMcp(invocation, host);
    }
    case "acp": {
      const { runAcp } = await import("./agent/terminal/acp_command.ts");
      return await runAcp(options, host);
    }
    case "doctor": {
      const { runDoctor } = await import("./agent/terminal/doctor_command.ts");
      return await runDoctor(invocation, host);
    }
    case "completion": {
      const { completionText } = await import("./agent/command_line/completion.ts");
      return print(host.streams, completionText(invocation));
    }
    case "demo": {
      const { runDemo } = await import("./agent/terminal/demo_command.ts");
      return await runDemo(invocation, host);
    }
    case "run":
      return await headless(invocation, host);
    case "resume":
      return await work(resuming(invocation), host);
    case undefined:
      return await work(invocation, host);
  }
}

/** `cordon resume ID` is `cordon --resume=ID`. */
function resuming({ operands: [id = "", ...operands], options }: Invocation): Invocation {
  return { command: undefined, options: { ...options, resume: id }, operands };
}

async function work(invocation: Invocation, host: Host): Promise<number> {
  return invocation.options.print
    ? await headless(invocation, host)
    : await converse(invocation, host);
}

async function headless(invocation: Invocation, host: Host): Promise<number> {
  const { runHeadless } = await import("./agent/terminal/headless.ts");
  return await runHeadless(invocation, host);
}

async function converse(invocation: Invocation, host: Host): Promise<number> {
  if (!host.stdin.isTerminal) {
    throw new UsageError("No terminal to converse on: use cordon -p PROMPT", invocation.options);
  }
  if (invocation.options.output ?? invocation.options["output-schema"]) {
    throw new UsageError(
      "Cannot use -o or --output-schema in a conversation: use cordon -p PROMPT",
    );
  }
  if (hasScreen(invocation.options, host)) {
    const { runScreen } = await import("./agent/terminal/screen/screen.ts");
    return await runScreen(invocation, host);
  }
  const { runConversation } = await import("./agent/terminal/conversation.ts");
  return await runConversation(invocation, host);
}

/** A terminal that can be drawn on says what it is; on others, and where asked, lines are written. */
function hasScreen(options: OptionValues, { env, stdoutIsTerminal, stderrIsTerminal }: Host) {
  const terminal = env("TERM") || "dumb";
  const wantsEvents = (options["output-format"] ?? "text") !== "text";
  if (options.plain || wantsEvents || terminal === "dumb") return false;
  return stdoutIsTerminal && stderrIsTerminal;
}

function print({ stdout }: OutputStreams, text: string): number {
  stdout.write(text);
  return EXIT.done;
}

/** Stdout and stderr, in order at a terminal; a pipe that nobody reads holds up only itself. */
function outputStreams(): [stdout: TextStream, stderr: TextStream] {
  if (!Deno.stdout.isTerminal() || !Deno.stderr.isTerminal()) {
    return [textStream(Deno.stdout), textStream(Deno.stderr)];
  }
  const onItsWay = nothingOnItsWay();
  return [textStream(Deno.stdout, onItsWay), textStream(Deno.stderr, onItsWay)];
}

function processHost(): Host {
  const [stdout, stderr] = outputStreams();
  return {
    env: processVariables,
    cwd: Deno.cwd(),
    program: programFile(),
    stdin: {
      isTerminal: Deno.stdin.isTerminal(),
      get readable() {
        return Deno.stdin.readable;
      },
      get mayStaySilent() {
        const stdin = nodeFs().fstatSync(0);
        return stdin.isFIFO() || stdin.isSocket();
      },
    },
    streams: { stdout, stderr },
    stdoutIsTerminal: Deno.stdout.isTerminal(),
    stderrIsTerminal: Deno.stderr.isTerminal(),
    exit(code) {
      const patience = new Promise((resolve) => setTimeout(resolve, LAST_WORDS_MS));
      const flushed = Promise.all([stdout.flush(), stderr.flush()]);
      void Promise.race([flushed, patience]).then(() => Deno.exit(code));
    },
  };
}

/** What Deno is told to run, by itself and by people. */
function programFile(): string {
  const program = ownProgram();
  return program.form === "compiled" ? import.meta.filename ?? "main.ts" : program.main;
}

/** A compiled binary is its own cell: it was started again, by this argument, in a view. */
async function serveAsCell(): Promise<number> {
  const { runCell } = await import("./sandbox/cell/main.ts");
  await runCell();
  return EXIT.done;
}

/** In a view without socat a compiled binary carries connections to the proxy, too. */
async function serveAsForwarder(): Promise<number> {
  const { runForwarder } = await import("./sandbox/egress/forwarder.ts");
  await runForwarder(Deno.args.slice(1));
  return EXIT.done;
}

/** A compiled binary also reads what comes from outside, without any right. */
async function serveAsReader(): Promise<number> {
  const { runReader } = await import("./agent/reader/main.ts");
  await runReader();
  return EXIT.done;
}

/** A sub-agent is the whole program again, which gets its task on standard input. */
async function serveAsChild(): Promise<number> {
  const { runChild } = await import("./agent/children/main.ts");
  const stdout = textStream(Deno.stdout);
  const code = await runChild({
    env: processVariables,
    input: Deno.stdin.readable,
    write: (line) => stdout.write(line),
    exit: Deno.exit,
  });
  await stdout.flush();
  return code;
}

function start(): Promise<number> {
  switch (Deno.args[0]) {
    case CELL_ARGUMENT:
      return serveAsCell();
    case FORWARDER_ARGUMENT:
      return serveAsForwarder();
    case READER_ARGUMENT:
      return serveAsReader();
    case CHILD_ARGUMENT:
      return serveAsChild();
    default:
      return main(Deno.args);
  }
}

if (import.meta.main) Deno.exit(await start());
