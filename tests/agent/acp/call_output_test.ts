import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { CallOutput } from "../../../agent/acp/call_output.ts";

Deno.test("output is told at once, and further pieces together when the editor has taken it", async () => {
  const told: [part: string, tail: string][] = [];
  const taken = Promise.withResolvers<void>();
  const output = new CallOutput((...said) => {
    told.push(said);
    return taken.promise;
  });
  strictEqual(output.any, false);
  for (const part of ["one ", "two ", "three"]) output.take(part);
  deepStrictEqual(told, [["one ", "one "]]);
  taken.resolve();
  await output.end();
  deepStrictEqual(told, [["one ", "one "], ["two three", "one two three"]]);
  strictEqual(output.any, true);
});

Deno.test("output that nobody takes is not kept whole", async () => {
  const told: string[] = [];
  const output = new CallOutput((part) => {
    told.push(part);
    return new Promise(() => {});
  });
  // 50 MB, of which the editor has taken nothing.
  for (let n = 0; n < 50; n++) output.take(`${n}`.padEnd(1024 * 1024, "x"));
  void output.end();
  await Promise.resolve();
  ok(told.every((part) => part.length < 140_000), String(told.map((part) => part.length)));
  match(told.at(-1) ?? "", /^\n\[output left out\]\n.*x$/);
});
