import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  modeOf,
  modeState,
  modesUpTo,
  type Standing,
  widensStanding,
} from "../../../agent/acp/modes.ts";

const standing = (profile: Standing["profile"], approval: Standing["approval"]) => ({
  ...{ profile, approval },
});

Deno.test("modesUpTo() offers nothing wider than the process was started for", () => {
  const cases: [began: Standing, ids: string[]][] = [
    [standing("plan", "on-escape"), ["plan"]],
    [standing("workspace", "on-escape"), ["plan", "ask", "workspace"]],
    [standing("workspace", "ask"), ["plan", "workspace"]],
    [standing("workspace", "deny"), ["plan", "workspace"]],
    [standing("egress", "all"), ["plan", "workspace", "ask", "egress"]],
    [standing("off", "on-escape"), ["plan", "workspace", "egress", "container", "ask", "off"]],
  ];
  for (const [began, ids] of cases) {
    const modes = modesUpTo(began);
    deepStrictEqual(modes.map(({ id }) => id), ids);
    strictEqual(modeOf(modes, began), began.profile);
    strictEqual(modeState(modes, began).currentModeId, began.profile);
    for (const { standing: one } of modes) strictEqual(widensStanding(began, one), false);
  }
});

Deno.test("widensStanding() is true where more can happen, or less is asked", () => {
  const cases: [from: Standing, to: Standing, want: boolean][] = [
    [standing("plan", "on-escape"), standing("workspace", "on-escape"), true],
    [standing("workspace", "on-escape"), standing("plan", "on-escape"), false],
    [standing("workspace", "ask"), standing("workspace", "on-escape"), true],
    [standing("workspace", "on-escape"), standing("workspace", "ask"), false],
    [standing("plan", "on-escape"), standing("workspace", "ask"), true],
    [standing("workspace", "ask"), standing("plan", "on-escape"), true],
  ];
  for (const [from, to, want] of cases) strictEqual(widensStanding(from, to), want);
});
