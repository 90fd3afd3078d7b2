import { deepStrictEqual } from "node:assert/strict";
import { type Failure, isRetriable, toModelError } from "../../../agent/model/failure.ts";
import { providerFor } from "../../../agent/model/provider.ts";

const asked = { provider: providerFor(), model: "m1", hasKey: true };

function refused(status: number | undefined, sentence = "no", code?: string): Failure {
  return {
    kind: "refused",
    sentence,
    ...(status === undefined ? {} : { status }),
    ...(code === undefined ? {} : { code }),
  };
}

Deno.test("isRetriable()", async (t) => {
  const cases: [failure: Failure, want: boolean][] = [
    ...[400, 401, 402, 403, 404, 413, 422].map((
      status,
    ): [Failure, boolean] => [refused(status), false]),
    ...[408, 409, 429, 500, 502, 503, 529].map((
      status,
    ): [Failure, boolean] => [refused(status), true]),
    [refused(undefined), true],
    [refused(429, "pay first", "insufficient_quota"), false],
    [refused(500, "the request exceeds the available context size"), false],
    [{ kind: "unreachable", sentence: "refused" }, true],
    [{ kind: "torn", sentence: "cut" }, true],
    [{ kind: "malformed", sentence: "odd" }, true],
    [{ kind: "misconfigured", sentence: "moved" }, false],
  ];
  for (const [failure, want] of cases) {
    await t.step(JSON.stringify(failure), () => deepStrictEqual(isRetriable(failure), want));
  }
});

Deno.test("toModelError()", async (t) => {
  const at = '"https://api.openai.com/v1"';
  const cases: [failure: Failure, kind: string, message: string][] = [
    [
      refused(401),
      "credentials",
      `Cannot use ${at}: the key in OPENAI_API_KEY was refused (401: no)`,
    ],
    [
      refused(403),
      "credentials",
      `Cannot use ${at}: the key in OPENAI_API_KEY was refused (403: no)`,
    ],
    [refused(404), "model_unavailable", `Cannot use model "m1" at ${at}: 404: no`],
    [
      refused(400, "m1 is not a valid model ID"),
      "model_unavailable",
      `Cannot use model "m1" at ${at}: 400: m1 is not a valid model ID`,
    ],
    [
      refused(400, "The model's parameter x is unknown"),
      "failed",
      `Cannot ask "m1" at ${at}: 400: The model's parameter x is unknown`,
    ],
    [
      refused(400, "too long", "context_length_exceeded"),
      "context_overflow",
      'Cannot ask "m1": the conversation is too long (400: too long)',
    ],
    [
      refused(undefined, "maximum context length is 8192 tokens"),
      "context_overflow",
      'Cannot ask "m1": the conversation is too long (maximum context length is 8192 tokens)',
    ],
    [refused(400), "failed", `Cannot ask "m1" at ${at}: 400: no`],
    [refused(429), "try_later", `Cannot ask "m1" at ${at}: 429: no`],
    [refused(503), "try_later", `Cannot ask "m1" at ${at}: 503: no`],
    [refused(429, "pay", "insufficient_quota"), "try_later", `Cannot ask "m1" at ${at}: 429: pay`],
    [
      { kind: "refused", status: 429, sentence: "slow down", retryAfterMs: 90_400 },
      "try_later",
      `Cannot ask "m1" at ${at}: the server asks to wait 91 s (429: slow down)`,
    ],
    [{ kind: "unreachable", sentence: "refused" }, "try_later", `Cannot reach ${at}: refused`],
    [{ kind: "torn", sentence: "cut" }, "try_later", `Cannot get an answer from ${at}: cut`],
    [{ kind: "malformed", sentence: "odd" }, "failed", `Cannot read the answer of ${at}: odd`],
    [{ kind: "misconfigured", sentence: "moved" }, "configuration", `Cannot use ${at}: moved`],
  ];
  for (const [failure, kind, message] of cases) {
    await t.step(JSON.stringify(failure), () => {
      const error = toModelError(failure, asked);
      deepStrictEqual([error.kind, error.message], [kind, message]);
    });
  }
  await t.step("names the variable to set where no key was given", () => {
    deepStrictEqual(
      toModelError(refused(401), { ...asked, hasKey: false }).message,
      `Cannot use ${at}: it wants a key, set OPENAI_API_KEY (401: no)`,
    );
  });
});
