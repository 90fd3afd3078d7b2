import { fileURLToPath } from "node:url";
import { tempDir } from "./temp_dir.ts";

const MAIN = fileURLToPath(new URL("../../main.ts", import.meta.url));

/** A run that takes longer has gone wrong: it is killed, and its signal tells. In milliseconds. */
const GUARD_MS = 30_000;

/** How the program is started; whatever is missing is what a test seldom cares for. */
export interface CordonOptions {
  readonly cwd: string;
  /** Beside PATH, DENO_DIR and DENO_NO_UPDATE_CHECK, all that the program gets. */
  readonly env?: Readonly<Record<string, string>>;
  /** Text, or `open`: a pipe that stays open and silent; nothing at all where it is missing. */
  readonly stdin?: string | "open";
  /** Deno's own rights from source; all of them where it is missing. */
  readonly flags?: readonly string[];
  /** A built binary that is started instead of the source. */
  readonly binary?: string;
  /** After so long it is killed, in milliseconds; default {@linkcode GUARD_MS}. */
  readonly guardMs?: number;
  /** At a terminal of its own: stdin is `open` for keys, stdout holds all that it shows. */
  readonly terminal?: true;
}

/** How a run ended. */
export interface CordonRun {
  readonly code: number;
  readonly signal: Deno.Signal | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The objects on stdout, one a line; empty where stdout is no JSON. */
  readonly events: readonly CordonEvent[];
}

/** An object of `json` or `stream-json`. */
// deno-lint-ignore no-explicit-any -- tests look into events of many shapes by hand
export type CordonEvent = Readonly<Record<string, any>>;

/** A program at work. */
export interface RunningCordon {
  readonly pid: number;
  /**
   * Resolves when the text has come on stdout or stderr since the last that was seen; rejects where
   * the run ends without it.
   */
  saw(text: string): Promise<void>;
  kill(signal: Deno.Signal): void;
  /** Writes to an `open` stdin; resolves when the pipe has taken it all. */
  write(text: string): Promise<void>;
  readonly ended: Promise<CordonRun>;
}

/** Runs the program as a process of its own, from source, and resolves to how it ended. */
export async function cordon(args: readonly string[], options: CordonOptions): Promise<CordonRun> {
  return await (await startCordon(args, options)).ended;
}

