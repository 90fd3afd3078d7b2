import { ok, strictEqual } from "node:assert/strict";
import { nodeFs } from "../../../sandbox/files/node_fs.ts";
import { isForbidden, isMissing } from "../../../sandbox/files/system_errors.ts";

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("Nothing was thrown");
}

Deno.test("isForbidden() understands Deno and Node alike, root's refusals too", {
  ignore: Deno.build.os !== "linux",
}, () => {
  const proc = "/proc/self/status";
  for (const remove of [Deno.removeSync, nodeFs().unlinkSync]) {
    const error = thrownBy(() => remove(proc));
    strictEqual(isForbidden(error), true, String(error));
    strictEqual(isMissing(error), false);
  }
  for (const look of [Deno.lstatSync, nodeFs().lstatSync]) {
    const error = thrownBy(() => look("/nowhere/at/all"));
    ok(isMissing(error) && !isForbidden(error), String(error));
  }
});
