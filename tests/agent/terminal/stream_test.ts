import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type ByteSink, nothingOnItsWay, textStream } from "../../../agent/terminal/stream.ts";

/** What two sinks have taken; one of them waits for each write until it is let go on. */
function slowAndFast() {
  const taken: string[] = [];
  const slow = Promise.withResolvers<void>();
  const sink = (name: string, ready: Promise<void>): ByteSink => ({
    async write(bytes) {
      await ready;
      taken.push(`${name}: ${new TextDecoder().decode(bytes)}`);
      return bytes.length;
    },
  });
  return {
    taken,
    goOn: slow.resolve,
    slow: sink("slow", slow.promise),
    fast: sink("fast", Promise.resolve()),
  };
}

Deno.test("streams that share what is on its way are seen in the order of writing", async () => {
  const { taken, goOn, slow, fast } = slowAndFast();
  const onItsWay = nothingOnItsWay();
  const [answer, notes] = [textStream(slow, onItsWay), textStream(fast, onItsWay)];
  answer.write("answer");
  notes.write("done");
  goOn();
  await notes.flush();
  deepStrictEqual(taken, ["slow: answer", "fast: done"]);
});

Deno.test("streams apart do not wait for each other", async () => {
  const { taken, goOn, slow, fast } = slowAndFast();
  const [answer, notes] = [textStream(slow), textStream(fast)];
  answer.write("answer");
  notes.write("done");
  await notes.flush();
  deepStrictEqual(taken, ["fast: done"]);
  goOn();
  await answer.flush();
  deepStrictEqual(taken, ["fast: done", "slow: answer"]);
});

Deno.test("a reader that is gone holds up nobody", async () => {
  const { taken, fast } = slowAndFast();
  const onItsWay = nothingOnItsWay();
  const gone = textStream(
    { write: () => Promise.reject(new Deno.errors.BrokenPipe("gone")) },
    onItsWay,
  );
  const notes = textStream(fast, onItsWay);
  gone.write("answer");
  notes.write("done");
  await notes.flush();
  deepStrictEqual(taken, ["fast: done"]);
  strictEqual(gone.closed.aborted && !notes.closed.aborted, true);
});
