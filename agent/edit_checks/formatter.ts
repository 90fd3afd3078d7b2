import { unifiedDiff } from "../../edit/diff.ts";
import type { Commands } from "../../sandbox/commands/commands.ts";
import type { ReadFiles } from "../../sandbox/files/files.ts";
import type { FormatterConfig } from "./checks_schema.ts";
import { type EditedFile, textOfFile } from "./edited_file.ts";
import { matcherOf } from "./matching.ts";
import { linesOf } from "./problem_lines.ts";
import { nameOfProgram, runCheck, timeoutOf } from "./run_check.ts";

/** What formatters and diagnostics work with. */
export interface CheckWorld {
  readonly files: Pick<ReadFiles, "read">;
  readonly commands: Pick<Commands, "run">;
  readonly workspace: string;
}

/** A longer diff is left out, in UTF-16 units: the file is to be read again then. */
const MAX_DIFF_CHARS = 3_000;

/** Formats files after an edit, and tells the model what that changed. */
export class Formatter {
  readonly #config: FormatterConfig;
  readonly #matches: (name: string) => boolean;

  constructor(config: FormatterConfig) {
    this.#config = config;
    this.#matches = matcherOf(config.match);
  }

  matches({ name }: EditedFile): boolean {
    return this.#matches(name);
  }

  /** Formats one file; what the model should know of it, empty where nothing changed. */
  async format(file: EditedFile, world: CheckWorld, signal: AbortSignal): Promise<string[]> {
    const { command, timeout } = this.#config;
    const before = await textOfFile(world.files, file.path);
    if (before === undefined) return [];
    const program = { argv: command, timeoutMs: timeoutOf(timeout) };
    const run = await runCheck(program, file.path, world.commands, world.workspace, signal);
    if (signal.aborted) return [];
    const after = await textOfFile(world.files, file.path);
    const told = after?.hash === before.hash ? [] : [this.#told(file, before.text, after?.text)];
    const notes = run.ok ? run.notes.map((note) => `[${note}]`) : [];
    return [...told, ...this.#failure(run), ...notes];
  }

  #told({ name }: EditedFile, before: string, after: string | undefined): string {
    const by = nameOfProgram(this.#config.command);
    if (after === undefined) return `[${by} left no text in ${name}: read it]`;
    const diff = unifiedDiff(name, before, after);
    return diff.length > MAX_DIFF_CHARS
      ? `[${name} was formatted by ${by}, which changed much of it: read it again]`
      : `[${name} was formatted by ${by}; what that changed:]\n${diff.trimEnd()}`;
  }

  #failure(run: Awaited<ReturnType<typeof runCheck>>): string[] {
    const by = nameOfProgram(this.#config.command);
    if (!run.ok) return [`[not formatted: ${by}: ${run.problem}]`];
    if (run.exitCode === 0) return [];
    const [first = ""] = linesOf(run.output);
    return [`[not formatted: ${by}: exit code ${run.exitCode}${first && `, ${first}`}]`];
  }
}
