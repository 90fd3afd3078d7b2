/** What each item of a list must be. */
export interface ItemRule {
  allows(item: string): boolean;
  /** Half a sentence on what one is. */
  readonly says: string;
}

/** An option as data: the parser, help, completions and environment variables are made from it. */
export type Option =
  & {
    readonly short?: string;
    readonly help: string;
    readonly group: "task" | "model" | "output" | "session" | "rights" | "batch" | "other";
    /** Widens rights or belongs to one call, so no environment variable sets it. */
    readonly flagOnly?: true;
    /** The option that says the same in another way: beside it as a flag no variable is read. */
    readonly instead?: string;
    /** Sub-commands that it is for; absent: all that run the agent. */
    readonly only?: readonly string[];
  }
  & (
    | { readonly kind: "toggle" }
    /**
     * `optional`: may stand without a value, which then is the empty text. Its value is bound by
     * `=`, or is the next word where that has this shape.
     */
    | { readonly kind: "text"; readonly placeholder: string; readonly optional?: RegExp }
    /** May be repeated; commas separate, too. */
    | { readonly kind: "list"; readonly placeholder: string; readonly each?: ItemRule }
    | {
      readonly kind: "number";
      readonly placeholder: string;
      readonly minimum: number;
      readonly maximum: number;
      readonly integer?: true;
    }
    | { readonly kind: "choice"; readonly choices: readonly string[] }
    /** `--allow-KIND` (all of it) or `--allow-KIND=A,B`; may be repeated. */
    | { readonly kind: "extent"; readonly placeholder: string }
  );
