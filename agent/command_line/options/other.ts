import type { Option } from "../option.ts";

/** What belongs to one sub-command, or asks about ourselves. */
export const OTHER_OPTIONS = {
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
