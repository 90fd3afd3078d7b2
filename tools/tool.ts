import type * as z from "zod";
import type { Commands } from "../sandbox/commands/commands.ts";
import type { Browser, BrowserLook } from "./browser/browser.ts";
import type { ReadFiles, WriteFiles } from "../sandbox/files/files.ts";
import type { Jobs } from "../sandbox/commands/jobs.ts";
import type { Needs } from "../sandbox/rights/needs.ts";
import type { Net } from "../sandbox/net.ts";
import type { Index } from "./rag/index.ts";
import type { Schema } from "./schema.ts";
import type { PictureReading, PictureWish } from "./image/picture.ts";
import type { Children } from "./subagent/children.ts";
import type { Desktop, DesktopLook } from "./screen/desktop.ts";
import type { Screen } from "./screen/screen.ts";
import type { DocumentHint, Reading } from "./web/document.ts";

/** A part of what the model is shown. */
export type Content =
  | { readonly type: "text"; readonly text: string }
  /** An image in the session's folder, by the name that `store.save` gave. */
  | { readonly type: "image"; readonly blob: string; readonly mediaType: string };

/** The model's text as {@linkcode Content}. */
export function text(value: string): Content {
  return { type: "text", text: value };
}

/** An action the model may call by name. */
export interface Tool<A = unknown, N extends Needs = Needs, V = unknown, P = unknown> {
  readonly name: string;
  /** For the model: what it does, and when to take it. */
  readonly description: string;
  /** What the description goes on with, by the other tools that are offered. */
  describe?(others: readonly Tool[]): string;
  readonly parameters: Schema<A>;
  readonly needs: N;
  /** Whether programs of the model may call it as a function (`calls`); by default not. */
  readonly callable?: boolean;
  /** The arguments as log and events keep them, parsed or not; absent: as they are. */
  kept?(args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>>;
  /** What this call will touch, and a preview for approval; looks, never acts. */
  plan(args: A, context: LookContext<N>): Plan<P> | Promise<Plan<P>>;
  /** Acts, and resolves to a JSON value: what happened, "no" included. */
  run(args: A, context: ToolContext<N>, plan: Plan<P>): Promise<V>;
  /** Parser of a stored value, for reading a log back. */
  readonly result: Schema<V>;
  /** The model's view of a value. Pure. */
  render(value: V): Content[];
}

/** What a call would do, known before it does it. */
export interface Plan<P = unknown> {
  readonly touches: readonly Touch[];
  /** What a person sees before allowing it, as a unified diff. */
  readonly preview?: string;
  /** What `plan` worked out for `run`; only the tool itself reads it. */
  readonly prepared?: P;
}

/** One thing that a call touches; the gate judges calls by these. */
export type Touch =
  | { readonly kind: "read"; readonly path: string }
  | { readonly kind: "write"; readonly path: string }
  | { readonly kind: "command"; readonly command: string }
  /** Ends a job, whose command was judged when it was started. */
  | { readonly kind: "job"; readonly id: string }
  /** Starts a sub-agent, whose own calls are judged where it makes them. */
  | { readonly kind: "child" }
  /** Asks a host for something; the capability `net` judges it, and each that it sends us to. */
  | { readonly kind: "host"; readonly host: string }
  /** Looks at the person's screen, or acts there as they would. */
  | {
    readonly kind: "screen";
    readonly act: ScreenAct;
    /** Half a sentence. */
    readonly what: string;
    /** The title of a window, which the person may know and the model does not. */
    readonly where?: string;
  }
  /** Acts on a page; `starts`: on a browser that does not run yet. */
  | {
    readonly kind: "browser";
    readonly action: string;
    readonly starts: boolean;
    readonly of: BrowserLook["kind"];
    readonly confined: boolean;
  }
  /** Asks a program or server of somebody else to do something, of which nothing is known. */
  | {
    readonly kind: "foreign";
    readonly server: string;
    /** As the server calls it. */
    readonly tool: string;
    /** The person said in their own configuration that no yes is needed. */
    readonly allowed: boolean;
  };

/** `sensitive`: what nobody may allow for more than one call. */
export type ScreenAct = "look" | "act" | "sensitive";

/** The capabilities that `N` names, to look with. */
export type LookContext<N extends Needs> =
  & (N extends { read: readonly unknown[] } ? { readonly files: ReadFiles } : unknown)
  & UseContext<N>;

/** The capabilities that `N` names, and what every call has. */
export type ToolContext<N extends Needs> =
  & CallContext
  & (N extends { read: readonly unknown[] } ? { readonly files: ReadFiles } : unknown)
  & (N extends { write: readonly unknown[] } ? { readonly files: WriteFiles } : unknown)
  & (N extends { run: readonly unknown[] } ? { readonly commands: Commands } : unknown)
  & (N extends { net: readonly unknown[] } ? { readonly net: Net } : unknown)
  & (N extends { uses: readonly (infer U)[] } ?
      & ("journal" extends U ? { readonly journal: Journal } : unknown)
      & ("jobs" extends U ? { readonly jobs: Jobs } : unknown)
      & ("calls" extends U ? { readonly calls: Calls } : unknown)
      & ("person" extends U ? { readonly person: Person } : unknown)
      & ("children" extends U ? { readonly children: Children } : unknown)
      & ("reader" extends U ? { readonly reader: Reader } : unknown)
      & ("index" extends U ? { readonly index: Index } : unknown)
      & ("browser" extends U ? { readonly browser: Browser } : unknown)
      & ("screen" extends U ? { readonly screen: Screen } : unknown)
      & ("desktop" extends U ? { readonly desktop: Desktop } : unknown)
      & ("pictures" extends U ? { readonly pictures: Pictures } : unknown)
      & ("skills" extends U ? { readonly skills: Skills } : unknown)
    : unknown)
  & UseContext<N>;

type UseContext<N extends Needs> = N extends { uses: readonly (infer U)[] } ?
    & ("store" extends U ? { readonly store: Store } : unknown)
    & ("session" extends U ? { readonly session: SessionValues } : unknown)
    & ("browser" extends U ? { readonly browser: Pick<Browser, "look"> } : unknown)
    & ("desktop" extends U ? { readonly desktop: DesktopLook } : unknown)
    & ("model" extends U ? { readonly model: ApplyModel } : unknown)
  : unknown;

/** What every call has, whatever it needs. */
export interface CallContext {
  readonly callId: string;
  /** Raised when the person interrupts the turn. */
  readonly signal: AbortSignal;
  /** Text for the screen while the call runs; the model does not see it. */
  progress(part: string): void;
}

/** Blobs in the session's folder. */
export interface Store {
  /**
   * Keeps bytes under a name of its own; resolves to the path under which `read_file` opens it,
   * or to undefined where nothing may be written.
   */
  save(name: string, bytes: Uint8Array): Promise<string | undefined>;
}

/** Values of earlier results of this session, as the log has them. */
export interface SessionValues {
  /** The value of the latest result of a tool that was no error. */
  latest<V>(tool: { readonly name: string; readonly result: Schema<V> }): V | undefined;
}

/** Calls of other tools, each judged and run as a model's own. */
export interface Calls {
  /** The offered tools that may be called so. */
  readonly tools: readonly Tool[];
  /** Runs one; every failure is an answer, also a refusal of the gate. */
  call(name: string, args: Readonly<Record<string, unknown>>): Promise<Called>;
}

/** A tool's value, or why there is none. */
export type Called =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: string };