/** Starts the program; a run that hangs is killed in the end. */
export async function startCordon(
  args: readonly string[],
  { cwd, env = {}, flags, binary, terminal, ...options }: CordonOptions,
): Promise<RunningCordon> {
  const line = binary === undefined ? sourceLine(args, flags) : [binary, ...args];
  const [program = "", ...words] = terminal ? atTerminal(line) : line;
  const stdin = terminal ? "open" : options.stdin;
  const child = new Deno.Command(program, {
    args: words,
    cwd,
    env: { ...await baseEnvironment(), ...env },
    clearEnv: true,
    detached: true,
    stdin: stdin === undefined ? "null" : "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  return watch(child, stdin, options.guardMs ?? GUARD_MS);
}

/** The program and its arguments as words, from source. */
export function sourceLine(args: readonly string[], flags?: readonly string[]): string[] {
  return [Deno.execPath(), ...sourceArguments(flags), MAIN, ...args];
}

/** `script` of util-linux runs a command line of a shell at a terminal and ends with its code. */
function atTerminal(line: readonly string[]): string[] {
  const quoted = line.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  return ["script", "-qefc", `stty -echo; exec ${quoted}`, "/dev/null"];
}

function sourceArguments(flags: readonly string[] = ["--allow-all"]): string[] {
  return ["run", "--no-prompt", "--cached-only", "--frozen", ...flags];
}

/** A person's machine in a temporary folder: a project, a home, and nothing else. */
export interface World extends AsyncDisposable {
  /** The folder around all of it. */
  readonly path: string;
  /** The project, in which the program is started. */
  readonly work: string;
  join(...names: string[]): string;
  run(args: readonly string[], options?: Partial<CordonOptions>): Promise<CordonRun>;
  start(args: readonly string[], options?: Partial<CordonOptions>): Promise<RunningCordon>;
  /** Runs a script of `sh`, in which `cordon` is the program; `args` are its `"$@"`. */
  shell(script: string, args: readonly string[]): Promise<CordonRun>;
  /** Runs `-p do it` with a script; the events of stream-json. */
  play(turns: readonly Turn[], args?: readonly string[]): Promise<CordonRun>;
  /** Writes a script and resolves to the model that plays it, `scripted:FILE`. */
  script(...turns: readonly Turn[]): Promise<string>;
}

/** One answer of a scripted model. */
export interface Turn {
  readonly text?: string;
  readonly tool_calls?: readonly { readonly name: string; readonly arguments: unknown }[];
}

/** An answer that calls one tool. */
export function calling(name: string, args: Readonly<Record<string, unknown>>): Turn {
  return { tool_calls: [{ name, arguments: args }] };
}

/** Makes a world whose project holds `files`. */
export async function newWorld(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<World> {
  const inside = Object.entries(files).map(([name, content]) => [`work/${name}`, content]);
  const dir = await tempDir({ "work/": "", "home/": "", ...Object.fromEntries(inside) });
  let scripts = 0;
  const complete = ({ env, ...options }: Partial<CordonOptions>) => ({
    cwd: dir.join("work"),
    ...options,
    env: { HOME: dir.join("home"), ...env },
  });
  const world: World = {
    path: dir.path,
    work: dir.join("work"),
    join: dir.join,
    run: (args, options = {}) => cordon(args, complete(options)),
    start: (args, options = {}) => startCordon(args, complete(options)),
    shell(script, args) {
      const command = `cordon() { "$DENO" ${
        sourceArguments().join(" ")
      } '${MAIN}' "$@"; }\n${script}`;
      const env = { DENO: Deno.execPath() };
      return world.run(["-c", command, "sh", ...args], { binary: "/bin/sh", env });
    },
    async play(turns, args = []) {
      const model = await world.script(...turns);
      return await world.run([...HEADLESS, "-m", model, ...args, "do it"]);
    },
    async script(...turns) {
      const path = dir.join(`script-${++scripts}.json`);
      await Deno.writeTextFile(path, JSON.stringify({ turns }));
      return `scripted:${path}`;
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
  return world;
}

/** Options of a run that ends by itself and tells everything. */
export const HEADLESS = ["-p", "--output-format=stream-json"] as const;

/** The events of one type. */
export function eventsOf(run: CordonRun, type: string): CordonEvent[] {
  return run.events.filter((event) => event.type === type);
}

/** The text of the first tool result. */
export function resultText(run: CordonRun): string {
  return String(eventsOf(run, "tool_result")[0]?.text);
}

let base: Promise<Record<string, string>> | undefined;

/** What the program needs to run at all: programs on PATH, and Deno's cache, which HOME would move. */
export function baseEnvironment(): Promise<Record<string, string>> {
  base ??= denoFolder().then((folder) => ({
    PATH: Deno.env.get("PATH") ?? "",
    DENO_DIR: folder,
    DENO_NO_UPDATE_CHECK: "1",
  }));
  return base;
}

/** The folder in which Deno keeps what it has loaded. */
export async function denoFolder(): Promise<string> {
  const info = new Deno.Command(Deno.execPath(), { args: ["info", "--json"], stderr: "null" });
  const { stdout } = await info.output();
  return JSON.parse(new TextDecoder().decode(stdout)).denoDir;
}

function watch(
  child: Deno.ChildProcess,
  stdin: CordonOptions["stdin"],
  guardMs: number,
): RunningCordon {
  const seen = new SeenText();
  const writer = stdin === undefined ? undefined : child.stdin.getWriter();
  if (writer && stdin !== "open") feed(writer, stdin ?? "");
  const guard = setTimeout(() => child.kill("SIGKILL"), guardMs);
  async function untilEnd(): Promise<CordonRun> {
    const [stdout, stderr, { code, signal }] = await Promise.all([
      seen.read(child.stdout),
      seen.read(child.stderr),
      child.status,
    ]);
    clearTimeout(guard);
    if (stdin === "open") await writer?.close().catch(() => {});
    seen.end(`exit code ${code}\n${stdout}${stderr}`);
    return { code, signal, stdout, stderr, events: parseEvents(stdout) };
  }
  return {
    pid: child.pid,
    saw: (text) => seen.saw(text),
    kill: (signal) => child.kill(signal),
    async write(text) {
      await writer?.write(new TextEncoder().encode(text));
    },
    ended: untilEnd(),
  };
}

/** Writes and closes; a program that does not read it all is no error here. */
function feed(writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>, text: string): void {
  writer.write(new TextEncoder().encode(text)).then(() => writer.close()).catch(() => {});
}

function parseEvents(stdout: string): CordonEvent[] {
  if (!stdout.startsWith("{")) return [];
  return stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** Text that comes in pieces from several streams, and whoever waits for words in it. */
class SeenText {
  readonly #texts: { text: string; from: number }[] = [];
  #waiting: (PromiseWithResolvers<void> & { words: string }) | undefined;
  #ended: string | undefined;

  async read(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<string> {
    const seen = { text: "", from: 0 };
    this.#texts.push(seen);
    for await (const piece of stream.pipeThrough(new TextDecoderStream())) {
      seen.text += piece;
      this.#look();
    }
    return seen.text;
  }

  /** One may wait at a time. */
  saw(words: string): Promise<void> {
    this.#waiting = { ...Promise.withResolvers<void>(), words };
    const { promise } = this.#waiting;
    this.#look();
    return promise;
  }

  end(said: string): void {
    this.#ended = said;
    this.#look();
  }

  /** What was seen once does not count for whoever waits next. */
  #look(): void {
    if (!this.#waiting) return;
    const { words, resolve, reject } = this.#waiting;
    const seen = this.#texts.find(({ text, from }) => text.indexOf(words, from) >= 0);
    if (seen) {
      seen.from = seen.text.indexOf(words, seen.from) + words.length;
      resolve();
    } else if (this.#ended !== undefined) {
      reject(new Error(`The program ended without saying "${words}": ${this.#ended}`));
    } else return;
    this.#waiting = undefined;
  }
}
