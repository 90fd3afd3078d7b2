import { deepStrictEqual, rejects } from "node:assert/strict";
import { createModel } from "../../../agent/model/connect.ts";
import type { ModelEvent } from "../../../agent/model/model.ts";
import { modelServer, type Reply } from "../../helpers/model_server.ts";
import { chatStream, sse } from "../../helpers/model_streams.ts";
import { ask, options, request } from "./asking.ts";

function error(
  status: number,
  message = "no",
  code?: string,
  headers?: Record<string, string>,
): Reply {
  return { status, body: { error: { message, code } }, ...(headers ? { headers } : {}) };
}

Deno.test("a refused request", async (t) => {
  const cases: [name: string, replies: Reply[], kind: string | undefined, requests: number][] = [
    ...[400, 401, 402, 403, 404, 422].map((status): [string, Reply[], string, number] => [
      `${status} is not asked again`,
      [error(status)],
      { 401: "credentials", 403: "credentials", 404: "model_unavailable" }[status] ?? "failed",
      1,
    ]),
    ...[408, 409, 429, 500, 502, 503].map((status): [string, Reply[], undefined, number] => [
      `${status} is asked again`,
      [error(status), { text: "ok" }],
      undefined,
      2,
    ]),
    ["five failures are the end", Array(5).fill(error(503)), "try_later", 5],
    ["five torn answers are the end", Array(5).fill({ raw: [] }), "try_later", 5],
    ["five odd answers are the end", Array(5).fill({ raw: [sse("1")] }), "failed", 5],
    ["a long wait is the end", [error(429, "no", "x", { "retry-after": "61" })], "try_later", 1],
    [
      "a conversation that is too long",
      [error(400, "no", "context_length_exceeded")],
      "context_overflow",
      1,
    ],
    ["a model that is not there", [error(404, "no", "model_not_found")], "model_unavailable", 1],
    [
      "an error event that names a lasting error",
      [
        { raw: [sse({ error: { message: "bad", code: "invalid_prompt" } })] },
      ],
      "failed",
      1,
    ],
    [
      "a page for people",
      [
        {
          status: 200,
          body: "<h1>Hi</h1>",
          headers: { "content-type": "text/html; charset=utf-8" },
        },
      ],
      "configuration",
      1,
    ],
    ["an answer that is no stream", [{ status: 200, body: { choices: [] } }], "configuration", 1],
    [
      "an error with a good status",
      [
        { status: 200, body: { error: { message: "m", code: 503 } } },
        { text: "ok" },
      ],
      undefined,
      2,
    ],
  ];
  for (const [name, replies, kind, requests] of cases) {
    await t.step(name, async () => {
      await using server = await modelServer(replies);
      const outcome = await ask(options(server));
      deepStrictEqual([outcome.error?.kind, outcome.answer?.text], [kind, kind ? undefined : "ok"]);
      deepStrictEqual(server.requests.length, requests);
    });
  }
});

Deno.test("a retry waits as long as the server asks, and is told", async () => {
  await using server = await modelServer([
    error(429, "slow down.", undefined, { "retry-after-ms": "1500" }),
    error(503, "busy"),
    { text: "ok" },
  ]);
  deepStrictEqual((await ask(options(server))).events.slice(0, 2), [
    { type: "retry", attempt: 1, delayMs: 1_500, reason: "429: slow down" },
    { type: "retry", attempt: 2, delayMs: 1_998, reason: "503: busy" },
  ]);
});

Deno.test("a refusal is told in one sentence, without the key", async () => {
  await using server = await modelServer([
    error(401, "Incorrect API key provided: sk-secret.\nSee x"),
  ]);
  const connect = { ...options(server, { keyVariable: "SOME_KEY" }), apiKey: "sk-secret" };
  const outcome = await ask(connect);
  deepStrictEqual(
    outcome.error?.message,
    `Cannot use "${server.url}": the key in SOME_KEY was refused ` +
      "(401: Incorrect API key provided: [key]. See x)",
  );
  deepStrictEqual(outcome.error?.options.status, 401);
});

