import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { Work } from "../../../../agent/terminal/screen/work.ts";

/** Work whose items end when a test says so. */
function handWork() {
  const begun: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<void>>();
  const work = new Work<string>(async (item) => {
    begun.push(item);
    const end = Promise.withResolvers<void>();
    ends.set(item, end);
    await end.promise;
  }, () => {});
  async function end(item: string): Promise<void> {
    ends.get(item)?.resolve();
    // What follows begins once the promises have gone through.
    await new Promise((resolve) => setTimeout(resolve));
  }
  return { work, begun, end };
}

Deno.test("Work does one thing after the other", async () => {
  const { work, begun, end } = handWork();
  for (const item of ["a", "b", "c"]) work.add(item);
  deepStrictEqual([begun, work.queue, work.isBusy], [["a"], ["b", "c"], true]);
  await end("a");
  deepStrictEqual([begun, work.queue], [["a", "b"], ["c"]]);
  await end("b");
  await end("c");
  deepStrictEqual([begun, work.isBusy], [["a", "b", "c"], false]);
});

Deno.test("Work.takeBack() gives what was added last and waits", async () => {
  const { work, end } = handWork();
  for (const item of ["a", "b", "c"]) work.add(item);
  deepStrictEqual([work.takeBack(), work.takeBack(), work.takeBack()], ["c", "b", undefined]);
  await end("a");
  strictEqual(work.isBusy, false);
});

Deno.test("Work.stop() raises the innermost signal, and says whether there was one", async () => {
  const work = new Work<string>(() => Promise.resolve(), () => {});
  strictEqual(work.stop(), false);
  const outer = Promise.withResolvers<boolean>();
  await work.stoppable(async (signal) => {
    await work.stoppable((inner) => {
      strictEqual(work.stop(), true);
      deepStrictEqual([inner.aborted, signal.aborted], [true, false]);
      return Promise.resolve();
    });
    outer.resolve(work.stop() && signal.aborted);
  });
  strictEqual(await outer.promise, true);
  strictEqual(work.stop(), false);
});

Deno.test("Work.close() waits for what runs, and does nothing that waits or comes later", async () => {
  const { work, begun, end } = handWork();
  work.add("a");
  work.add("b");
  let closed = false;
  const closing = work.close().then(() => closed = true);
  work.add("c");
  strictEqual(closed, false);
  await end("a");
  await closing;
  deepStrictEqual([begun, work.queue], [["a"], []]);
});

Deno.test("Work.failed rejects with what a thing failed of", async () => {
  const work = new Work<string>((item) => Promise.reject(new Error(item)), () => {});
  work.add("the log is lost");
  await rejects(work.failed.promise, /the log is lost/);
});
