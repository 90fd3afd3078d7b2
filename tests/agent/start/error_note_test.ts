import { deepStrictEqual, match } from "node:assert/strict";
import { errorNote } from "../../../agent/start/error_note.ts";
import { StateError } from "../../../agent/state_error.ts";
import { ToolError } from "../../../tools/tool_error.ts";

Deno.test("errorNote() has the stack of what is our mistake alone", async (t) => {
  const silent: [string, unknown][] = [
    ["a tool refused", new ToolError("There is no role")],
    ["the system refused", new Deno.errors.NotFound("gone")],
    ["an error with a code", Object.assign(new Error("full"), { code: "ENOSPC" })],
  ];
  for (const [name, error] of silent) {
    await t.step(name, () => deepStrictEqual(errorNote(error), undefined));
  }
  await t.step("anything else", () => match(errorNote(new Error("odd")) ?? "", /odd\n\s+at /));
  await t.step("the state", () => deepStrictEqual(errorNote(new StateError("x")), "warning: x"));
});
