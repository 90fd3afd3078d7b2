import { type CommandConfig, FILE_WORD } from "./checks_schema.ts";
import { type Checker, SaidOnce } from "./checker.ts";
import { type EditedFile, textOfFile } from "./edited_file.ts";
import type { CheckWorld } from "./formatter.ts";
import { matcherOf } from "./matching.ts";
import { linesOf, newOnes, toldLines, withoutPlaces } from "./problem_lines.ts";
import { type CheckRun, nameOfProgram, runCheck, timeoutOf } from "./run_check.ts";

/** What a program said of a file, or of all of them, when that was looked at last. */
interface Known {
  readonly lines: readonly string[];
  /** Of the file as it was; undefined where it is about all files. */
  readonly hash: string | undefined;
}

/** Looks at all files at once. */
const ALL = "";

/** Finds problems by a program whose exit code is 0 where there are none. */
export class CommandChecker implements Checker {
  readonly #config: CommandConfig;
  readonly #world: CheckWorld;
  readonly #matches: (name: string) => boolean;
  readonly #known = new Map<string, Known>();
  readonly #failed = new SaidOnce();
  readonly #perFile: boolean;

  constructor(config: CommandConfig, world: CheckWorld) {
    this.#config = config;
    this.#world = world;
    this.#matches = matcherOf(config.match);
    this.#perFile = config.command.some((word) => word.includes(FILE_WORD));
  }

  matches({ name }: EditedFile): boolean {
    return this.#matches(name);
  }

  async before(files: readonly EditedFile[], signal: AbortSignal): Promise<void> {
    for (const path of this.#subjects(files)) {
      const hash = await this.#hashOf(path);
      const known = this.#known.get(path);
      // What was told of it is known; what commands did to other files is new with the next edit.
      if (known !== undefined && known.hash === hash) continue;
      this.#known.delete(path);
      // A file that is to be made has no problems yet.
      if (path !== ALL && hash === undefined) this.#known.set(path, { lines: [], hash });
      else this.#learn(path, hash, await this.#run(path, signal));
    }
  }

  async after(files: readonly EditedFile[], signal: AbortSignal): Promise<string[]> {
    const told: string[] = [];
    for (const path of this.#subjects(files)) {
      const before = this.#known.get(path);
      const hash = await this.#hashOf(path);
      if (path !== ALL && hash === undefined) {
        this.#known.delete(path);
        continue;
      }
      // Where nothing has changed, nothing has become wrong.
      if (path !== ALL && before !== undefined && before.hash === hash) continue;
      const run = await this.#run(path, signal);
      if (signal.aborted) return [];
      this.#learn(path, hash, run);
      told.push(...this.#told(before, run));
    }
    return told;
  }

  async [Symbol.asyncDispose](): Promise<void> {}

  #subjects(files: readonly EditedFile[]): string[] {
    return this.#perFile ? files.map(({ path }) => path) : [ALL];
  }

  async #hashOf(path: string): Promise<string | undefined> {
    return path === ALL ? undefined : (await textOfFile(this.#world.files, path))?.hash;
  }

  async #run(path: string, signal: AbortSignal): Promise<CheckRun> {
    const { command, timeout } = this.#config;
    const { commands, workspace } = this.#world;
    const program = { argv: command, timeoutMs: timeoutOf(timeout) };
    return await runCheck(program, path || undefined, commands, workspace, signal);
  }

  #learn(path: string, hash: string | undefined, run: CheckRun): void {
    if (run.ok) this.#known.set(path, { lines: linesOf(run.output), hash });
    else this.#known.delete(path);
  }

  #told(before: Known | undefined, run: CheckRun): string[] {
    const by = nameOfProgram(this.#config.command);
    if (!run.ok) return this.#failed.say(`[no diagnostics: ${by}: ${run.problem}]`);
    this.#failed.say(undefined);
    const notes = run.notes.map((note) => `[${note}]`);
    if (run.exitCode === 0 || before === undefined) return notes;
    const fresh = newOnes(before.lines, linesOf(run.output), withoutPlaces);
    return fresh.length === 0
      ? notes
      : [`[new problems after this edit, by ${by}:]\n${toldLines(fresh)}`, ...notes];
  }
}
