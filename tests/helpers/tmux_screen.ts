import { join } from "node:path";
import { baseEnvironment, sourceLine, type World } from "./cordon.ts";

/** What is waited for longer has gone wrong, in milliseconds. */
const GUARD_MS = 20_000;

/** Between two looks at a screen, in milliseconds. */
const LOOK_MS = 20;

/** What a terminal is made with. */
export interface TmuxOptions {
  readonly columns?: number;
  readonly rows?: number;
  /** Beside what the program needs to run at all. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A real terminal of tmux, on a server of its own, in which the program runs. */
export interface TmuxScreen extends AsyncDisposable {
  /** Presses keys by tmux's names. */
  press(...keys: readonly string[]): Promise<void>;
  /** Types text as it is. */
  type(text: string): Promise<void>;
  /** Pastes as terminals do, in brackets where the program wants them. */
  paste(text: string): Promise<void>;
  resize(columns: number, rows: number): Promise<void>;
  /** What is seen, blanks at the ends cut. */
  screen(): Promise<string>;
  /** The same with the markup. */
  markedScreen(): Promise<string>;
  /** The same with all that has scrolled away. */
  everything(): Promise<string>;
  /**
   * Waits until the screen shows a text, and resolves to the screen; what stands below it may not be
   * drawn yet.
   */
  saw(text: string | RegExp): Promise<string>;
  /** The program's process, as tmux knows it. */
  pid(): Promise<number>;
}

/**
 * Starts the program in a terminal; when it has ended the screen shows `exit CODE MODE`, the mode
 * `cooked` or `raw`.
 */
export async function startOnScreen(
  world: World,
  args: readonly string[],
  { columns = 80, rows = 24, env = {} }: TmuxOptions = {},
): Promise<TmuxScreen> {
  // A server that was ended may still be on its way out of its socket.
  const socket = world.join(`tmux-${crypto.randomUUID().slice(0, 8)}`);
  const tmux = async (...words: readonly string[]) => {
    const { stdout, stderr, success } = await new Deno.Command("tmux", {
      args: ["-S", socket, "-f", "/dev/null", ...words],
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH") ?? "", LC_ALL: "C.UTF-8" },
    }).output();
    if (!success) throw new Error(`tmux ${words[0]}: ${new TextDecoder().decode(stderr)}`);
    return new TextDecoder().decode(stdout);
  };
  const variables = {
    ...await baseEnvironment(),
    HOME: world.join("home"),
    TERM: "screen-256color",
    ...env,
  };
  const size = ["-x", String(columns), "-y", String(rows)];
  const words = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  const line = ["env", "-i", ...words, "bash", "-c", WRAPPER, "bash", ...sourceLine(args)];
  await tmux("new-session", "-d", ...size, "-c", world.work, ...line);
  const capture = async (...more: readonly string[]) =>
    (await tmux("capture-pane", "-p", ...more)).split("\n").map((line) => line.trimEnd())
      .join("\n").trimEnd();
  const terminal: TmuxScreen = {
    press: async (...keys) => void await tmux("send-keys", ...keys),
    type: async (text) => void await tmux("send-keys", "-l", text),
    async paste(text) {
      const path = join(world.path, "pasted");
      await Deno.writeTextFile(path, text);
      await tmux("load-buffer", path);
      await tmux("paste-buffer", "-p", "-r");
    },
    resize: async (columns, rows) =>
      void await tmux("resize-window", "-x", String(columns), "-y", String(rows)),
    screen: () => capture(),
    markedScreen: () => capture("-e"),
    everything: () => capture("-J", "-S", "-"),
    async saw(text) {
      const end = Date.now() + GUARD_MS;
      for (;;) {
        const screen = await capture("-J");
        if (typeof text === "string" ? screen.includes(text) : text.test(screen)) return screen;
        if (Date.now() > end) throw new Error(`The screen never showed ${text}:\n${screen}`);
        await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      }
    },
    pid: async () => Number(await tmux("display-message", "-p", "#{pane_pid}")),
    async [Symbol.asyncDispose]() {
      const programs = await childrenOf(await terminal.pid());
      await tmux("kill-server");
      // The hang-up ends them, and they still write to the world.
      for (const program of programs) await gone(program);
    },
  };
  return terminal;
}

async function childrenOf(parent: number): Promise<number[]> {
  const { stdout } = await new Deno.Command("ps", { args: ["-A", "-o", "pid=,ppid="] }).output();
  return new TextDecoder().decode(stdout).trim().split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([pid = 0, ppid]) => ppid === parent ? [pid] : []);
}

async function gone(pid: number): Promise<void> {
  const end = Date.now() + GUARD_MS;
  while ((await new Deno.Command("ps", { args: ["-p", String(pid)] }).output()).success) {
    if (Date.now() > end) throw new Error(`Process ${pid} outlived its terminal`);
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/**
 * Runs the program as a shell does, and tells how it left the terminal: when it is stopped, and goes
 * on with the next line that is typed, and when it has ended.
 */
const WRAPPER = `mode() {
  case " $(stty -a | tr '\\n' ' ')" in *" icanon "*) echo cooked ;; *) echo raw ;; esac
}
set -m
"$@"
code=$?
while [ "$code" = 148 ]; do
  echo "stopped $(mode)"
  read -r _
  fg > /dev/null
  code=$?
done
echo "exit $code $(mode)"
exec cat > /dev/null`;
