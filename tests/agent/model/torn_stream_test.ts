import { deepStrictEqual } from "node:assert/strict";
import fc from "fast-check";
import { createModel } from "../../../agent/model/connect.ts";
import { chatStream, responsesStream, type Said } from "../../helpers/model_streams.ts";
import { options, request } from "./asking.ts";

/** A model whose next answer is made of given bytes. */
function playback(wire: "chat" | "responses") {
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  const headers = { "content-type": "text/event-stream" };
  const fetch = () => Promise.resolve(new Response(ReadableStream.from(chunks), { headers }));
  const model = createModel({ ...options({ url: "http://127.0.0.1:1/v1" }, { wire }), fetch });
  /** The answer; undefined where the stream is found torn. */
  return async (bytes: Uint8Array<ArrayBuffer>, size: number) => {
    chunks = Array.from(
      { length: Math.ceil(bytes.length / size) },
      (_, n) => bytes.slice(n * size, (n + 1) * size),
    );
    for await (const event of model.ask(request(), new AbortController().signal)) {
      if (event.type === "retry") return undefined;
      if (event.type === "answer") return event.message;
    }
  };
}

const said: fc.Arbitrary<Said> = fc.record({
  text: fc.string({ unit: "grapheme", maxLength: 12 }),
  reasoning: fc.string({ unit: "grapheme", minLength: 1, maxLength: 6 }),
  toolCalls: fc.array(
    fc.record({
      name: fc.constantFrom("bash", "glob"),
      arguments: fc.dictionary(fc.string({ maxLength: 4 }), fc.string({ maxLength: 6 }), {
        maxKeys: 2,
      }),
    }),
    { maxLength: 2 },
  ),
});

/** The event that says why the answer ended. */
const END = {
  chat: /"finish_reason":"[a-z_]+"\}\]\}\n\n/,
  responses: /"response.completed".*\n\n/,
};

for (const wire of ["chat", "responses"] as const) {
  Deno.test(`a ${wire} stream cut at any byte is the whole answer or none`, async () => {
    const play = playback(wire);
    const encoder = new TextEncoder();
    await fc.assert(
      fc.asyncProperty(said, fc.integer({ min: 1, max: 200 }), async (words, size) => {
        const text = (wire === "chat" ? chatStream : responsesStream)(words, () => "c").join("");
        const bytes = encoder.encode(text);
        const end = END[wire].exec(text);
        const wholeAt = encoder.encode(text.slice(0, (end?.index ?? 0) + (end?.[0].length ?? 0)));
        const whole = await play(bytes, size);
        deepStrictEqual([whole?.text, whole?.toolCalls.length], [
          words.text,
          words.toolCalls?.length,
        ]);
        for (let cut = 0; cut < bytes.length; cut++) {
          const answer = await play(bytes.slice(0, cut), Math.max(cut, 1));
          // The second line break of an event may be missing: its data is whole by then.
          if (cut >= wholeAt.length || (answer && cut >= wholeAt.length - 2)) {
            deepStrictEqual(answer?.text, whole?.text);
            deepStrictEqual(answer?.toolCalls, whole?.toolCalls);
          } else deepStrictEqual(answer, undefined, `cut at ${cut} of ${bytes.length}`);
        }
      }),
      { numRuns: 4 },
    );
  });
}
