import { pathToFileURL } from "node:url";
import type { OpenProcess } from "../../../sandbox/commands/open_process.ts";
import { after } from "../../../sandbox/commands/timers.ts";
import { VERSION } from "../../version.ts";
import { ServerConnection } from "./connection.ts";
import { type Diagnostic, readPublished, readReport } from "./diagnostics.ts";

/** How a server is begun. */
export interface ServerOptions {
  readonly workspace: string;
  /** What it is told when it starts, and when it asks for its configuration. */
  readonly settings: Readonly<Record<string, unknown>>;
}

interface Document {
  readonly version: number;
  readonly text: string;
  /** Whether it has been said what is wrong with this version. */
  settled: boolean;
}

/** Servers publish in several steps, as syntax before types: this long after the last one it is quiet. */
const QUIET_MS = 400;

/** How long a server may take to shut itself down, in milliseconds. */
const SHUTDOWN_MS = 1_000;

/** One run of a language server, and the files that it was told of. */
export class LanguageServer implements AsyncDisposable {
  readonly #connection: ServerConnection;
  readonly #options: ServerOptions;
  readonly #documents = new Map<string, Document>();
  readonly #diagnostics = new Map<string, readonly Diagnostic[]>();
  readonly #watchers = new Set<(uri: string, version: number | undefined) => void>();
  readonly #ready: Promise<void>;
  #pulls = false;

  constructor(process: OpenProcess, options: ServerOptions) {
    this.#options = options;
    this.#connection = new ServerConnection(process, {
      asked: (method, params) => this.#asked(method, params),
      told: (method, params) => this.#told(method, params),
    });
    this.#ready = this.#initialize();
    this.#ready.catch(() => {});
  }

  /** Why it is of no use any more, in half a sentence; undefined while it is. */
  get why(): string | undefined {
    return this.#connection.why;
  }

  /** What is known of all files, by their addresses. */
  get diagnostics(): ReadonlyMap<string, readonly Diagnostic[]> {
    return new Map(this.#diagnostics);
  }

  /**
   * Tells it a file's text, and resolves once it has said what is wrong with it.
   * @throws {ServerError} where it ends before.
   */
  async look(path: string, text: string, language: string, signal: AbortSignal): Promise<void> {
    await this.#ready;
    const uri = pathToFileURL(path).href;
    const known = this.#documents.get(uri);
    if (signal.aborted || (known?.text === text && known.settled)) return;
    const version = (known?.version ?? 0) + 1;
    const document = { version, text, settled: false };
    this.#documents.set(uri, document);
    using quiet = this.#pulls ? undefined : this.#untilQuiet(uri, version, signal);
    const textDocument = { uri, version };
    if (known === undefined) {
      const opened = { ...textDocument, languageId: language, text };
      this.#connection.tell("textDocument/didOpen", { textDocument: opened });
    } else {
      this.#connection.tell("textDocument/didChange", { textDocument, contentChanges: [{ text }] });
      this.#connection.tell("textDocument/didSave", { textDocument: { uri } });
    }
    if (quiet) {
      await Promise.race([quiet.reached, this.#connection.ended]);
      document.settled = !signal.aborted;
      return;
    }
    const report = await this.#connection.ask("textDocument/diagnostic", { textDocument: { uri } });
    const diagnostics = readReport(report);
    if (diagnostics) this.#diagnostics.set(uri, diagnostics);
    document.settled = true;
  }

  /** A file is no more. */
  close(path: string): void {
    const uri = pathToFileURL(path).href;
    if (!this.#documents.delete(uri)) return;
    this.#diagnostics.delete(uri);
    this.#connection.tell("textDocument/didClose", { textDocument: { uri } });
  }

  /** Lets it shut itself down, and ends it. */
  async [Symbol.asyncDispose](): Promise<void> {
    using patience = after(SHUTDOWN_MS);
    const asked = this.#connection.ask("shutdown", null).then(
      () => this.#connection.tell("exit", null),
      () => {},
    );
    await Promise.race([asked.then(() => this.#connection.ended), patience.passed]);
    await this.#connection.kill();
  }

  async #initialize(): Promise<void> {
    const { workspace, settings } = this.#options;
    const rootUri = pathToFileURL(workspace).href;
    const answer = await this.#connection.ask("initialize", {
      processId: null,
      clientInfo: { name: "cordon", version: VERSION },
      rootUri,
      workspaceFolders: [{ uri: rootUri, name: "workspace" }],
      initializationOptions: settings,
      capabilities: CAPABILITIES,
    });
    this.#pulls = hasPull(answer);
    this.#connection.tell("initialized", {});
    this.#connection.tell("workspace/didChangeConfiguration", { settings });
  }

  #asked(method: string, params: unknown): { readonly result: unknown } | undefined {
    switch (method) {
      case "workspace/configuration":
        return { result: sectionsOf(params).map((section) => this.#settingsOf(section)) };
      case "workspace/workspaceFolders":
      case "client/registerCapability":
      case "client/unregisterCapability":
      case "window/workDoneProgress/create":
      case "window/showMessageRequest":
      case "workspace/diagnostic/refresh":
        return { result: null };
      case "workspace/applyEdit":
        return { result: { applied: false } };
      default:
        return undefined;
    }
  }

  #told(method: string, params: unknown): void {
    if (method !== "textDocument/publishDiagnostics") return;
    const read = readPublished(params);
    if (read === undefined) return;
    this.#diagnostics.set(read.uri, read.diagnostics);
    for (const watch of this.#watchers) watch(read.uri, read.version);
  }

  #settingsOf(section: string | undefined): unknown {
    const { settings } = this.#options;
    if (section === undefined) return settings;
    return Object.hasOwn(settings, section) ? settings[section] : settings;
  }

  /** Resolves a while after the last word on this version of a file, or when the signal is raised. */
  #untilQuiet(uri: string, version: number, signal: AbortSignal) {
    const { promise: reached, resolve } = Promise.withResolvers<void>();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const done = () => resolve();
    const watch = (of: string, at: number | undefined) => {
      if (of !== uri || (at !== undefined && at < version)) return;
      clearTimeout(timer);
      timer = setTimeout(done, QUIET_MS);
    };
    this.#watchers.add(watch);
    signal.addEventListener("abort", done);
    return {
      reached,
      [Symbol.dispose]: () => {
        clearTimeout(timer);
        this.#watchers.delete(watch);
        signal.removeEventListener("abort", done);
      },
    };
  }
}

/** What we can do with what a server says. */
const CAPABILITIES = {
  workspace: { configuration: true, workspaceFolders: true, didChangeConfiguration: {} },
  textDocument: {
    synchronization: { didSave: true },
    publishDiagnostics: { versionSupport: true },
    diagnostic: {},
  },
} as const;

/** Whether a server is asked for diagnostics, and does not tell them by itself. */
function hasPull(answer: unknown): boolean {
  if (typeof answer !== "object" || answer === null || !("capabilities" in answer)) return false;
  const { capabilities } = answer;
  return typeof capabilities === "object" && capabilities !== null &&
    "diagnosticProvider" in capabilities && Boolean(capabilities.diagnosticProvider);
}

/** The sections that a server wants to know, one an item. */
function sectionsOf(params: unknown): (string | undefined)[] {
  if (typeof params !== "object" || params === null || !("items" in params)) return [];
  const { items } = params;
  if (!Array.isArray(items)) return [];
  return items.map((item) => typeof item?.section === "string" ? item.section : undefined);
}
