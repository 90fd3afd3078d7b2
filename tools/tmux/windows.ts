import { signalOfExitCode } from "../../sandbox/commands/signal_names.ts";
import type { TmuxAnswer, TmuxServer } from "./server.ts";

/** tmux's client cannot pass a longer command on (16 KB); bytes of text in one. */
const MAX_TEXT_BYTES = 4_000;

/** How long a program may take to end when its window is closed, in seconds. */
const HANGUP_GRACE_S = 1;

/**
 * Bash that runs a command where it is wanted (tmux itself would go to HOME where there is no such
 * folder). When it has ended, the terminal is asked how it is: the answer comes when all output
 * before it has been read, and tmux 3.3 drops what has not (seen on Linux 6). ^C is the program's.
 */
const IN_FOLDER = `
ended() {
  IFS= read -r -s -t 1 -d n -p $'\\e[5n' answer
  exit "$1"
}
cd -- "$1" || ended 127
shift
trap : INT QUIT
"$@"
ended "$?"`;

/** One line that says how a window's program is. */
const STATE = "#{pane_dead},#{pane_dead_status},#{pane_dead_signal}";

/** The same of a program that has ended in a way that tmux does not know yet. */
const UNKNOWN_END = /^(?:\S+ \d+ \d+ )?1,,$/m;

/** How often tmux is made to look how a program has ended, before that counts as not known. */
const MAX_NUDGES = 5;

/** Whether a program runs, and how it ended if not. */
export interface WindowState {
  readonly running: boolean;
  /** Null while it runs, and where a signal ended it. */
  readonly exit_code: number | null;
  /** As "SIGTERM". */
  readonly signal: string | null;
}

/** What a window shows, the newest line last, and how its program is. */
export interface WindowLook {
  readonly text: string;
  readonly state: WindowState;
}

/** A window as `list` tells of it. */
export interface WindowRow {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly state: WindowState;
}

/** What a new window is made of. */
export interface NewWindow {
  readonly name: string;
  /** A line for bash; without it an interactive bash. */
  readonly command?: string | undefined;
  /** Absolute. */
  readonly cwd: string;
  readonly width: number;
  readonly height: number;
}

/** Opens a window; resolves to what tmux objected, or to nothing. */
export async function openWindow(server: TmuxServer, window: NewWindow): Promise<string> {
  const { name, command, cwd, width, height } = window;
  const bash = ["bash", "--noprofile", "--norc"];
  const program = command === undefined ? bash : [...bash, "-c", command];
  const size = ["-x", String(width), "-y", String(height)];
  return objection(
    await server.ask(
      ...["new-session", "-d", "-s", name, ...size, "-c", cwd, "--"],
      ...[...bash, "-c", IN_FOLDER, "cordon", cwd, ...program],
    ),
  );
}

/** Types text as it is, an end of line as the Enter key. */
export async function typeText(server: TmuxServer, name: string, text: string): Promise<string> {
  for (const piece of pieces(text.replace(/\r?\n/g, "\r"))) {
    const problem = objection(await server.ask("send-keys", "-t", pane(name), "-l", "--", piece));
    if (problem !== "") return problem;
  }
  return "";
}

/** Presses keys by their names. */
export async function pressKeys(
  server: TmuxServer,
  name: string,
  keys: readonly string[],
): Promise<string> {
  return objection(await server.ask("send-keys", "-t", pane(name), "--", ...keys));
}

/** Looks at a window, and at so many lines above it; undefined where there is no such window. */
export async function lookAt(
  server: TmuxServer,
  name: string,
  history: number,
): Promise<WindowLook | undefined> {
  // `-J` joins what the window's edge has wrapped.
  const capture = ["capture-pane", "-p", "-J", "-t", pane(name), "-S", `-${history}`];
  // The state first: what a program wrote before its end is on the screen when it has ended.
  const { code, text } = await askStates(
    server,
    ...["display-message", "-p", "-t", pane(name), STATE, ";"],
    ...capture,
  );
  if (code !== 0) return undefined;
  const [state = "", ...lines] = text.split("\n");
  return { text: withoutEmptyEnd(lines), state: parseState(state) };
}

/** Closes a window and ends what runs in it: by SIGHUP, and for certain a moment later. */
export async function closeWindow(server: TmuxServer, name: string): Promise<string> {
  const living = "#{?pane_dead,,#{pane_pid}}";
  const { text } = await server.ask("display-message", "-p", "-t", pane(name), living);
  const problem = objection(await server.ask("kill-session", "-t", `=${name}`));
  const group = text.trim();
  if (problem === "" && /^\d+$/.test(group)) {
    await server.ask(
      "run-shell",
      "-b",
      `sleep ${HANGUP_GRACE_S}; kill -KILL -- -${group} 2>/dev/null`,
    );
  }
  return problem;
}

/**
 * Asks for states, and sees to it that tmux knows how programs have ended: now and then (one end in
 * ten with tmux 3.3) it misses the signal that says so, and hears of it with the end of its next
 * child; that is made here.
 */
async function askStates(server: TmuxServer, ...args: readonly string[]): Promise<TmuxAnswer> {
  for (let nudges = 0;; nudges++) {
    const answer = await server.ask(...args);
    if (nudges === MAX_NUDGES || !UNKNOWN_END.test(answer.text)) return answer;
    await server.ask("run-shell", ":");
  }
}

/** Every window, by name. */
export async function listWindows(server: TmuxServer): Promise<WindowRow[]> {
  const format = `#{session_name} #{pane_width} #{pane_height} ${STATE}`;
  const { code, text } = await askStates(server, "list-panes", "-a", "-F", format);
  // Without a window there is no server yet, which tmux calls an error.
  if (code !== 0) return [];
  return text.split("\n").filter((line) => line !== "").map((line) => {
    const [name = "", width, height, state = ""] = line.split(" ");
    return {
      name,
      width: Number(width),
      height: Number(height),
      state: parseState(state),
    };
  });
}

/** `=`: this name and no other that begins so. */
function pane(name: string): string {
  return `=${name}:`;
}

function objection({ code, text }: TmuxAnswer): string {
  return code === 0 ? "" : text.trim() || `tmux ended with code ${code}`;
}

function parseState(line: string): WindowState {
  const [dead, status = "", signal = ""] = line.split(",");
  if (dead !== "1") return { running: true, exit_code: null, signal: null };
  if (signal !== "" && signal !== "0") {
    const name = /^\d+$/.test(signal) ? signalOfExitCode(128 + Number(signal)) : `SIG${signal}`;
    return { running: false, exit_code: null, signal: name ?? signal };
  }
  return { running: false, exit_code: status === "" ? null : Number(status), signal: null };
}

function withoutEmptyEnd(lines: readonly string[]): string {
  return lines.map((line) => line.trimEnd()).join("\n").trimEnd();
}

/** Text in parts of whole characters. */
function pieces(text: string): string[] {
  const found: string[] = [];
  let piece = "";
  let bytes = 0;
  for (const character of text) {
    const size = new TextEncoder().encode(character).length;
    if (bytes + size > MAX_TEXT_BYTES) {
      found.push(piece);
      piece = "";
      bytes = 0;
    }
    piece += character;
    bytes += size;
  }
  return piece === "" ? found : [...found, piece];
}