/** Somebody who can be asked; nothing that they say here is a yes to a call. */
export interface Person {
  /** Resolves to what they said; undefined where they gave no answer, or once the signal is raised. */
  ask(question: PersonQuestion, signal: AbortSignal): Promise<string | undefined>;
}

/** What a person is asked. */
export interface PersonQuestion {
  readonly question: string;
  /** Answers to choose from; another one may be given. */
  readonly options?: readonly string[];
  /** What no words mean. */
  readonly default?: string;
}

/** Makes text of documents that came from outside, each in a process of its own without any right. */
export interface Reader {
  /**
   * Reads one document, within bounds of time and memory.
   * @throws {Error} where no reader can be started here.
   */
  read(bytes: Uint8Array, hint: DocumentHint, signal: AbortSignal): Promise<Reading>;
}

/** Instructions for kinds of tasks that a person or a project has written. */
export interface Skills {
  /** All that the model may take, read anew, the nearest first. */
  list(): Promise<readonly SkillSummary[]>;
  /** Takes one by its name, which holds until the task ends; undefined where there is none. */
  take(name: string): Promise<SkillText | undefined>;
}

/** What is known of a skill before it is taken. */
export interface SkillSummary {
  readonly name: string;
  readonly description: string;
}

/** A skill that was taken. */
export interface SkillText extends SkillSummary {
  readonly body: string;
  /** Where its other files lie, absolute. */
  readonly folder: string;
  /** Those files, relative to the folder, as far as they are listed. */
  readonly files: readonly string[];
  /** The only tools that are left until the task ends; absent: all of them. */
  readonly allowedTools?: readonly string[];
}

/** Makes pictures that models take of image files, each in a process of its own without any right. */
export interface Pictures {
  /**
   * Makes one picture, within bounds of time and memory; where no process can be started here, the
   * answer is `unavailable`.
   */
  picture(bytes: Uint8Array, wish: PictureWish, signal: AbortSignal): Promise<PictureReading>;
}

/** Remembers a change of several files until it is whole, so that a run that dies can be undone. */
export interface Journal {
  /**
   * Keeps what is about to be changed, on the disk once this resolves; nothing may be changed
   * before. Disposing without `end` leaves the record for the next start.
   */
  begin(entries: readonly JournalEntry[]): Promise<JournalRecord>;
}

/** A change that is under way. */
export interface JournalRecord extends AsyncDisposable {
  /** The change is whole, or undone: nothing is left to do about it. */
  end(): Promise<void>;
}

/** One file of a change; without `before` it is made, without `after` it is removed. */
export interface JournalEntry {
  /** Absolute. */
  readonly path: string;
  readonly before?: { readonly bytes: Uint8Array; readonly mode: number };
  readonly after?: Uint8Array;
}

/** A configured model that merges an update into a file and does nothing else. */
export interface ApplyModel {
  /**
   * Answers one prompt.
   * @throws {Error} where no answer can be had; the message is one sentence.
   */
  complete(prompt: string): Promise<string>;
}

/** A tool as written, with its types inferred where it stands. */
export function defineTool<A, const N extends Needs, V, P = undefined>(
  tool: Tool<A, N, V, P>,
): Tool<A, N, V, P> {
  return tool;
}

/** The type that a zod schema describes. */
export type Infer<T extends z.ZodType> = z.infer<T>;
