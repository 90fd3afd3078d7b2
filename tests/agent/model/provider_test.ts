import { deepStrictEqual, throws } from "node:assert/strict";
import { costOf, type Provider, providerFor, PROVIDERS } from "../../../agent/model/provider.ts";

Deno.test("providerFor()", async (t) => {
  const generic: Provider = {
    name: "llm.example:8080",
    baseUrl: "http://llm.example:8080/v1",
    keyVariable: "OPENAI_API_KEY",
    keyRequired: false,
    wire: "auto",
    maxTokensField: "max_tokens",
  };
  const cases: [name: string, options: Parameters<typeof providerFor>[0], want: Provider][] = [
    ["takes OpenAI without an address", {}, PROVIDERS.openai],
    ["knows OpenAI by its host", { baseUrl: "https://api.openai.com/v1/" }, PROVIDERS.openai],
    ["knows OpenRouter", { baseUrl: "https://openrouter.ai/api/v1" }, PROVIDERS.openrouter],
    ["knows Ollama by its port, whatever the loopback is called", {
      baseUrl: "http://localhost:11434/v1",
    }, { ...PROVIDERS.ollama, baseUrl: "http://localhost:11434/v1" }],
    ["makes an unknown server a generic one", { baseUrl: "http://llm.example:8080/v1/" }, generic],
    ["lets overrides win", {
      baseUrl: "http://llm.example:8080/v1",
      overrides: { wire: "responses", contextWindow: 8_000 },
    }, { ...generic, wire: "responses", contextWindow: 8_000 }],
    ["takes the address from the overrides", {
      overrides: { baseUrl: "http://llm.example:8080/v1" },
    }, generic],
  ];
  for (const [name, options, want] of cases) {
    await t.step(name, () => deepStrictEqual(providerFor(options), want));
  }
  for (const baseUrl of ["localhost:11434", "ftp://host/v1", "", "http://"]) {
    await t.step(`refuses "${baseUrl}"`, () => {
      throws(() => providerFor({ baseUrl }), {
        kind: "configuration",
        message: `Cannot use base URL "${baseUrl}": not an address like https://host/v1`,
      });
    });
  }
});

Deno.test("costOf()", async (t) => {
  const usage = {
    inputTokens: 1_000_000,
    cachedInputTokens: 400_000,
    outputTokens: 100_000,
    reasoningTokens: 50_000,
  };
  await t.step("counts cached input once, and reasoning as output", () => {
    deepStrictEqual(costOf(usage, { input: 2, cachedInput: 0.5, output: 8 }), 1.2 + 0.2 + 0.8);
  });
  await t.step(
    "is unknown without prices",
    () => deepStrictEqual(costOf(usage, undefined), undefined),
  );
});
