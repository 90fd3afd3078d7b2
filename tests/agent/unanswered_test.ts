import { rejects, strictEqual } from "node:assert/strict";
import { Unanswered } from "../../agent/unanswered.ts";

/** So long that nobody would wait for it: what ends before was not ended by it. */
const FOR_EVER_MS = 2 ** 31 - 1;

/** Whether the wait is over, after all that could end it at once has had its turn. */
async function isOver(wait: Promise<void>): Promise<boolean> {
  let over = false;
  void wait.then(() => over = true);
  await new Promise((resolve) => setTimeout(resolve));
  return over;
}

Deno.test("each request is waited for, also where two have one id", async () => {
  const unanswered = new Unanswered(FOR_EVER_MS);
  strictEqual(await isOver(unanswered.none()), true);
  for (const id of [1, 1, "1"]) unanswered.came(id);
  const wait = unanswered.none();
  unanswered.answered(7);
  unanswered.answered("1");
  unanswered.answered(1);
  strictEqual(await isOver(wait), false);
  unanswered.answered(1);
  strictEqual(await isOver(wait), true);
});

Deno.test("who cannot be written to is not waited for, whatever comes still", async () => {
  const unanswered = new Unanswered(FOR_EVER_MS);
  unanswered.came(1);
  const wait = unanswered.none();
  await unanswered.written(Promise.resolve());
  strictEqual(await isOver(wait), false);
  await rejects(unanswered.written(Promise.reject(new Error("broken pipe"))), /broken pipe/);
  strictEqual(await isOver(wait), true);
  unanswered.came(2);
  strictEqual(await isOver(unanswered.none()), true);
});

Deno.test("who takes nothing any more is not waited for; who has nothing to take yet is", async () => {
  const slow = new Unanswered(1);
  slow.came(1);
  const wait = slow.none();
  for (let patience = 0; patience < 3; patience++) {
    await new Promise((resolve) => setTimeout(resolve, 2));
    strictEqual(await isOver(wait), false);
  }
  void slow.written(new Promise(() => {}));
  await wait;
});
