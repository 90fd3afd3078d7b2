import { displayOf } from "../../agent/screen/display.ts";

/** How long a window may take to show on a busy machine, in milliseconds. */
const WINDOW_LIMIT_MS = 30_000;

/** How often a screen is looked at, in milliseconds. */
const LOOK_MS = 50;

/** Whether this machine has what a display of tests needs, and these programs. */
export async function hasDisplay(...others: readonly string[]): Promise<boolean> {
  if (Deno.build.os !== "linux") return false;
  // Asked for its help, Xvfb ends as if it had failed.
  const { success } = await new Deno.Command("sh", {
    args: ["-c", 'for name; do command -v "$name" || exit; done', "sh", ...NEEDED, ...others],
    stdout: "null",
  }).output();
  return success;
}

const NEEDED = ["Xvfb", "xterm", "xdotool"];

/** A display of X11 that nobody sees, with programs on it that end with it. */
export interface XDisplay extends AsyncDisposable {
  /** As `:7`. */
  readonly name: string;
  /** What programs find it by, as this machine's process has it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Starts a program at it, and resolves when a window of this title shows; to its process. */
  show(argv: readonly [string, ...string[]], title: string): Promise<Deno.ChildProcess>;
  /** Runs a program at it, and resolves to what it says. */
  run(argv: readonly [string, ...string[]]): Promise<string>;
}

/** Starts a display of this size; `more`: variables that its programs get, too. */
export async function xDisplay(
  width = 800,
  height = 600,
  more: Readonly<Record<string, string>> = {},
): Promise<XDisplay> {
  // It takes the first number that is free, and says which; it stays when its last client leaves.
  const server = new Deno.Command("Xvfb", {
    args: [
      "-displayfd",
      "1",
      "-screen",
      "0",
      `${width}x${height}x24`,
      "-nolisten",
      "tcp",
      "-noreset",
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
    detached: true,
  }).spawn();
  const name = `:${(await firstLine(server.stdout)).trim()}`;
  const path = Deno.env.get("PATH") ?? "";
  const environment = { PATH: path, HOME: "/nonexistent", DISPLAY: name, ...more };
  const children: Deno.ChildProcess[] = [];
  const run = async ([program, ...args]: readonly [string, ...string[]]) => {
    const options = { args, env: environment, clearEnv: true, stderr: "null" } as const;
    return new TextDecoder().decode((await new Deno.Command(program, options).output()).stdout);
  };
  return {
    name,
    environment,
    run,
    async show([program, ...args], title) {
      const child = new Deno.Command(program, {
        args,
        env: environment,
        clearEnv: true,
        detached: true,
        stdin: "null",
        stdout: "null",
        stderr: "null",
      }).spawn();
      children.push(child);
      await until(`a window "${title}"`, async () => {
        return (await run(["xdotool", "search", "--onlyvisible", "--name", `^${title}$`])) !== "";
      });
      return child;
    },
    async [Symbol.asyncDispose]() {
      for (const child of [...children, server]) await end(child);
    },
  };
}

/** The display as the program finds it. */
export function displayIn({ environment }: XDisplay) {
  return displayOf((name) => environment[name], "linux");
}

/** Looks until something is so. */
export async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + WINDOW_LIMIT_MS;
  while (!await isSo()) {
    if (performance.now() > deadline) throw new Error(`There is not ${what}`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** The text of a stream up to its first line break, or to its end. */
export async function firstLine(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
  let text = "";
  for await (const piece of stream.pipeThrough(new TextDecoderStream())) {
    text += piece;
    if (text.includes("\n")) break;
  }
  return text;
}

async function end(child: Deno.ChildProcess): Promise<void> {
  try {
    child.kill("SIGKILL");
  } catch (error) {
    // It has ended by itself.
    if (!(error instanceof TypeError)) throw error;
  }
  await child.status;
}