Deno.test("the dialect of a server is learned once", async (t) => {
  const gone = error(404, "Not Found");
  const other = error(
    400,
    "This model is only supported in v1/responses and not in v1/chat/completions",
  );
  const chat = "/v1/chat/completions";
  const responses = "/v1/responses";
  const cases: [
    name: string,
    provider: Parameters<typeof options>[1],
    replies: Reply[],
    paths: string[],
  ][] = [
    ["the other protocol where there is no such path", { wire: "auto" }, [gone, { text: "a" }, {
      text: "b",
    }], [chat, responses, responses]],
    ["the other protocol where the server names it", { wire: "auto" }, [other, { text: "a" }, {
      text: "b",
    }], [chat, responses, responses]],
    ["no other protocol where the first one answers", { wire: "auto" }, [{ text: "a" }, {
      text: "b",
    }], [chat, chat]],
    ["stream_options are left out where they are refused", {}, [
      error(400, "unknown field stream_options"),
      { text: "a" },
      { text: "b" },
    ], [chat, chat, chat]],
    ["encrypted reasoning is left out where it is refused", { wire: "responses" }, [
      error(400, "Encrypted content is not supported with this model"),
      { text: "a" },
      { text: "b" },
    ], [responses, responses, responses]],
    ["the other spelling of the limit", { maxOutputTokens: 9 }, [
      error(400, "Unsupported parameter: 'max_tokens', use 'max_completion_tokens' instead"),
      { text: "a" },
      { text: "b" },
    ], [chat, chat, chat]],
  ];
  for (const [name, provider, replies, paths] of cases) {
    await t.step(name, async () => {
      await using server = await modelServer(replies);
      const model = createModel(options(server, provider));
      const texts: string[] = [];
      for (let turn = 0; turn < 2; turn++) {
        const events = await Array.fromAsync(model.ask(request(), new AbortController().signal));
        texts.push(
          ...events.flatMap((event) => event.type === "answer" ? [event.message.text] : []),
        );
        deepStrictEqual(events.filter(({ type }) => type === "retry"), []);
      }
      deepStrictEqual(texts, ["a", "b"]);
      deepStrictEqual(server.requests.map(({ path }) => path), paths);
      const [before, after] = server.requests.slice(-3).map(({ body }) => Object.keys(body).sort());
      if (replies.length === 3) deepStrictEqual(before?.join() === after?.join(), false);
    });
  }
  await t.step("a refusal by both protocols is the first one", async () => {
    await using server = await modelServer([error(404, "no chat"), error(404, "no responses")]);
    const { error: refusal } = await ask(options(server, { wire: "auto" }));
    deepStrictEqual([refusal?.kind, refusal?.message], [
      "model_unavailable",
      `Cannot use model "m1" at "${server.url}": 404: no chat`,
    ]);
  });
  await t.step("no spelling is tried twice", async () => {
    await using server = await modelServer([
      error(400, "'max_tokens' is unknown, use max_completion_tokens"),
      error(400, "'max_completion_tokens' is unknown, use max_tokens"),
    ]);
    const { error: refusal } = await ask(options(server, { maxOutputTokens: 9 }));
    deepStrictEqual(refusal?.kind, "failed");
  });
  await t.step("a missing model is no reason to try the other protocol", async () => {
    await using server = await modelServer([
      error(404, 'model "m1" not found, try pulling it first'),
    ]);
    deepStrictEqual(
      (await ask(options(server, { wire: "auto" }))).error?.kind,
      "model_unavailable",
    );
  });
  await t.step("a chosen protocol is kept", async () => {
    await using server = await modelServer([gone]);
    deepStrictEqual((await ask(options(server))).error?.kind, "model_unavailable");
  });
});

Deno.test("what is sent besides the request", async (t) => {
  const sent = async (connect: Partial<Parameters<typeof ask>[0]>, headers = {}) => {
    await using server = await modelServer([{ text: "a" }]);
    await ask({ ...options(server, { headers }), ...connect });
    return server.requests[0]?.headers ?? new Headers();
  };
  await t.step("the key as a bearer", async () => {
    deepStrictEqual((await sent({ apiKey: "sk-1" })).get("authorization"), "Bearer sk-1");
  });
  await t.step("no authorization without a key", async () => {
    deepStrictEqual((await sent({})).get("authorization"), null);
  });
  await t.step("the provider's own headers", async () => {
    deepStrictEqual((await sent({}, { "x-title": "cordon" })).get("x-title"), "cordon");
  });
  await t.step("nothing about this machine", async () => {
    const headers = await sent({});
    deepStrictEqual([...headers.keys()].filter((name) => name.startsWith("x-stainless")), []);
    deepStrictEqual(headers.get("user-agent"), "cordon");
  });
  await t.step("what the provider's headers cannot change", async () => {
    const headers = await sent({ apiKey: "sk-1" }, { accept: "*/*", authorization: "Own 1" });
    deepStrictEqual(headers.get("accept"), "text/event-stream");
    deepStrictEqual(headers.get("authorization"), "Own 1");
  });
});

Deno.test("a base URL keeps its query", async () => {
  await using server = await modelServer([{ text: "a" }]);
  const asked: string[] = [];
  const watching: typeof fetch = (input, init) => {
    asked.push(String(input));
    return fetch(input, init);
  };
  const named = { url: `${server.url}?version=1` };
  await ask({ ...options(named), fetch: watching });
  deepStrictEqual(asked, [`${server.url}/chat/completions?version=1`]);
});

Deno.test("an event that is no JSON is not told on the console", async () => {
  await using server = await modelServer([{ raw: ["data: {\n\n"] }, { text: "ok" }]);
  const { error: say } = console;
  const said: unknown[] = [];
  console.error = (...words) => said.push(words);
  try {
    deepStrictEqual((await ask(options(server))).error, undefined);
  } finally {
    console.error = say;
  }
  deepStrictEqual([said, server.requests.length], [[], 2]);
});

