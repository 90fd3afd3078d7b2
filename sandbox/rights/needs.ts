/** A folder by what it is for, and not by where it is: `session` holds spills and images. */
export type Root = "workspace" | "session";

/**
 * What a tool requires, in Deno's words with symbolic roots. The executor hands a tool the
 * capabilities for these and no others, and does not offer the tool where they are not granted.
 */
export interface Needs {
  readonly read?: readonly Root[];
  readonly write?: readonly "workspace"[];
  /** Programs by name. */
  readonly run?: readonly string[];
  /** Hosts, or `*` for what a person grants. */
  readonly net?: readonly string[];
  /** Parts of the agent that are no right of the machine. */
  readonly uses?: readonly Use[];
}

/**
 * `store`: blobs of the session; `session`: values of earlier results; `journal`: what is needed to
 * undo a change of several files after a crash; `model`: an apply model that merges an edit; `jobs`:
 * commands that go on after their call; `calls`: calls of other tools; `person`: somebody who can be
 * asked; `reader`: makes text of documents from outside; `pictures`: shows images where it can;
 * `screen`: looks at the person's screen, outside of any view; `desktop`: and acts there;
 * `browser`: pages with scripts; `search`: search engines; `index`: what can be searched; `skills`: instructions for kinds of tasks;
 * `children`: agents that work for this one.
 */
export type Use =
  | "store"
  | "session"
  | "journal"
  | "model"
  | "jobs"
  | "calls"
  | "person"
  | "reader"
  | "pictures"
  | "screen"
  | "desktop"
  | "browser"
  | "search"
  | "index"
  | "skills"
  | "children";
