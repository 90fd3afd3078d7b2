import type { Option } from "../option.ts";

/** What is shown and written, and in which form. */
export const OUTPUT_OPTIONS = {
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
  log: {
    kind: "text",
    placeholder: "FILE",
    group: "output",
    help: "append what happens to a file, as JSON lines, to look into a run",
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
} as const satisfies Record<string, Option>;
