import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import {
  type CdpPipe,
  cdpPipe,
  messagesOf,
  pipedCommand,
} from "../../../sandbox/browser/cdp_pipe.ts";
import { startPiped } from "../../../sandbox/commands/piped_process.ts";

const ENVIRONMENT = { PATH: "/usr/local/bin:/usr/bin:/bin" };

Deno.test("messagesOf() reads what was written, however it was cut", async () => {
  const message = fc.record(
    { id: fc.integer(), text: fc.string({ unit: "grapheme" }) },
    { noNullPrototype: true },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(message),
      fc.integer({ min: 1, max: 40 }),
      async (messages, size) => {
        const text = messages.map((message) => `${JSON.stringify(message)}\0`).join("");
        const read = await Array.fromAsync(messagesOf(inPieces(text, size)));
        deepStrictEqual(read, messages);
      },
    ),
  );
});

Deno.test("messagesOf() is bounded and takes nothing but objects", async (t) => {
  await t.step("half a message at the end is none", async () => {
    deepStrictEqual(await Array.fromAsync(messagesOf(inPieces('{}\0{"a"', 3))), [{}]);
  });
  await t.step("one that does not end", async () => {
    const reading = Array.fromAsync(messagesOf(inPieces("x".repeat(100), 10), 50));
    await rejects(reading, RangeError);
  });
  for (const text of ["no json", "1", "null", '"text"']) {
    await t.step(text, async () => {
      await rejects(Array.fromAsync(messagesOf(inPieces(`${text}\0`, 4))), SyntaxError);
    });
  }
});

Deno.test("cdpPipe() talks to descriptors 3 and 4 of a program, and hears of its end", async () => {
  const script = 'IFS= read -r -d "" line <&3; printf "%s\\0" "$line" >&4; echo noise; exit 7';
  const process = startPiped(pipedCommand(["bash", "-c", script]), { environment: ENVIRONMENT });
  const pipe: CdpPipe = cdpPipe(process);
  const closed = Promise.withResolvers<string | undefined>();
  const heard = Promise.withResolvers<object>();
  pipe.onmessage = heard.resolve;
  pipe.onclose = closed.resolve;
  pipe.send({ id: 1, text: "ä\n" });
  deepStrictEqual(await heard.promise, { id: 1, text: "ä\n" });
  strictEqual(await closed.promise, undefined);
  strictEqual((await process.status).code, 7);
  match(await new Response(process.stderr).text(), /^noise\n$/);
  // To a program that has ended nothing is said, and nobody minds.
  pipe.send({});
});

Deno.test("cdpPipe() ends a program that writes no protocol", async () => {
  const script = 'printf "nonsense\\0" >&4; exec sleep 1000';
  const process = startPiped(pipedCommand(["bash", "-c", script]), { environment: ENVIRONMENT });
  const pipe = cdpPipe(process);
  const closed = Promise.withResolvers<string | undefined>();
  pipe.onclose = closed.resolve;
  match(await closed.promise ?? "", /JSON/);
  strictEqual((await process.status).signal, "SIGKILL");
  await process.stderr.cancel();
  await process.stdin.abort().catch(() => {});
});

function inPieces(text: string, size: number): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const pieces = Array.from(
    { length: Math.ceil(bytes.length / size) },
    (_, i) => bytes.subarray(i * size, (i + 1) * size),
  );
  return ReadableStream.from(pieces);
}
