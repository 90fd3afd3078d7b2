import { deepStrictEqual } from "node:assert/strict";
import { runtimeRights, type WantedRights } from "../../../agent/children/runtime_rights.ts";
import type { Kind } from "../../../sandbox/rights/grants.ts";

const WANTED: WantedRights = {
  read: ["/work", "/work", "/with,comma", "/etc"],
  write: ["/work"],
  run: ["bwrap", "bash"],
  net: ["model.example:443"],
  env: ["KEY", ""],
  sys: [],
};

function flagsFor(whole: readonly Kind[], granted: readonly string[]) {
  return runtimeRights(WANTED, {
    whole: (kind) => whole.includes(kind),
    query: (kind, value) => granted.includes(`${kind} ${value}`),
  });
}

Deno.test("runtimeRights() gives what this process has, and nothing else", async (t) => {
  await t.step("nothing", () => {
    deepStrictEqual(flagsFor([], []), { flags: [], wholeEnvironment: false });
  });
  await t.step("whole kinds", () => {
    deepStrictEqual(flagsFor(["read", "env"], []), {
      flags: ["--allow-read", "--allow-env"],
      wholeEnvironment: true,
    });
  });
  await t.step("parts, each once, and none that cannot be named", () => {
    const granted = ["read /work", "read /with,comma", "run bwrap", "env KEY", "env "];
    deepStrictEqual(flagsFor([], granted).flags, [
      "--allow-read=/work",
      "--allow-run=bwrap",
      "--allow-env=KEY",
    ]);
  });
});
