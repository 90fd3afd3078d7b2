/** An option as data: the parser, help, completions and environment variables are made from it. */
export type Option =
  & {
    readonly short?: string;
    readonly help: string;
    readonly group: "task" | "model" | "output" | "session" | "rights" | "other";
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
    | { readonly kind: "list"; readonly placeholder: string }
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

/** What a timer of JavaScript can wait for: 2^31 - 1 milliseconds, some 24 days, in seconds. */
const MAX_TIMER_SECONDS = 2_147_483;

/** Every option, once. */
export const OPTIONS = {
  print: {
    kind: "toggle",
    short: "p",
    group: "task",
    help: "answer and exit, for scripts",
    flagOnly: true,
  },
  cd: { kind: "text", placeholder: "DIR", short: "C", group: "task", help: "work in this folder" },
  image: {
    kind: "list",
    placeholder: "FILE",
    short: "i",
    group: "task",
    help: "attach an image to the prompt",
  },
  "max-turns": {
    kind: "number",
    placeholder: "N",
    minimum: 1,
    maximum: 1_000_000,
    integer: true,
    group: "task",
    help: "stop after N turns",
  },
  timeout: {
    kind: "number",
    placeholder: "SECONDS",
    minimum: 0.001,
    maximum: MAX_TIMER_SECONDS,
    group: "task",
    help: "stop after this time",
  },
  "max-budget-usd": {
    kind: "number",
    placeholder: "USD",
    minimum: 0,
    maximum: 1_000_000,
    group: "task",
    help: "stop when this much is spent",
  },

  model: {
    kind: "text",
    placeholder: "NAME",
    short: "m",
    group: "model",
    help: "model to ask; scripted:FILE plays a script",
  },
  "base-url": {
    kind: "text",
    placeholder: "URL",
    group: "model",
    help: "any OpenAI-compatible server",
    instead: "provider",
  },
  provider: {
    kind: "text",
    placeholder: "NAME",
    group: "model",
    help: "server by name, as openai, ollama or a configured one",
    instead: "base-url",
  },
  wire: {
    kind: "choice",
    choices: ["auto", "chat", "responses"],
    group: "model",
    help: "API that the server speaks",
  },
  "tool-format": {
    kind: "choice",
    choices: ["native", "markdown"],
    group: "model",
    help: "markdown: for models without function calling",
  },
  "context-window": {
    kind: "number",
    placeholder: "TOKENS",
    minimum: 1000,
    maximum: 1_000_000_000,
    integer: true,
    group: "model",
    help: "size of the model's window",
  },
  "max-output-tokens": {
    kind: "number",
    placeholder: "N",
    minimum: 1,
    maximum: 1_000_000_000,
    integer: true,
    group: "model",
    help: "longest answer to ask for",
  },

  "output-format": {
    kind: "choice",
    choices: ["text", "json", "stream-json"],
    group: "output",
    help: "what stdout gets (with -p)",
  },
  output: {
    kind: "text",
    placeholder: "FILE",
    short: "o",
    group: "output",
    help: "write the last message (with -p) or the export to a file",
    flagOnly: true,
  },
  "output-schema": {
    kind: "text",
    placeholder: "FILE",
    group: "output",
    help: "JSON Schema that the answer must fit (with -p)",
    flagOnly: true,
  },
  deltas: { kind: "toggle", group: "output", help: "stream text piece by piece (stream-json)" },
  plain: {
    kind: "toggle",
    group: "output",
    help: "converse line by line, without a screen (as with TERM=dumb)",
  },
  color: {
    kind: "choice",
    choices: ["auto", "always", "never"],
    group: "output",
    help: "colour on the terminal",
  },

  continue: {
    kind: "toggle",
    short: "c",
    group: "session",
    help: "go on with the latest session of this folder",
    flagOnly: true,
  },
  resume: {
    kind: "text",
    placeholder: "ID",
    // Digits of a time and of a random part: no prompt of one word looks so.
    optional: /^(?=.*\d)[0-9a-f-]{4,}$/,
    short: "r",
    group: "session",
    help: "go on with a session (part of its name or id; none: the latest)",
    flagOnly: true,
  },
  fork: {
    kind: "toggle",
    group: "session",
    help: "go on in a copy of the resumed session",
    flagOnly: true,
  },
  at: {
    kind: "number",
    placeholder: "N",
    minimum: 1,
    maximum: 1_000_000,
    integer: true,
    group: "session",
    help: "with --fork: go back to before your Nth message",
    flagOnly: true,
  },
  "no-session": { kind: "toggle", group: "session", help: "keep no log" },
  all: {
    kind: "toggle",
    group: "session",
    help: "list the sessions of every folder",
    only: ["sessions"],
    flagOnly: true,
  },
  yes: {
    kind: "toggle",
    group: "session",
    help: "delete without asking",
    only: ["sessions"],
    flagOnly: true,
  },
  format: {
    kind: "choice",
    choices: ["md", "html", "json"],
    group: "session",
    help: "of the export; else by the file's name, else md",
    only: ["export"],
    flagOnly: true,
  },
  force: {
    kind: "toggle",
    group: "session",
    help: "let the export replace a file",
    only: ["export"],
    flagOnly: true,
  },
  replace: {
    kind: "toggle",
    group: "session",
    help: "let accept replace what has come to the file's place, and mcp add a server",
    only: ["accept", "mcp"],
    flagOnly: true,
  },
  "dry-run": {
    kind: "toggle",
    group: "session",
    help: "show what undo or redo would do, and change nothing",
    only: ["undo", "redo"],
    flagOnly: true,
  },
  keep: {
    kind: "toggle",
    group: "session",
    help: "leave the copy in which a session was replayed",
    only: ["replay"],
    flagOnly: true,
  },
  state: {
    kind: "text",
    placeholder: "DIR",
    group: "session",
    help: "folder of sessions (default $XDG_STATE_HOME/cordon)",
  },

  tools: {
    kind: "list",
    placeholder: "LIST",
    group: "rights",
    help: "tools to offer: a,b or +a,-b",
  },
  approval: {
    kind: "choice",
    choices: ["on-escape", "ask", "deny", "all"],
    group: "rights",
    help: "when a call needs a yes",
    flagOnly: true,
  },
  profile: {
    kind: "choice",
    choices: ["workspace", "plan", "egress", "container", "off"],
    group: "rights",
    help: "what commands see and reach",
    flagOnly: true,
  },
  egress: {
    kind: "list",
    placeholder: "HOSTS",
    group: "rights",
    help: "hosts that tools and commands may reach, a model's too",
    flagOnly: true,
  },
  "allow-read": {
    kind: "extent",
    placeholder: "DIRS",
    group: "rights",
    help: "folders to read",
    flagOnly: true,
  },
  "allow-write": {
    kind: "extent",
    placeholder: "DIRS",
    group: "rights",
    help: "folders to write",
    flagOnly: true,
  },
  "allow-run": {
    kind: "extent",
    placeholder: "PROGRAMS",
    group: "rights",
    help: "programs to run",
    flagOnly: true,
  },
  "allow-net": {
    kind: "extent",
    placeholder: "HOSTS",
    group: "rights",
    help: "hosts to reach",
    flagOnly: true,
  },
  "allow-env": {
    kind: "extent",
    placeholder: "NAMES",
    group: "rights",
    help: "variables to read",
    flagOnly: true,
  },
  "allow-sys": {
    kind: "extent",
    placeholder: "NAMES",
    group: "rights",
    help: "system facts to read",
    flagOnly: true,
  },
  "deny-read": {
    kind: "extent",
    placeholder: "DIRS",
    group: "rights",
    help: "folders never to read",
    flagOnly: true,
  },
  "deny-write": {
    kind: "extent",
    placeholder: "DIRS",
    group: "rights",
    help: "folders never to write",
    flagOnly: true,
  },
  "deny-run": {
    kind: "extent",
    placeholder: "PROGRAMS",
    group: "rights",
    help: "programs never to run",
    flagOnly: true,
  },
  "deny-net": {
    kind: "extent",
    placeholder: "HOSTS",
    group: "rights",
    help: "hosts never to reach",
    flagOnly: true,
  },
  "deny-env": {
    kind: "extent",
    placeholder: "NAMES",
    group: "rights",
    help: "variables never to read",
    flagOnly: true,
  },
  "deny-sys": {
    kind: "extent",
    placeholder: "NAMES",
    group: "rights",
    help: "system facts never to read",
    flagOnly: true,
  },

  network: {
    kind: "list",
    placeholder: "HOSTS",
    group: "rights",
    help: "hosts that the added MCP server may reach",
    only: ["mcp"],
    flagOnly: true,
  },
  read: {
    kind: "list",
    placeholder: "DIRS",
    group: "rights",
    help: "folders that the added MCP server may read beside the workspace",
    only: ["mcp"],
    flagOnly: true,
  },
  write: {
    kind: "list",
    placeholder: "DIRS",
    group: "rights",
    help: "folders that it may change; . is the workspace",
    only: ["mcp"],
    flagOnly: true,
  },
  env: {
    kind: "list",
    placeholder: "NAMES",
    group: "rights",
    help: "variables of yours that it gets",
    only: ["mcp"],
    flagOnly: true,
  },
  allow: {
    kind: "toggle",
    group: "rights",
    help: "let its tools be called without a yes",
    only: ["mcp"],
    flagOnly: true,
  },
  project: {
    kind: "toggle",
    group: "other",
    help: "change the project's .mcp.json instead of your own file",
    only: ["mcp"],
    flagOnly: true,
  },
  flags: {
    kind: "toggle",
    group: "other",
    help: "print the smallest deno run line for --tools",
    only: ["rights"],
    flagOnly: true,
  },
  classify: {
    kind: "toggle",
    group: "other",
    help: 'judge {"command"} lines of stdin without running them',
    only: ["rights"],
    flagOnly: true,
  },
  tier: {
    kind: "choice",
    choices: ["1", "1b", "3"],
    group: "other",
    help: "confinement that --flags is for",
    only: ["rights"],
    flagOnly: true,
  },
  help: { kind: "toggle", short: "h", group: "other", help: "show this help", flagOnly: true },
  version: { kind: "toggle", short: "V", group: "other", help: "show the version", flagOnly: true },
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof OPTIONS;

type ValueOf<O> = O extends { kind: "choice"; choices: readonly (infer C)[] } ? C
  : O extends { kind: "toggle" } ? boolean
  : O extends { kind: "text" } ? string
  : O extends { kind: "number" } ? number
  : O extends { kind: "list" } ? readonly string[]
  : O extends { kind: "extent" } ? "all" | readonly string[]
  : never;

/** The options that were given, by name. */
export type OptionValues = {
  -readonly [K in OptionName]?: ValueOf<(typeof OPTIONS)[K]>;
};

/** A sub-command: a word in the place of the prompt. */
export interface Command {
  /** What may follow, for help; absent: nothing. */
  readonly operand?: string;
  /** The words that may stand there, for completion; `sessions`: their ids. */
  readonly words?: readonly string[] | "sessions";
  readonly help: string;
}

/** Every sub-command, once. Without one, words are the prompt. */
export const COMMANDS = {
  run: { operand: "PROMPT", help: "do one task and exit (the same as -p)" },
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
  resume: { operand: "[ID]", words: "sessions", help: "go on with a session (the same as -r)" },
  trust: { help: "let this project's own configuration do more than narrow" },
  untrust: { help: "take that back" },
  doctor: { help: "look at everything that a run needs, and say what to mend" },
  mcp: {
    operand: "[list|add|remove|test|login|logout|serve]",
    words: ["list", "add", "remove", "test", "login", "logout", "serve"],
    help: "manage MCP servers, or be one for another agent",
  },
  completion: {
    operand: "bash|zsh|fish|man",
    words: ["bash", "zsh", "fish", "man"],
    help: "print completions for a shell, or the man page",
  },
  demo: { help: "watch a scripted model mend a small repository, without any key" },
  version: { help: "show the version" },
} as const satisfies Record<string, Command>;

export type CommandName = keyof typeof COMMANDS;
