import type { Commands } from "../../../sandbox/commands/commands.ts";
import { CommandError } from "../../../sandbox/commands/commands.ts";
import type { Checker } from "../checker.ts";
import { SaidOnce } from "../checker.ts";
import type { ServerConfig } from "../checks_schema.ts";
import { type EditedFile, textOfFile } from "../edited_file.ts";
import type { CheckWorld } from "../formatter.ts";
import { matcherOf } from "../matching.ts";
import { newOnes, toldLines } from "../problem_lines.ts";
import { nameOfProgram, timeoutOf } from "../run_check.ts";
import { ServerError } from "./connection.ts";
import { type Diagnostic, keyOfDiagnostic, renderDiagnostic } from "./diagnostics.ts";
import { languageIdOf } from "./language_id.ts";
import { LanguageServer } from "./language_server.ts";

/** A world in which language servers can be started. */
export interface ServerWorld extends CheckWorld {
  readonly commands: Pick<Commands, "run" | "open">;
}

type Known = ReadonlyMap<string, readonly Diagnostic[]>;

/** A server that came to nothing so often, one time after the other, is not started again. */
const MAX_FAILURES = 3;

/** Finds problems by a language server, which is started with the first edit and lives on. */
export class ServerChecker implements Checker {
  readonly #config: ServerConfig;
  readonly #world: ServerWorld;
  readonly #matches: (name: string) => boolean;
  readonly #failed = new SaidOnce();
  #server: LanguageServer | undefined;
  #failures = 0;
  #why: string | undefined;
  /** What was wrong before the edit; undefined where that is not known. */
  #before: Known | undefined;

  constructor(config: ServerConfig, world: ServerWorld) {
    this.#config = config;
    this.#world = world;
    this.#matches = matcherOf(config.match);
  }

  matches({ name }: EditedFile): boolean {
    return this.#matches(name);
  }

  async before(files: readonly EditedFile[], signal: AbortSignal): Promise<void> {
    this.#before = await this.#look(files, signal);
  }

  async after(files: readonly EditedFile[], signal: AbortSignal): Promise<string[]> {
    const by = nameOfProgram(this.#config.lsp);
    const before = this.#before;
    // Who did not answer before is not waited for twice.
    const now = before && await this.#look(files, signal);
    if (signal.aborted) return [];
    if (now === undefined) return this.#failed.say(`[no diagnostics: ${by}: ${this.#why}]`);
    this.#failed.say(undefined);
    const lines = this.#newLines(before, now);
    return lines.length === 0
      ? []
      : [`[new problems after this edit, by ${by}:]\n${toldLines(lines)}`];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]();
  }

  #newLines(before: Known | undefined, now: Known): string[] {
    const { workspace } = this.#world;
    return [...now].flatMap(([uri, diagnostics]) =>
      newOnes(before?.get(uri) ?? [], diagnostics, keyOfDiagnostic)
        .map((diagnostic) => renderDiagnostic(uri, diagnostic, workspace))
    );
  }

  /** What is wrong once the server knows these files as they are; undefined where it does not tell. */
  async #look(files: readonly EditedFile[], signal: AbortSignal): Promise<Known | undefined> {
    if (this.#failures >= MAX_FAILURES) return undefined;
    const timeoutMs = timeoutOf(this.#config.timeout);
    const late = AbortSignal.timeout(timeoutMs);
    const stopped = AbortSignal.any([signal, late]);
    try {
      const server = await this.#running();
      await raced(this.#tellAll(server, files, stopped), stopped);
      if (server.why !== undefined) throw new ServerError(server.why);
      if (stopped.aborted) throw new ServerError(`it took more than ${timeoutMs / 1000} s`);
      this.#failures = 0;
      return server.diagnostics;
    } catch (error) {
      if (!(error instanceof ServerError) && !(error instanceof CommandError)) throw error;
      if (!signal.aborted) await this.#fail(error.message);
      return undefined;
    }
  }

  async #tellAll(
    server: LanguageServer,
    files: readonly EditedFile[],
    signal: AbortSignal,
  ): Promise<void> {
    for (const { path } of files) {
      const file = await textOfFile(this.#world.files, path);
      if (file === undefined) server.close(path);
      else {
        const language = this.#config.language ?? languageIdOf(path);
        await server.look(path, file.text, language, signal);
      }
    }
  }

  /** The server as it runs; one that is gone is started again. */
  async #running(): Promise<LanguageServer> {
    if (this.#server && this.#server.why === undefined) return this.#server;
    const { lsp: [program = "", ...args], settings = {} } = this.#config;
    const { commands, workspace } = this.#world;
    const process = await commands.open([program, ...args], { cwd: workspace });
    this.#server = new LanguageServer(process, { workspace, settings });
    return this.#server;
  }

  /** A server that is slow may be quick once it has read everything; one that always is, is ended. */
  async #fail(why: string): Promise<void> {
    this.#failures++;
    const isLast = this.#failures >= MAX_FAILURES;
    this.#why = isLast ? `${why}; it is not asked again` : why;
    if (!isLast && this.#server?.why === undefined) return;
    const server = this.#server;
    this.#server = undefined;
    await server?.[Symbol.asyncDispose]();
  }
}

/** Resolves with what is awaited, or as soon as the signal is raised. */
async function raced(awaited: Promise<void>, signal: AbortSignal): Promise<void> {
  const raised = Promise.withResolvers<void>();
  const raise = () => raised.resolve();
  signal.addEventListener("abort", raise);
  if (signal.aborted) raise();
  awaited.catch(() => {});
  try {
    await Promise.race([awaited, raised.promise]);
  } finally {
    signal.removeEventListener("abort", raise);
  }
}
