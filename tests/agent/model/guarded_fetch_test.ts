import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { canConnect, capAnswer } from "../../../agent/model/guarded_fetch.ts";

Deno.test("capAnswer()", async (t) => {
  const response = () => new Response(ReadableStream.from([new Uint8Array(3), new Uint8Array(2)]));
  await t.step("lets as much pass as it may", async () => {
    deepStrictEqual((await capAnswer(response(), 5).bytes()).length, 5);
  });
  await t.step("breaks where there is more", async () => {
    await rejects(capAnswer(response(), 4).bytes(), {
      failure: { kind: "malformed", sentence: "it is longer than 4 bytes" },
    });
  });
  await t.step("keeps status and headers", () => {
    const plain = capAnswer(new Response("a", { status: 203, headers: { a: "b" } }), 1);
    deepStrictEqual([plain.status, plain.headers.get("a")], [203, "b"]);
    return plain.body?.cancel();
  });
});

setFlagsFromString("--expose-gc");
/** Collects garbage. */
const collect: () => void = runInNewContext("gc");

Deno.test("capAnswer() gives an answer that an abort ends, also when garbage is collected", async () => {
  const closing = new AbortController();
  const { addr, finished } = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {}, signal: closing.signal },
    () =>
      new Response(
        new ReadableStream({ start: (controller) => controller.enqueue(new Uint8Array(1)) }),
      ),
  );
  const stop = new AbortController();
  // In a function of its own, so that no variable of the test holds what fetch answered.
  async function answer(): Promise<Response> {
    const url = `http://127.0.0.1:${addr.port}/`;
    return capAnswer(await fetch(url, { signal: stop.signal }), 10);
  }
  const ended = (await answer()).bytes().then(() => "whole", (error: Error) => error.name);
  for (let round = 0; round < 3; round++) {
    await new Promise((resolve) => setTimeout(resolve));
    collect();
  }
  stop.abort();
  // An abort that is lost shows as a read that the server's end breaks.
  const patience = setTimeout(() => closing.abort(), 10_000);
  strictEqual(await ended, "AbortError");
  clearTimeout(patience);
  closing.abort();
  await finished;
});

Deno.test("canConnect()", async (t) => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  await t.step("is true where something listens", async () => {
    const accepted = listener.accept();
    deepStrictEqual(await canConnect(new URL(`http://127.0.0.1:${port}/v1`)), true);
    (await accepted).close();
  });
  await t.step("is false where nothing does", async () => {
    listener.close();
    deepStrictEqual(await canConnect(new URL(`http://127.0.0.1:${port}/v1`)), false);
  });
});
