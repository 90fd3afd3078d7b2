import { isHostItem } from "../../../sandbox/egress/rules.ts";
import type { Option } from "../option.ts";

/** What tools and commands may do, and a server that is added. */
export const RIGHTS_OPTIONS = {
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
    each: {
      allows: isHostItem,
      says: "it is a host as docs.deno.com or localhost:3000, no URL and no address",
    },
    flagOnly: true,
  },
  "allow-read": extent("DIRS", "folders to read"),
  "allow-write": extent("DIRS", "folders to write"),
  "allow-run": extent("PROGRAMS", "programs to run"),
  "allow-net": extent("HOSTS", "hosts to reach"),
  "allow-env": extent("NAMES", "variables to read"),
  "allow-sys": extent("NAMES", "system facts to read"),
  "deny-read": extent("DIRS", "folders never to read"),
  "deny-write": extent("DIRS", "folders never to write"),
  "deny-run": extent("PROGRAMS", "programs never to run"),
  "deny-net": extent("HOSTS", "hosts never to reach"),
  "deny-env": extent("NAMES", "variables never to read"),
  "deny-sys": extent("NAMES", "system facts never to read"),
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
} as const satisfies Record<string, Option>;

/** What is granted or denied of one kind of right, by a flag alone. */
function extent(placeholder: string, help: string) {
  return { kind: "extent", placeholder, group: "rights", help, flagOnly: true } as const;
}
