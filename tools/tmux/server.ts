import { CommandError, type Commands } from "../../sandbox/commands/commands.ts";
import type { OpenProcess } from "../../sandbox/commands/open_process.ts";
import { Pipe } from "../../sandbox/commands/pipe.ts";
import { after } from "../../sandbox/commands/timers.ts";
import { createTurns, type Turns } from "../../sandbox/files/turns.ts";

/** A tmux that does not answer within this is taken as hung, in milliseconds. */
const ANSWER_LIMIT_MS = 15_000;

/** Lines that a window remembers; above it tmux drops the oldest. */
export const HISTORY_LINES = 5_000;

/**
 * What a server of ours is like: windows stay when their program has ended, so that its exit status
 * can be told; no prefix key, status line or clipboard stands between a program and its keys.
 * `-q`: an option that this tmux does not know is passed over.
 */
const CONFIGURATION = `
set -gq remain-on-exit on
set -gq remain-on-exit-format ""
set -gq history-limit ${HISTORY_LINES}
set -gq status off
set -gq prefix None
set -gq default-terminal screen-256color
set -gq update-environment ""
set -gq allow-rename off
set -sq escape-time 0
set -sq exit-empty off
set -sq set-clipboard off
`;

/**
 * Bash in the view that runs tmux for us: server and clients must live in the same namespaces. It
 * reads a count and so many arguments, each ended by NUL, and answers with exit code and length in
 * bytes, a newline, and what tmux printed. Its end, also that of its input, is the server's.
 */
const RESIDENT = `
umask 077
LC_ALL=C
folder=$(mktemp -d) || exit
tmux=(tmux -u -S "$folder/socket" -f "$folder/configuration")
finish() {
  groups=$("\${tmux[@]}" list-panes -a -F '#{?pane_dead,,-#{pane_pid}}' 2>/dev/null)
  "\${tmux[@]}" kill-server 2>/dev/null
  [[ $groups ]] && kill -KILL -- $groups 2>/dev/null
  rm -rf -- "$folder"
  exit
}
trap finish TERM HUP INT
printf %s "$1" >"$folder/configuration"
unset TMUX TMUX_PANE
while IFS= read -r -d '' count; do
  args=()
  for ((; count > 0; count--)); do
    IFS= read -r -d '' word || finish
    args+=("$word")
  done
  text=$("\${tmux[@]}" "\${args[@]}" 2>&1 </dev/null; printf .%s "$?")
  code=\${text##*.} text=\${text%.*}
  printf '%s %s\\n%s' "$code" "\${#text}" "$text"
done
finish`;

/** What tmux said to one command. */
export interface TmuxAnswer {
  readonly code: number;
  /** Standard output and error together. */
  readonly text: string;
}

/** A tmux server that only this session can reach, and that ends with it. */
export class TmuxServer {
  readonly #child: OpenProcess;
  readonly #requests: WritableStreamDefaultWriter<Uint8Array>;
  readonly #turns: Turns = createTurns();
  readonly #answers = new AnswerReader();
  #alive = true;

  private constructor(child: OpenProcess) {
    this.#child = child;
    this.#requests = child.stdin.getWriter();
    new Pipe(child.stdout, (bytes) => this.#answers.write(bytes));
    // What it says of itself shows in tmux's answers; unread it would fill the pipe.
    new Pipe(child.stderr, () => {});
    child.status.then(() => {
      this.#alive = false;
      // Else its descriptor stays; that nobody reads any more is no news.
      this.#requests.close().catch(() => {});
    });
  }

  /**
   * Starts it; the first window makes tmux's own process.
   * @throws {CommandError} where bash cannot be started.
   */
  static async start(commands: Commands): Promise<TmuxServer> {
    const argv = [
      "bash",
      "--noprofile",
      "--norc",
      "-c",
      RESIDENT,
      "cordon",
      CONFIGURATION,
    ] as const;
    return new TmuxServer(await commands.open([...argv], { cwd: commands.shell.workspace }));
  }

  /** False once it has ended. */
  get alive(): boolean {
    return this.#alive;
  }

  /**
   * Runs one tmux command; they run in the order in which they are asked.
   * @throws {CommandError} where tmux does not answer; the server is gone then.
   */
  async ask(...args: readonly string[]): Promise<TmuxAnswer> {
    return await this.#turns.take("tmux", () => this.#askNow(args));
  }

  async #askNow(args: readonly string[]): Promise<TmuxAnswer> {
    const answer = this.#answers.next();
    await this.#send([String(args.length), ...args]);
    using limit = after(ANSWER_LIMIT_MS);
    const ended = this.#child.status.then(() => undefined);
    const first = await Promise.race([answer, ended, limit.passed]);
    if (first) return first;
    await this.#child.kill();
    throw new CommandError(`Cannot run tmux ${args[0]}: its server has ended or does not answer`);
  }

  async #send(words: readonly string[]): Promise<void> {
    try {
      await this.#requests.write(
        new TextEncoder().encode(words.map((word) => `${word}\0`).join("")),
      );
    } catch (error) {
      // It has ended, which its status tells.
      if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
    }
  }
}

/** Puts answers together from bytes as they come. */
class AnswerReader {
  #held = new Uint8Array(0);
  #waiting: ((answer: TmuxAnswer) => void) | undefined;

  next(): Promise<TmuxAnswer> {
    const { promise, resolve } = Promise.withResolvers<TmuxAnswer>();
    this.#waiting = resolve;
    return promise;
  }

  write(bytes: Uint8Array): void {
    const all = new Uint8Array(this.#held.length + bytes.length);
    all.set(this.#held);
    all.set(bytes, this.#held.length);
    this.#held = all;
    const head = all.indexOf(NEWLINE);
    if (head < 0) return;
    const decoder = new TextDecoder();
    const [code = 0, length = 0] = decoder.decode(all.subarray(0, head)).split(" ").map(Number);
    const end = head + 1 + length;
    if (all.length < end) return;
    this.#held = all.slice(end);
    this.#waiting?.({ code, text: decoder.decode(all.subarray(head + 1, end)) });
    this.#waiting = undefined;
  }
}

const NEWLINE = 10;
