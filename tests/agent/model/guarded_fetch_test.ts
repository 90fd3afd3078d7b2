import { deepStrictEqual, rejects } from "node:assert/strict";
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
