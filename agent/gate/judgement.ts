/** What a shell command is, as far as its text tells. It only decides whether to ask. */
export type Judgement =
  /** Known to change nothing and to reach nothing outside. */
  | { readonly kind: "read_only" }
  | {
    readonly kind: "other";
    readonly reason: string;
    /** Its words, where it is proven to be one simple command. */
    readonly words?: readonly string[];
  }
  /** Destroys what the workspace holds, so it asks even where a view confines it. */
  | { readonly kind: "destructive"; readonly reason: string }
  /** Never what a task needs: refused in every mode. */
  | { readonly kind: "forbidden"; readonly reason: string; readonly saferWay: string };

/** Judges the text of a command. */
export type CommandJudge = (command: string) => Promise<Judgement>;
