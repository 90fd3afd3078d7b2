import { deepStrictEqual, ok, rejects } from "node:assert/strict";
import { deserializeMessage, type JSONRPCMessage } from "@modelcontextprotocol/client";
import fc from "fast-check";
import { lines, LineTransport, MAX_MESSAGE_BYTES } from "../../../agent/mcp/line_transport.ts";

function streamOf(...chunks: Uint8Array[]): ReadableStream<Uint8Array> {
  return ReadableStream.from(chunks);
}

const bytes = (text: string) => new TextEncoder().encode(text);

Deno.test("lines() gives the same lines however the bytes are cut", async () => {
  await fc.assert(fc.asyncProperty(
    fc.array(fc.string({ unit: "grapheme" }).map((line) => line.replaceAll("\n", ""))),
    fc.array(fc.nat(40)),
    async (wanted, cuts) => {
      const whole = bytes(wanted.map((line) => `${line}\n`).join(""));
      const chunks: Uint8Array[] = [];
      let at = 0;
      for (const cut of cuts) chunks.push(whole.subarray(at, at += cut));
      deepStrictEqual(
        await Array.fromAsync(lines(streamOf(...chunks, whole.subarray(at)))),
        wanted,
      );
    },
  ));
});

Deno.test("lines() gives up on a line without end, and leaves a torn one out", async () => {
  deepStrictEqual(await Array.fromAsync(lines(streamOf(bytes("one\ntwo")))), ["one"]);
  const chunk = new Uint8Array(1024 * 1024).fill(120);
  const endless = ReadableStream.from((function* () {
    for (;;) yield chunk;
  })());
  await rejects(Array.fromAsync(lines(endless)), {
    name: "RangeError",
    message: `Cannot read a message: it has more than ${MAX_MESSAGE_BYTES} bytes`,
  });
});

/** A transport that is fed by hand; what it writes is kept. */
function handFed(answersAll: boolean) {
  const input = new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, {
    highWaterMark: 100,
  });
  const feeder = input.writable.getWriter();
  const written: string[] = [];
  const rubbish: string[] = [];
  const closed = Promise.withResolvers<void>();
  const came: JSONRPCMessage[] = [];
  const transport = new LineTransport({
    readable: input.readable,
    writable: new WritableStream({
      write: (chunk) => void written.push(new TextDecoder().decode(chunk)),
    }),
  }, { parse: deserializeMessage, answersAll, onRubbish: (line) => rubbish.push(line) });
  transport.onmessage = (message) => came.push(message);
  transport.onclose = closed.resolve;
  return { transport, feeder, written, rubbish, came, closed: closed.promise };
}

Deno.test("LineTransport passes over what is no message", async () => {
  const { transport, feeder, rubbish, came, closed } = handFed(false);
  await transport.start();
  await feeder.write(bytes('hello\n\n{"jsonrpc":"2.0","method":"x"}\n[]\n{"a":1}\n'));
  await feeder.close();
  await closed;
  deepStrictEqual(rubbish, ["hello", "[]", '{"a":1}']);
  deepStrictEqual(came, [{ jsonrpc: "2.0", method: "x" }]);
  await rejects(transport.send({ jsonrpc: "2.0", method: "y" }), { message: /is closed/ });
});

Deno.test("LineTransport answers all requests before it closes, where it shall", async () => {
  const { transport, feeder, written, closed } = handFed(true);
  let isClosed = false;
  closed.then(() => isClosed = true);
  await transport.start();
  await feeder.write(bytes('{"jsonrpc":"2.0","id":1,"method":"a"}\n'));
  await feeder.write(bytes('{"jsonrpc":"2.0","id":2,"method":"b"}\n'));
  await feeder.write(bytes(
    '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2}}\n',
  ));
  await feeder.close();
  await transport.send({ jsonrpc: "2.0", method: "notifications/message", params: {} });
  ok(!isClosed);
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  await closed;
  deepStrictEqual(written.at(-1), '{"jsonrpc":"2.0","id":1,"result":{}}\n');
});
