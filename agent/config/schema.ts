import * as z from "zod";
import { diagnosticsSchema, formatSchema } from "../edit_checks/checks_schema.ts";
import { hooksSchema } from "../hooks/hook_schema.ts";
import { ENGINES } from "../../tools/web/engines/engine.ts";
import { mcpServerSchema } from "../mcp/server_schema.ts";

const prices = z.object({
  input: z.number().nonnegative(),
  cached_input: z.number().nonnegative().optional().describe("as `input` where it is missing"),
  output: z.number().nonnegative(),
}).describe("US dollars per million tokens; without them no cost is known");

/** What may be said of a server, once for all models or once for each profile. */
const providerKeys = {
  base_url: z.url().describe("any OpenAI-compatible server, as `--base-url`"),
  env_key: z.string().min(1)
    .describe("variable that holds the key; default that of a known server, else `OPENAI_API_KEY`"),
  headers: z.record(z.string(), z.string()).describe("headers of every request"),
  wire: z.enum(["auto", "chat", "responses"]).describe("API that the server speaks, as `--wire`"),
  context_window: z.int().min(1000).describe("size of the model's window, in tokens"),
  max_output_tokens: z.int().positive().describe("longest answer to ask for, in tokens"),
  max_tokens_field: z.enum(["max_tokens", "max_completion_tokens"])
    .describe("how the server spells the limit of an answer"),
  images: z.boolean().describe("whether the model takes images"),
  prices,
};

/** The settings of one server. */
export const providerSchema = z.object(providerKeys).partial();

/** Every setting that a file may hold, described once: docs/configuration.md is made from it. */
export const configSchema = z.object({
  model: z.string().min(1)
    .describe("model to ask, as `--model`; `PROFILE/MODEL` asks a server of `providers`"),
  provider: z.string().min(1)
    .describe("profile of `providers`, or `openai`, `openrouter`, `ollama`, as `--provider`"),
  providers: z.record(z.string().regex(/^[\w.-]+$/), providerSchema)
    .describe("profiles of servers by name, each with the keys of a server below"),
  ...providerKeys,
  tool_format: z.enum(["native", "markdown"])
    .describe("`markdown`: for models without function calling"),
  apply_model: z.object({
    model: z.string().describe("as its server calls it"),
    base_url: z.url().describe("its server").optional(),
    env_key: z.string().describe("variable that holds its key").optional(),
  }).describe("model that merges edits for the tool `morph`"),
  embeddings: z.object({
    model: z.string().min(1).describe("as its server calls it"),
    base_url: z.url().describe("its server, any with `/embeddings`").optional(),
    env_key: z.string().min(1).describe("variable that holds its key").optional(),
    dimensions: z.int().min(1).max(16_384).describe("of the vectors, where one may choose")
      .optional(),
  }).describe(
    "model that makes vectors, so that the tool `rag_search` finds what is meant too; it is sent " +
      "the text of the workspace",
  ),
  search: z.object({
    engines: z.array(z.object({
      name: z.enum(ENGINES),
      url: z.url().optional(),
      env_key: z.string().min(1).optional(),
      cx: z.string().min(1).optional(),
    })).describe(
      "in the order in which they are asked, each with `name`, `url` (its server), `env_key` " +
        `(variable that holds its key), \`cx\` (of google, whose page is read in the browser without it and a key); names: ${
          ENGINES.join(", ")
        }`,
    ),
  }).describe("what the tool `web_search` asks"),
  mcp: z.record(z.string().regex(/^[\w.-]{1,40}$/), mcpServerSchema)
    .describe(
      "MCP servers by name, see [mcp.md](mcp.md); those of a trusted `.mcp.json` join them",
    ),
  format: formatSchema,
  diagnostics: diagnosticsSchema,
  hooks: hooksSchema,
  children: z.object({
    max: z.int().min(1).max(64).describe("that many work at once, others wait (4)").optional(),
    max_depth: z.int().min(1).max(4).describe("1 (the default): they have none").optional(),
  }).describe("sub-agents"),
  browser: z.object({
    path: z.string().startsWith("/").describe("a program of Chromium's family").optional(),
    cdp: z.url().describe("a running browser of yours, as `http://127.0.0.1:9222`").optional(),
  }).describe(
    "what the tool `browser` uses: `path` of a program, or `cdp` of your own browser, which is " +
      "asked for; default the first of Chromium, Chrome, Edge and lynx that is there",
  ),
  tools: z.array(z.string())
    .describe("tools to offer, as `--tools`: names replace the default set, `+name`, `-name`"),
  approval: z.enum(["on-escape", "ask", "deny"]).describe("when a call needs a yes"),
  max_turns: z.int().positive().describe("stop after so many turns"),
  compact_at: z.union([z.number().min(0.3).max(0.95), z.literal(false)]).describe(
    "share of the model's window at which older turns are summed up (0.8 where it is missing); " +
      "`false`: only when asked",
  ),
  notify: z.boolean().describe(
    "`false`: no notice when a long turn ends, or asks, while another window has the focus",
  ),
  bash_timeout_ms: z.int().min(1).max(600_000)
    .describe("default limit of a command, in milliseconds"),
  patch_recovery: z.enum(["place", "file", "none"])
    .describe("what an edit that misses shows of the file"),
}).partial();

/** Names of the settings of a server: those of a profile, and of no profile at the top. */
export const PROVIDER_KEYS: readonly string[] = Object.keys(providerKeys);

/** Settings of a person or a machine; a flag or variable beats each of them. */
export type Config = z.infer<typeof configSchema>;
export type ProviderConfig = z.infer<typeof providerSchema>;

/** How far a project's file may go before its folder is trusted; every other key does nothing. */
export type Narrowing =
  /** Any value: it widens nothing. */
  | { readonly kind: "free" }
  /** Only a smaller number than holds already; `otherwise` holds where none is set. */
  | { readonly kind: "lower"; readonly otherwise: number }
  /** Only from the first of a pair to the second; `otherwise` holds where none is set. */
  | {
    readonly kind: "stricter";
    readonly steps: readonly (readonly [from: string, to: string])[];
    readonly otherwise: string;
  }
  /** Only `-name` entries, which are added to what is set. */
  | { readonly kind: "removals" };

/** The keys by which a project may narrow what a person has set, and how. */
export const PROJECT_MAY = {
  tools: { kind: "removals" },
  // Not from ask to deny: what `ask` asks about edits, `deny` lets pass.
  approval: {
    kind: "stricter",
    steps: [["on-escape", "ask"], ["on-escape", "deny"]],
    otherwise: "on-escape",
  },
  max_turns: { kind: "lower", otherwise: Infinity },
  bash_timeout_ms: { kind: "lower", otherwise: 120_000 },
  patch_recovery: { kind: "free" },
} as const satisfies Partial<Record<keyof Config, Narrowing>>;

/** How a project may set a key before its folder is trusted; undefined: not at all. */
export function narrowingOf(key: string): Narrowing | undefined {
  const table: Readonly<Record<string, Narrowing>> = PROJECT_MAY;
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
