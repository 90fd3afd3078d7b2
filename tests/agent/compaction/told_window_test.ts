import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type ToldSizes, toldSizes } from "../../../agent/compaction/told_window.ts";
import { AttemptFailure, toModelError } from "../../../agent/model/failure.ts";
import type { ModelError } from "../../../agent/model/model.ts";
import { providerFor } from "../../../agent/model/provider.ts";
import { parseRefusal } from "../../../agent/model/refusal.ts";
import { REFUSALS } from "./refusals.ts";

/** The error that a model throws for a response. */
function errorFor(status: number, body: unknown): ModelError {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const failure = parseRefusal(status, new Headers(), text, 0);
  const asked = { provider: providerFor(), model: "gpt-4-32000", hasKey: true };
  return toModelError(failure, asked, new AttemptFailure(failure));
}

const BOTH: readonly (keyof ToldSizes)[] = ["window", "requested"];

Deno.test("toldSizes() reads what servers say of a conversation that is too long", async (t) => {
  for (const [requested, window] of [[140_000, 131_072], [9_001, 8_192]] as const) {
    for (const { server, status, body, tells = BOTH } of REFUSALS) {
      await t.step(`${server}, ${window} tokens`, () => {
        const error = errorFor(status, body(requested, window));
        const sizes: Required<ToldSizes> = { window, requested };
        const want: ToldSizes = Object.fromEntries(tells.map((name) => [name, sizes[name]]));
        strictEqual(error.kind, "context_overflow");
        deepStrictEqual(toldSizes(error), want);
      });
    }
  }
});

Deno.test("toldSizes() reads no size from other refusals", async (t) => {
  const cases: [status: number, message: string][] = [
    [400, "max_tokens must be at least 1"],
    [400, "Invalid value for 'temperature': 3 > 2 maximum"],
    [404, "The model 'gpt-4-32000' does not exist"],
    [429, "Limit 30000, requested 31000 tokens a minute"],
  ];
  for (const [status, message] of cases) {
    await t.step(message, () => {
      const error = errorFor(status, { error: { message } });
      strictEqual(error.kind === "context_overflow", false);
      strictEqual(toldSizes(error).window, undefined);
    });
  }
});
