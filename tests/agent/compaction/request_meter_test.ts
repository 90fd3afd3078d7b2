import { ok, strictEqual } from "node:assert/strict";
import { ModelWindow } from "../../../agent/compaction/model_window.ts";
import { RequestMeter } from "../../../agent/compaction/request_meter.ts";
import type { ModelRequest } from "../../../agent/model/model.ts";
import { assistant, BASH, user } from "../model/asking.ts";

function request(...texts: string[]): ModelRequest {
  return { system: "s".repeat(980), messages: texts.map(user), tools: [] };
}

Deno.test("RequestMeter", async (t) => {
  await t.step("takes four characters for a token until a server has counted", () => {
    strictEqual(new RequestMeter().tokensOf(request("u".repeat(1_000))), 500);
  });
  await t.step("is exact for what was counted, and goes by its ratio after that", () => {
    const meter = new RequestMeter();
    meter.learn(request("u".repeat(1_000)), 800);
    strictEqual(meter.tokensOf(request("u".repeat(1_000))), 800);
    strictEqual(meter.tokensOf(request("u".repeat(1_000), "v".repeat(980))), 1_200);
    strictEqual(meter.charactersFor(800), 2_000);
  });
  await t.step("counts tools, calls and their arguments, too", () => {
    const meter = new RequestMeter();
    const call = { callId: "c1", name: "bash", arguments: "x".repeat(4_000) };
    const bare = meter.tokensOf(request());
    ok(meter.tokensOf({ ...request(), tools: [BASH] }) > bare + 20);
    const called = { ...request(), messages: [assistant({ toolCalls: [call] })] };
    ok(meter.tokensOf(called) > bare + 1_000);
  });
  await t.step("believes no count that no text can have", () => {
    const meter = new RequestMeter();
    const asked = request("u".repeat(1_000));
    meter.learn(asked, 0);
    strictEqual(meter.tokensOf(asked), 500);
    meter.learn(asked, 1);
    strictEqual(meter.tokensOf(asked), 100);
    meter.learn(asked, 1_000_000);
    strictEqual(meter.tokensOf(asked), 6_000);
  });
});

Deno.test("ModelWindow", async (t) => {
  const window = (tokens?: number, maxOutputTokens?: number) =>
    new ModelWindow(
      {
        compactAt: 0.8,
        ...(tokens !== undefined && { tokens }),
        ...(maxOutputTokens !== undefined && { maxOutputTokens }),
      },
      "m1",
      undefined,
    );
  await t.step("leaves room for the longest answer, at most half", () => {
    strictEqual(window(10_000, 2_000).usable, 8_000);
    strictEqual(window(10_000, 2_000).trigger, 6_400);
    strictEqual(window(10_000, 9_999).usable, 5_000);
    strictEqual(window().trigger, undefined);
  });
  await t.step(
    "believes the server where it has less than was set, and not where it has more",
    () => {
      const set = window(10_000);
      set.refused(8_192, 9_000);
      strictEqual(set.tokens, 8_192);
      const more = window(10_000);
      more.refused(32_768, 9_000);
      strictEqual(more.tokens, 10_000);
    },
  );
  await t.step(
    "guesses where the server tells no number, and is told better by what it takes",
    () => {
      const unknown = window();
      unknown.refused(undefined, 10_000);
      strictEqual(unknown.tokens, 9_000);
      unknown.accepted(9_500);
      strictEqual(unknown.tokens, 9_500);
      unknown.refused(undefined, 9_800);
      strictEqual(unknown.tokens, 9_500);
      unknown.refused(undefined, 5_000);
      strictEqual(unknown.tokens, 4_500);
    },
  );
  await t.step("takes what the log knows of the same model alone", () => {
    const logged = (model: string) =>
      new ModelWindow({ compactAt: false }, "m1", { model, tokens: 5_000 });
    strictEqual(logged("m1").tokens, 5_000);
    strictEqual(logged("m2").tokens, undefined);
    strictEqual(logged("m1").trigger, 4_500);
  });
});
