import type { Plan } from "../../tools/tool.ts";
import type { Checker } from "./checker.ts";
import type { DiagnosticsConfig, FormatterConfig } from "./checks_schema.ts";
import { CommandChecker } from "./command_checker.ts";
import { type EditedFile, editedFiles } from "./edited_file.ts";
import { Formatter } from "./formatter.ts";
import { ServerChecker, type ServerWorld } from "./lsp/server_checker.ts";

/** What is done around edits: files are formatted, and new problems are told. */
export interface EditChecks extends AsyncDisposable {
  /** Runs an edit as its plan says; `notes` is what the model should know of the files now. */
  around<T>(
    plan: Plan,
    signal: AbortSignal,
    run: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly notes: readonly string[] }>;
}

/** What edit checks work with. */
export interface EditChecksParts extends ServerWorld {
  readonly format: readonly FormatterConfig[];
  readonly diagnostics: readonly DiagnosticsConfig[];
  /** The shell's folder, which relative paths of calls are about. */
  readonly cwd: () => string;
}

/** Joins formatters and checkers; nothing is started before the first edit that they are about. */
export function openEditChecks(parts: EditChecksParts): EditChecks {
  const formatters = parts.format.map((config) => new Formatter(config));
  const checkers = parts.diagnostics.map((config): Checker =>
    "lsp" in config ? new ServerChecker(config, parts) : new CommandChecker(config, parts)
  );
  return {
    async around(plan, signal, run) {
      const files = editedFiles(plan, parts.cwd(), parts.workspace);
      const checks = checkers.map((checker) => checkOf(checker, files))
        .filter((check) => check.files.length > 0);
      if (checks.length === 0 && !files.some((file) => formatters.some((f) => f.matches(file)))) {
        return { result: await run(), notes: [] };
      }
      await Promise.all(checks.map(({ checker, files }) => checker.before(files, signal)));
      const result = await run();
      if (!hasLanded(result) || signal.aborted) return { result, notes: [] };
      const notes = await formatAll(files, formatters, parts, signal);
      const told = await Promise.all(
        checks.map(({ checker, files }) => checker.after(files, signal)),
      );
      return { result, notes: [...notes, ...told.flat()] };
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(checkers.map((checker) => checker[Symbol.asyncDispose]()));
    },
  };
}

interface Check {
  readonly checker: Checker;
  readonly files: readonly EditedFile[];
}

function checkOf(checker: Checker, files: readonly EditedFile[]): Check {
  return { checker, files: files.filter((file) => checker.matches(file)) };
}

/** One after the other: two formatters of one file would not see each other's work. */
async function formatAll(
  files: readonly EditedFile[],
  formatters: readonly Formatter[],
  parts: EditChecksParts,
  signal: AbortSignal,
): Promise<string[]> {
  const notes: string[] = [];
  for (const file of files) {
    for (const formatter of formatters) {
      if (signal.aborted || !formatter.matches(file)) continue;
      notes.push(...await formatter.format(file, parts, signal));
    }
  }
  return notes;
}

/** Whether an edit's value says that it was done. */
function hasLanded(value: unknown): boolean {
  return typeof value === "object" && value !== null && "ok" in value && value.ok === true;
}
