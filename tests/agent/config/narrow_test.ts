import { deepStrictEqual, ok } from "node:assert/strict";
import { narrow } from "../../../agent/config/narrow.ts";
import { type Config, configSchema, PROJECT_MAY } from "../../../agent/config/schema.ts";

Deno.test("narrow() lets a project narrow what holds, and nothing else", async (t) => {
  const cases: [name: string, base: Config, project: Config, config: Config, refused: string[]][] =
    [
      ["fewer turns", { max_turns: 9 }, { max_turns: 3 }, { max_turns: 3 }, []],
      ["more turns", { max_turns: 3 }, { max_turns: 9 }, { max_turns: 3 }, ["max_turns"]],
      ["turns where none are set", {}, { max_turns: 9 }, { max_turns: 9 }, []],
      ["a shorter limit", {}, { bash_timeout_ms: 5_000 }, { bash_timeout_ms: 5_000 }, []],
      ["a longer limit than the default", {}, { bash_timeout_ms: 120_001 }, {}, [
        "bash_timeout_ms",
      ]],
      ["approval from the default", {}, { approval: "ask" }, { approval: "ask" }, []],
      ["approval as it is", { approval: "deny" }, { approval: "deny" }, { approval: "deny" }, []],
      [
        "approval back",
        { approval: "ask" },
        { approval: "on-escape" },
        { approval: "ask" },
        ["approval"],
      ],
      [
        "from ask to deny, which lets edits pass",
        { approval: "ask" },
        { approval: "deny" },
        { approval: "ask" },
        ["approval"],
      ],
      ["tools off", { tools: ["bash"] }, { tools: ["-bash"] }, { tools: ["bash", "-bash"] }, []],
      ["a tool on", {}, { tools: ["-bash", "+morph"] }, {}, ["tools"]],
      ["tools by name", { tools: ["grep"] }, { tools: ["bash"] }, { tools: ["grep"] }, ["tools"]],
      ["patch_recovery", {}, { patch_recovery: "none" }, { patch_recovery: "none" }, []],
    ];
  for (const [name, base, project, config, refused] of cases) {
    await t.step(name, () => deepStrictEqual(narrow(base, project), { config, refused }));
  }
});

Deno.test("narrow() refuses every key that is not in its table", () => {
  // A value for each key, so that a new key has to be thought of here.
  const everything: Required<Config> = {
    model: "m",
    provider: "p",
    providers: { p: { base_url: "http://x.invalid" } },
    base_url: "http://x.invalid",
    env_key: "SECRET",
    headers: { a: "b" },
    wire: "chat",
    context_window: 1000,
    max_output_tokens: 1,
    max_tokens_field: "max_tokens",
    images: false,
    prices: { input: 0, output: 0 },
    tool_format: "markdown",
    apply_model: { model: "m" },
    embeddings: { model: "m" },
    mcp: { m: { command: "server" } },
    children: { max: 1 },
    browser: { path: "/usr/bin/chromium" },
    notify: false,
    search: { engines: [{ name: "searxng", url: "http://x.invalid", env_key: "SECRET" }] },
    format: [{ match: "*.ts", command: ["fmt", "$FILE"] }],
    diagnostics: [{ match: "*.ts", lsp: ["server"] }],
    hooks: { Stop: [{ hooks: [{ command: "true" }] }] },
    tools: ["-bash"],
    approval: "ask",
    max_turns: 1,
    compact_at: false,
    bash_timeout_ms: 1,
    patch_recovery: "file",
  };
  deepStrictEqual(Object.keys(everything).sort(), Object.keys(configSchema.shape).sort());
  const { config, refused } = narrow({}, everything);
  deepStrictEqual(Object.keys(config).sort(), Object.keys(PROJECT_MAY).sort());
  ok(refused.every((key) => !Object.hasOwn(PROJECT_MAY, key)));
});
