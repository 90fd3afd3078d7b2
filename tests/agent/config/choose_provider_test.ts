import { deepStrictEqual, throws } from "node:assert/strict";
import { chooseProvider } from "../../../agent/config/choose_provider.ts";
import type { Config } from "../../../agent/config/schema.ts";
import type { OptionValues } from "../../../agent/command_line/options.ts";
import { ConfigurationError } from "../../../agent/json_file.ts";

const CONFIG: Config = {
  base_url: "http://top.invalid/v1",
  headers: { secret: "of top" },
  providers: {
    work: { base_url: "http://work.invalid/v1", env_key: "WORK_KEY", headers: { team: "a" } },
    ollama: { context_window: 8000 },
    empty: {},
  },
};

Deno.test("chooseProvider() picks the server, the model and what belongs to them", async (t) => {
  const cases: [
    name: string,
    options: OptionValues,
    config: Config,
    url: string | undefined,
    want: [baseUrl: string, model: string | undefined, headers: unknown],
  ][] = [
    ["nothing said", {}, {}, undefined, ["https://api.openai.com/v1", undefined, undefined]],
    [
      "the keys of no profile",
      { model: "m" },
      CONFIG,
      undefined,
      ["http://top.invalid/v1", "m", { secret: "of top" }],
    ],
    [
      "a profile before the model's name",
      { model: "work/a/b" },
      CONFIG,
      "http://env.invalid",
      ["http://work.invalid/v1", "a/b", { team: "a" }],
    ],
    [
      "a name with a slash that is no profile",
      { model: "openai/gpt" },
      CONFIG,
      undefined,
      ["http://top.invalid/v1", "openai/gpt", { secret: "of top" }],
    ],
    [
      "a flag goes before the name",
      { model: "work/m", provider: "openrouter" },
      CONFIG,
      "http://env.invalid",
      ["https://openrouter.ai/api/v1", "work/m", undefined],
    ],
    [
      "an address goes before the name",
      { model: "work/m", "base-url": "http://flag.invalid" },
      CONFIG,
      "http://env.invalid",
      ["http://flag.invalid", "work/m", { secret: "of top" }],
    ],
    [
      "a variable goes before the configured provider",
      {},
      { ...CONFIG, provider: "work", model: "m" },
      "http://env.invalid/v1/",
      ["http://env.invalid/v1", "m", { secret: "of top" }],
    ],
    [
      "the configured provider",
      {},
      { ...CONFIG, provider: "work", model: "m" },
      undefined,
      ["http://work.invalid/v1", "m", { team: "a" }],
    ],
    [
      "a profile that adds to a known server",
      { provider: "ollama", model: "q" },
      CONFIG,
      undefined,
      ["http://127.0.0.1:11434/v1", "q", undefined],
    ],
  ];
  for (const [name, options, config, url, want] of cases) {
    await t.step(name, () => {
      const { provider, model } = chooseProvider(
        options,
        config,
        (variable) => variable === "OPENAI_BASE_URL" ? url : undefined,
      );
      deepStrictEqual([provider.baseUrl, model, provider.headers], want);
    });
  }
});

Deno.test("chooseProvider() refuses", async (t) => {
  const cases: [name: string, options: OptionValues, says: RegExp][] = [
    ["an unknown name", { provider: "wrok" }, /"wrok": .*, did you mean "work"$/],
    ["a name like none", { provider: "zzzzzz" }, /there are work, ollama, empty, openai/],
    ["a profile without address", { provider: "empty" }, /has no "base_url"$/],
    ["two servers", { provider: "work", "base-url": "http://x.invalid" }, /each names a server$/],
  ];
  for (const [name, options, says] of cases) {
    await t.step(
      name,
      () =>
        throws(
          () => chooseProvider(options, CONFIG, () => undefined),
          (error) => error instanceof ConfigurationError && says.test(error.message),
        ),
    );
  }
});
