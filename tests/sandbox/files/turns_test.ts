import { deepStrictEqual, rejects } from "node:assert/strict";
import { createTurns } from "../../../sandbox/files/turns.ts";

Deno.test("work on one key runs in order, on another at once, and idle keys are forgotten", async () => {
  const turns = createTurns();
  const gate = Promise.withResolvers<void>();
  const seen: string[] = [];
  const first = turns.take("a", async () => {
    seen.push("first begins");
    await gate.promise;
    seen.push("first ends");
  });
  const second = turns.take("a", () => {
    seen.push("second");
    return Promise.resolve(2);
  });
  await turns.take("b", () => {
    seen.push("other key");
    return Promise.resolve();
  });
  deepStrictEqual([seen, turns.busy], [["first begins", "other key"], 1]);
  gate.resolve();
  deepStrictEqual([await first, await second, turns.busy], [undefined, 2, 0]);
  deepStrictEqual(seen.slice(2), ["first ends", "second"]);
});

Deno.test("work that fails fails alone", async () => {
  const turns = createTurns();
  const failing = turns.take("a", () => Promise.reject(new Error("no")));
  const next = turns.take("a", () => Promise.resolve("ran"));
  await rejects(failing, /no/);
  deepStrictEqual([await next, turns.busy], ["ran", 0]);
});
