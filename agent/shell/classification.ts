/**
 * Why a command may not run without a question, as a stable identifier. `denied` is refused; every
 * other code asks.
 */
export type Code =
  | "not_allowlisted"
  | "flag"
  | "redirect"
  | "substitution"
  | "expansion"
  | "assignment"
  | "sensitive_path"
  | "function_def"
  | "compound"
  | "non_terminating"
  | "syntax"
  | "denied";

/** A reason to ask. */
export type AskCode = Exclude<Code, "denied">;

/** What stands against running a command without a question. */
export interface Finding {
  readonly code: AskCode;
  /** What was found, as one clause without a final period. */
  readonly detail: string;
}

/** One simple command of a script, as far as it is visible without running it. */
export interface CommandFact {
  /** The program's name without its folder; empty when it is only known at run time. */
  readonly program: string;
  /** Its arguments after quote removal; `…` stands for what is only known at run time. */
  readonly args: readonly string[];
  /** What it destroys beyond undoing, where it does. */
  readonly destructive?: string;
  /** Paths that it replaces if they exist, as written; the caller knows whether they do. */
  readonly overwrites: readonly string[];
}

/** What every judgement tells. */
interface Judged {
  /** The script's top-level statements in their order; empty when it cannot be parsed. */
  readonly parts: readonly string[];
  /** For a person and the model: the code, a colon and the detail; empty for `allow`. */
  readonly reason: string;
  /** Every simple command that is visible, also in substitutions, functions and `sh -c`. */
  readonly commands: readonly CommandFact[];
  /** Whether any of {@linkcode commands} destroys something. */
  readonly destructive: boolean;
}

/** What the gate needs to know about a shell command before it runs. */
export type Classification =
  | Judged & { readonly decision: "allow" }
  | Judged & { readonly decision: "ask"; readonly code: AskCode }
  | Judged & {
    readonly decision: "deny";
    readonly code: "denied";
    /** What to do instead, as one sentence for the model. */
    readonly saferWay: string;
  };

/** Where a command would run; without it every absolute path counts as outside. */
export interface Place {
  /** The workspace's real path. */
  readonly workspace: string;
  /** The shell's current folder, absolute. */
  readonly cwd: string;
}
