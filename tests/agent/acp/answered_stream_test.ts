import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { AnyMessage } from "@agentclientprotocol/sdk";
import { answeredStream } from "../../../agent/acp/answered_stream.ts";

function request(id: number | null, method = "m"): AnyMessage {
  return { jsonrpc: "2.0", id, method };
}

const answer = (id: number | null): AnyMessage => ({ jsonrpc: "2.0", id, result: {} });

/** A stream in which these messages come, and then nothing more. */
function world(messages: readonly AnyMessage[], write = (_: AnyMessage) => Promise.resolve()) {
  let ended = false;
  const stream = answeredStream({
    readable: ReadableStream.from(messages),
    writable: new WritableStream({ write }),
  }, () => ended = true);
  return {
    reader: stream.readable.getReader(),
    writer: stream.writable.getWriter(),
    get ended() {
      return ended;
    },
  };
}

async function take(reader: ReadableStreamDefaultReader<AnyMessage>, count: number) {
  for (let n = 0; n < count; n++) strictEqual((await reader.read()).done, false);
}

Deno.test("the end waits for the answers to all requests", async () => {
  // What gets no answer, or one without an id, is not waited for.
  const notes = [
    { jsonrpc: "2.0", method: "note" },
    request(null),
    { jsonrpc: "1.0", id: 7, method: "m" },
    { jsonrpc: "2.0", id: {}, method: "m" },
    answer(3),
  ] as unknown as AnyMessage[];
  const world_ = world([request(1), ...notes, request(2)]);
  const { reader, writer } = world_;
  await take(reader, 7);
  const order: string[] = [];
  const end = reader.read().then(({ done }) => order.push(`done ${done}`));
  await writer.write(answer(null));
  await writer.write(request(9, "asks back"));
  await writer.write(answer(2));
  order.push("one is open");
  await writer.write(answer(1));
  await end;
  deepStrictEqual(order, ["one is open", "done true"]);
  strictEqual(world_.ended, true);
});

Deno.test("nothing is waited for where nothing can be written any more", async () => {
  const { reader, writer } = world([request(1)], () => Promise.reject(new Error("broken pipe")));
  await take(reader, 1);
  const end = reader.read();
  await writer.write(answer(1)).catch(() => {});
  strictEqual((await end).done, true);
});

Deno.test("a message is taken up before the next one comes", async () => {
  const order: string[] = [];
  const { reader } = world([request(1), { jsonrpc: "2.0", method: "note" } as AnyMessage]);
  const first = reader.read();
  // Handlers that look at a message first take their time, in ticks.
  const taken = first.then(async () => {
    for (let tick = 0; tick < 50; tick++) await Promise.resolve();
    order.push("first taken up");
  });
  const second = reader.read().then(() => order.push("second"));
  await Promise.all([taken, second]);
  deepStrictEqual(order, ["first taken up", "second"]);
});
