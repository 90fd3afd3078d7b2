import { helpText } from "./agent/command_line/help.ts";
import { type Invocation, parseCommandLine, UsageError } from "./agent/command_line/parse.ts";
import { processVariables } from "./agent/environment.ts";
import { EXIT } from "./agent/exit_code.ts";
import { failureOf } from "./agent/failure.ts";
import type { OutputStreams } from "./agent/terminal/output.ts";
import { textStream } from "./agent/terminal/stream.ts";
import { type Host, reportFailure, runHeadless } from "./agent/terminal/headless.ts";
import { VERSION } from "./agent/version.ts";

/** Runs one command line to its end and resolves to the exit code. */
async function main(args: readonly string[]): Promise<number> {
  const host = processHost();
  const { streams } = host;
  try {
    return await dispatch(args, host);
  } catch (error) {
    if (failureOf(error)) return reportFailure(error, optionsOf(error), host);
    streams.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    streams.stderr.write("This is a bug in Cordon: please report it with the lines above\n");
    return EXIT.failed;
  } finally {
    await Promise.all([streams.stdout.flush(), streams.stderr.flush()]);
  }
}

async function dispatch(args: readonly string[], host: Host): Promise<number> {
  const invocation = parseCommandLine(args, host.env);
  const { options, command } = invocation;
  if (options.help) return print(host.streams, helpText(VERSION));
  if (options.version || command === "version") return print(host.streams, `cordon ${VERSION}\n`);
  switch (command) {
    case "tools":
    case "rights":
    case "sessions": {
      const { report } = await import("./agent/terminal/report_command.ts");
      return print(host.streams, await report(command, options, host));
    }
    case "demo": {
      const { runDemo } = await import("./agent/terminal/demo_command.ts");
      return await runDemo(invocation, host);
    }
    case "run":
      return await runHeadless(invocation, host);
    case "resume":
      return await converse(resuming(invocation), host);
    case undefined:
      return options.print ? await runHeadless(invocation, host) : await converse(invocation, host);
  }
}

/** `cordon resume ID` is `cordon --resume=ID`. */
function resuming({ operands: [id = "", ...operands], options }: Invocation): Invocation {
  return { command: undefined, options: { ...options, resume: id }, operands };
}

async function converse(invocation: Invocation, host: Host): Promise<number> {
  if (!host.stdin.isTerminal) {
    throw new UsageError("No terminal to converse on: use cordon -p PROMPT", invocation.options);
  }
  const { runConversation } = await import("./agent/terminal/conversation.ts");
  return await runConversation(invocation, host);
}

function print({ stdout }: OutputStreams, text: string): number {
  stdout.write(text);
  return EXIT.done;
}

function optionsOf(error: unknown) {
  return error instanceof UsageError ? error.options : {};
}

function processHost(): Host {
  const stdout = textStream(Deno.stdout);
  const stderr = textStream(Deno.stderr);
  return {
    env: processVariables,
    cwd: Deno.cwd(),
    stdin: {
      isTerminal: Deno.stdin.isTerminal(),
      get readable() {
        return Deno.stdin.readable;
      },
    },
    streams: { stdout, stderr },
    stderrIsTerminal: Deno.stderr.isTerminal(),
    exit: (code) => Deno.exit(code),
  };
}

if (import.meta.main) Deno.exit(await main(Deno.args));
