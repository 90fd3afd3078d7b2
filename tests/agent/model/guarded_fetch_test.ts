import { deepStrictEqual } from "node:assert/strict";
import { canConnect } from "../../../agent/model/guarded_fetch.ts";

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
