import type { PromptExtras } from "../attach_mentions.ts";
import type { Choice, Desk } from "./desk.ts";

/** A command that a person gives after a slash. */
export interface SlashCommand {
  /** Without the slash; a sub-folder of a person's own commands is a part before a colon. */
  readonly name: string;
  /** What may stand behind the name, as `[NAME]`; empty: nothing. */
  readonly hint: string;
  /** What it does, in one line. */
  readonly description: string;
  /** Where it comes from. */
  readonly origin: "built-in" | "user" | "project" | "skill" | "mcp";
  /** It only tells, so that it may be given while the agent works. */
  readonly anytime?: true;
  /** Not shown in lists: another name of a command that is. */
  readonly alias?: true;
  /** What could follow the name. */
  arguments?(desk: Desk): Promise<readonly Choice[]> | readonly Choice[];
  /**
   * Does it; `argument` is what stands behind the name, blanks around it cut. `extras` goes with what
   * becomes a task, as images that were pasted.
   * @throws {UsageError} for an argument that cannot be used, as a sentence for the person.
   */
  run(argument: string, desk: Desk, extras: PromptExtras): Promise<void> | void;
}
