import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { errorOf, failureOf } from "../../../sandbox/cell/failure.ts";

Deno.test("an error comes out of the same class, with its message and the system's name", async (t) => {
  const cases: [name: string, error: Error, type: new (message: string) => Error][] = [
    ["of the system", new Deno.errors.PermissionDenied("no"), Deno.errors.PermissionDenied],
    ["that has a name", coded(new Deno.errors.NotFound("gone"), "ENOENT"), Deno.errors.NotFound],
    ["without a class of its own", coded(new Error("full"), "ENOSPC"), Error],
    ["of the language", new RangeError("Cannot splice"), RangeError],
    ["of Node", coded(new TypeError("bad"), "ERR_INVALID_ARG_TYPE"), TypeError],
  ];
  for (const [name, error, type] of cases) {
    await t.step(name, () => {
      const back = errorOf(failureOf(error));
      ok(back instanceof type);
      deepStrictEqual(
        [back.name, back.message, "code" in back ? back.code : undefined],
        [error.name, error.message, "code" in error ? error.code : undefined],
      );
    });
  }
});

function coded(error: Error, code: string): Error {
  return Object.assign(error, { code });
}

Deno.test("an unknown class is a plain error, whatever it is called", () => {
  for (const name of ["Evil", "constructor", "__proto__", "toString", ""]) {
    const back = errorOf({ name, message: "m" });
    deepStrictEqual([back.constructor, back.message], [Error, "m"]);
  }
});

Deno.test("what is thrown and no error, and a message of a megabyte", () => {
  deepStrictEqual(failureOf("text"), { name: "Error", message: "text" });
  strictEqual(failureOf(new Error("x".repeat(1_000_000))).message.length, 4097);
  strictEqual(errorOf({ name: "Error", message: "x".repeat(1_000_000) }).message.length, 4097);
});
