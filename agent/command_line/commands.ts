/** A sub-command: a word in the place of the prompt. */
export interface Command {
  /** What may follow, for help; absent: nothing. */
  readonly operand?: string;
  /** The words that may stand there, for completion; `sessions`: their ids; `files`: any file. */
  readonly words?: readonly string[] | "sessions" | "files";
  readonly help: string;
}

/** Every sub-command, once. Without one, words are the prompt. */
export const COMMANDS = {
  run: { operand: "PROMPT", help: "do one task and exit (the same as -p)" },
  batch: {
    operand: "FILE|-",
    words: "files",
    help: "do many tasks, one JSON object a line, and write down each result",
  },
  tools: { help: "list every tool, what it needs and why it is missing" },
  rights: { help: "show what this process may do, and what it runs confined by" },
  sessions: {
    operand: "[rename ID NAME|delete ID]",
    words: ["rename", "delete"],
    help: "list the sessions of this folder, or change one",
  },
  export: { operand: "ID", words: "sessions", help: "show a session as Markdown, HTML or JSON" },
  replay: {
    operand: "ID|FILE",
    words: "sessions",
    help: "run a session again in a copy of its folder, and show where results differ",
  },
  undo: { operand: "[N]", help: "put the files back to before the last task, or the last N" },
  redo: { operand: "[N]", help: "take an undo back" },
  accept: {
    operand: "[FILE]",
    help: "list what was taken out after commands, or take a file back",
  },
  worktrees: {
    operand: "[show ID|merge ID|remove ID]",
    words: ["show", "merge", "remove"],
    help: "list what sub-agents left of this folder, or see to one",
  },
  resume: { operand: "[ID]", words: "sessions", help: "go on with a session (the same as -r)" },
  trust: {
    help: "let this project's configuration do more than narrow, and git use a store elsewhere",
  },
  untrust: { help: "take that back" },
  doctor: { help: "look at everything that a run needs, and say what to mend" },
  mcp: {
    operand: "[list|add|remove|test|login|logout|serve]",
    words: ["list", "add", "remove", "test", "login", "logout", "serve"],
    help: "manage MCP servers, or be one for another agent",
  },
  acp: { help: "be the agent of an editor, over standard input and output" },
  completion: {
    operand: "bash|zsh|fish|man",
    words: ["bash", "zsh", "fish", "man"],
    help: "print completions for a shell, or the man page",
  },
  demo: { help: "watch a scripted model mend a small repository, without any key" },
  version: { help: "show the version" },
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof COMMANDS;
