import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { createDialer } from "../../../sandbox/egress/dial.ts";
import type { EgressEvent } from "../../../sandbox/egress/events.ts";
import { egressGate } from "../../../sandbox/egress/permission.ts";
import { createStreamingFetch } from "../../../sandbox/egress/streaming_fetch.ts";

/** A server of this machine, and a fetch that may reach it alone. */
function world(handler: (request: Request) => Response | Promise<Response>) {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, handler);
  const host = `localhost:${server.addr.port}`;
  const events: EgressEvent[] = [];
  const fetch = createStreamingFetch({
    gate: egressGate({ rules: { allow: [host] } }),
    log: (event) => events.push(event),
    dialer: createDialer({ granted: [host] }),
  });
  return {
    ...{ fetch, events, port: server.addr.port, url: `http://${host}/` },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test("a body comes as the server sends it", async () => {
  const second = Promise.withResolvers<void>();
  await using server = world(() =>
    new Response(ReadableStream.from((async function* () {
      yield new TextEncoder().encode("one");
      await second.promise;
      yield new TextEncoder().encode("two");
    })()))
  );
  const response = await server.fetch(server.url);
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  deepStrictEqual(await reader?.read(), { done: false, value: "one" });
  // Whoever waited for the whole body would wait here for ever.
  second.resolve();
  deepStrictEqual(await reader?.read(), { done: false, value: "two" });
  strictEqual((await reader?.read())?.done, true);
  deepStrictEqual(server.events.map(({ type }) => type), ["opened", "closed"]);
});

Deno.test("a request is sent as it was given", async () => {
  await using server = world(async (request) =>
    Response.json({
      method: request.method,
      type: request.headers.get("content-type"),
      mine: request.headers.get("x-mine"),
      cookie: request.headers.get("cookie"),
      body: await request.text(),
    }, { status: 201, headers: { "set-cookie": "a=b" } })
  );
  const init = {
    method: "POST",
    headers: { "x-mine": "1" },
    body: new URLSearchParams({ a: "b" }),
  };
  for (let i = 0; i < 2; i++) {
    const response = await server.fetch(`http://127.0.0.1:${server.port}/x`, init);
    strictEqual(response.status, 201);
    deepStrictEqual(await response.json(), {
      method: "POST",
      type: "application/x-www-form-urlencoded;charset=UTF-8",
      mine: "1",
      cookie: null,
      body: "a=b",
    });
  }
});

Deno.test("what the rules refuse is not reached, and a redirect is an answer", async (t) => {
  await using server = world((request) =>
    new URL(request.url).pathname === "/away"
      ? Response.redirect("http://elsewhere.test/", 302)
      : new Response(null, { status: 204 })
  );
  await t.step("another port", async () => {
    await rejects(server.fetch("http://localhost:1/"), {
      name: "TypeError",
      message: /^Cannot reach "localhost:1": this port is not granted/,
    });
  });
  await t.step("another host", async () => {
    await rejects(server.fetch("https://elsewhere.test/"), { message: /not on the list/ });
  });
  await t.step("a redirect", async () => {
    const response = await server.fetch(`${server.url}away`);
    strictEqual(response.status, 302);
    strictEqual(response.headers.get("location"), "http://elsewhere.test/");
    await response.body?.cancel();
  });
  await t.step("an answer without body", async () => {
    const response = await server.fetch(server.url);
    deepStrictEqual([response.status, response.body], [204, null]);
  });
});

Deno.test("it ends with its signal and with its reader", async (t) => {
  const silent = () => new Response(new ReadableStream({ start() {} }));
  await t.step("a signal that is raised", async () => {
    await using server = world(silent);
    const stop = new AbortController();
    const response = await server.fetch(server.url, { signal: stop.signal });
    const reading = response.text();
    stop.abort(new Error("stopped"));
    await rejects(reading, { message: "stopped" });
  });
  await t.step("a body that nobody wants", async () => {
    await using server = world(silent);
    const response = await server.fetch(server.url);
    await response.body?.cancel();
    deepStrictEqual(server.events.map(({ type }) => type), ["opened", "closed"]);
  });
});