Deno.test("a redirect is not followed", async () => {
  await using elsewhere = await modelServer([]);
  await using server = await modelServer([
    { status: 307, headers: { location: `${elsewhere.url}/chat/completions` } },
  ]);
  const { error: refusal } = await ask({ ...options(server), apiKey: "sk-1" });
  deepStrictEqual([refusal?.kind, refusal?.message], [
    "configuration",
    `Cannot use "${server.url}": it redirects to "${elsewhere.url}/chat/completions", ` +
    "give that address if you trust it",
  ]);
  deepStrictEqual(elsewhere.requests, []);
});

Deno.test("a stream that shows no life is given up", async (t) => {
  const half = chatStream({ text: "half" }, () => "x").slice(0, 2);
  const silences: [name: string, reply: Reply][] = [
    ["nothing but comments", { raw: [": hi\n\n"], then: "hang" }],
    ["half an answer", { raw: half, then: "hang" }],
    ["half an event", { raw: [...half, "data: {"], then: "hang" }],
  ];
  for (const [name, reply] of silences) {
    await t.step(name, async () => {
      await using server = await modelServer([reply, { text: "whole" }]);
      const { events, answer } = await ask({ ...options(server), idleLimitMs: 100 });
      const retries = events.flatMap((event) => event.type === "retry" ? [event.reason] : []);
      deepStrictEqual([retries, answer?.text], [["nothing came for 0.1 s"], "whole"]);
      await server.left(1);
    });
  }
  await t.step("an answer is whole once it says why it ended", async () => {
    const raw = chatStream({ text: "whole" }, () => "x", false).slice(0, -1);
    await using server = await modelServer([{ raw, then: "hang" }]);
    const { events, answer } = await ask({ ...options(server), idleLimitMs: 100 });
    deepStrictEqual([events.filter(({ type }) => type === "retry"), answer?.text], [[], "whole"]);
  });
});

Deno.test("an interrupt", async (t) => {
  await t.step("before the request asks nothing", async () => {
    await using server = await modelServer([]);
    const asked = ask(options(server), request(), AbortSignal.abort());
    deepStrictEqual((await asked).error?.name, "AbortError");
  });
  await t.step("within the stream ends it, and keeps nothing", async () => {
    const raw = chatStream({ text: "half" }, () => "x").slice(0, 2);
    await using server = await modelServer([{ raw, then: "hang" }]);
    const stop = new AbortController();
    const seen: ModelEvent[] = [];
    const asked = createModel(options(server)).ask(request(), stop.signal);
    await rejects(async () => {
      for await (const event of asked) {
        seen.push(event);
        stop.abort(new Error("any reason"));
      }
    }, { name: "AbortError" });
    deepStrictEqual(seen, [{ type: "text_delta", text: "ha" }]);
    await server.left(1);
  });
  await t.step("by one who stops listening ends it", async () => {
    const raw = chatStream({ text: "half" }, () => "x").slice(0, 2);
    await using server = await modelServer([{ raw, then: "hang" }]);
    for await (const _ of createModel(options(server)).ask(request(), AbortSignal.any([]))) break;
    await server.left(1);
  });
  await t.step("before the first byte ends it", async () => {
    await using server = await modelServer([{ raw: [], then: "hang" }]);
    const stop = new AbortController();
    const asked = ask(options(server), request(), stop.signal);
    await server.request(1);
    stop.abort();
    deepStrictEqual((await asked).error?.name, "AbortError");
  });
  await t.step("while a retry waits ends the wait", async () => {
    await using server = await modelServer([error(429, "no", "x", { "retry-after": "60" })]);
    const stop = new AbortController();
    const { clock: _, ...connect } = options(server);
    await rejects(async () => {
      for await (const event of createModel(connect).ask(request(), stop.signal)) {
        if (event.type === "retry") stop.abort();
      }
    }, { name: "AbortError" });
  });
});

Deno.test("no server at all", async (t) => {
  /** A port on which nothing listens any more. */
  function freeUrl(): string {
    using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    return `http://127.0.0.1:${listener.addr.port}/v1`;
  }
  await t.step("is told with its address after four retries", async () => {
    const url = freeUrl();
    const { events, error: refusal } = await ask(options({ url }));
    deepStrictEqual(events.map(({ type }) => type), Array(4).fill("retry"));
    deepStrictEqual(refusal?.kind, "try_later");
    deepStrictEqual(
      refusal?.message.startsWith(`Cannot reach "${url}": tcp connect error`),
      true,
      refusal?.message,
    );
  });
  await t.step("an address that swallows connections is found out", async () => {
    const connect = {
      ...options({ url: freeUrl() }),
      fetch: (_: unknown, init?: RequestInit) =>
        new Promise<Response>((_, reject) =>
          init?.signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")))
        ),
      probe: () => Promise.resolve(false),
    };
    const { events, error: refusal } = await ask(connect);
    deepStrictEqual(events.map(({ type }) => type), Array(4).fill("retry"));
    deepStrictEqual(refusal?.message.endsWith(": nobody answers there"), true, refusal?.message);
  });
});
