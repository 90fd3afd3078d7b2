import { deepStrictEqual } from "node:assert/strict";
import type { Refusal } from "../../../agent/model/failure.ts";
import { parseRefusal, parseRetryAfter } from "../../../agent/model/refusal.ts";

Deno.test("parseRefusal()", async (t) => {
  const cases: [name: string, status: number | undefined, body: string, want: Partial<Refusal>][] =
    [
      [
        "reads OpenAI's shape",
        404,
        '{"error":{"message":"No such model.","code":"model_not_found"}}',
        {
          status: 404,
          sentence: "No such model",
          code: "model_not_found",
        },
      ],
      ["reads an error that is a string", 400, '{"error":"bad thing"}', { sentence: "bad thing" }],
      ["reads `detail`", 422, '{"detail":"wrong field"}', { sentence: "wrong field" }],
      ["reads `message`", 500, '{"message":"boom"}', { sentence: "boom" }],
      ["shows an unknown object as it is", 500, '{"x":1}', { sentence: '{"x":1}' }],
      ["shows the text of a page", 502, "<html><style>a{}</style><h1>Bad\n Gateway</h1></html>", {
        sentence: "Bad Gateway",
      }],
      ["says that there is no reason", 500, "", { sentence: "no reason given" }],
      ["strips what drives a terminal", 400, '{"error":"a\\u001b[2Jb"}', { sentence: "a [2Jb" }],
      ["cuts a long sentence", 400, "x".repeat(1000), { sentence: `${"x".repeat(300)}…` }],
      [
        "takes the status of an event from its code",
        undefined,
        '{"error":{"code":"server_error"}}',
        {
          status: 500,
          code: "server_error",
        },
      ],
      [
        "takes the status of an event from a number",
        undefined,
        '{"error":{"code":502,"message":"m"}}',
        {
          status: 502,
          code: "502",
          sentence: "m",
        },
      ],
      [
        "takes the status of an event from its type",
        undefined,
        '{"error":{"type":"overloaded_error"}}',
        {
          status: 503,
        },
      ],
      [
        "has no status for a code like a built-in name",
        undefined,
        '{"error":{"code":"toString"}}',
        {
          code: "toString",
        },
      ],
    ];
  for (const [name, status, body, want] of cases) {
    await t.step(name, () => {
      const got = parseRefusal(status, new Headers(), body, 0);
      const picked = Object.fromEntries(
        Object.keys(want).map((key) => [key, got[key as keyof Refusal]]),
      );
      deepStrictEqual(picked, want);
      if (want.status === undefined) deepStrictEqual(got.status, status);
    });
  }
});

Deno.test("parseRetryAfter()", async (t) => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  const cases: [name: string, headers: Record<string, string>, want: number | undefined][] = [
    ["none", {}, undefined],
    ["seconds", { "retry-after": "7" }, 7_000],
    ["parts of a second", { "retry-after": "0.5" }, 500],
    ["milliseconds win over seconds", { "retry-after-ms": "250", "retry-after": "7" }, 250],
    ["a date", { "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
    ["a date gone by", { "retry-after": "Wed, 31 Dec 2025 00:00:00 GMT" }, 0],
    ["words", { "retry-after": "soon" }, undefined],
    ["less than nothing", { "retry-after-ms": "-5" }, undefined],
  ];
  for (const [name, headers, want] of cases) {
    await t.step(name, () => deepStrictEqual(parseRetryAfter(new Headers(headers), now), want));
  }
});
