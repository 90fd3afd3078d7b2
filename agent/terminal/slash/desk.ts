import type { Content } from "../../../tools/tool.ts";
import type { View } from "../render/view.ts";
import type { Seat } from "./seat.ts";

/** Something to do for the agent, as a typed prompt or a command of the person's comes to. */
export interface TaskRequest {
  readonly content: readonly Content[];
  /** Names of the only tools that are offered, of those that are; absent: all of them. */
  readonly tools?: ReadonlySet<string>;
}

/** One of several things to choose from. */
export interface Choice {
  readonly label: string;
  readonly description?: string;
}

/**
 * What a slash command acts on: the place where a person sits, be it a screen or plain lines. All
 * that is shown may hold control characters, which the desk does not let act.
 */
export interface Desk {
  /** Who works for the person, and can be exchanged. */
  readonly seat: Seat;
  /** Shows text as it stands, a line feed between lines, none needed at the end. */
  say(text: string): void;
  /** The same for Markdown. */
  sayMarkdown(markdown: string): void;
  /** Shows lines that are drawn for the place where they are shown, and are safe to show. */
  draw(lines: (view: View) => readonly string[]): void;
  /** A sentence beside the matter, which can be missed. */
  note(line: string): void;
  /** A sentence about what could not be done, or must not be missed. */
  warn(line: string): void;
  /** Asks for a line of text; undefined where the person does not want to. */
  ask(question: string): Promise<string | undefined>;
  /** Asks for a yes; everything else is a no. */
  confirm(question: string): Promise<boolean>;
  /** Asks for one of `choices`, at least one; resolves to its index, undefined where none is wanted. */
  choose(question: string, choices: readonly Choice[]): Promise<number | undefined>;
  /**
   * Shows that something is being done until it is; the keys that stop a turn raise the signal.
   * `progress` takes output meanwhile, which need not be kept on the screen.
   */
  working<T>(label: string, act: Work<T>): Promise<T>;
  /** Lets the agent work on a request as if it had been typed; resolves when the turn has ended. */
  submit(request: TaskRequest): Promise<void>;
  /** Ends the conversation once the present command is done. */
  leave(): void;
}

/** Something that takes time. */
export type Work<T> = (signal: AbortSignal, progress: (part: string) => void) => Promise<T>;
