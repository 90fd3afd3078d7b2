import { deepStrictEqual } from "node:assert/strict";
import { historyOf } from "../../../agent/snapshots/history.ts";
import type { SnapshotRecord } from "../../../agent/session/records.ts";

const STAMP = { id: "", parent: "", time: "", type: "snapshot" as const };

/** `l1` one that could not be taken, `b1` a snapshot before, `a2` one after, `u1` and `r1` done moves, `U1` and `R1` begun ones. */
function record(code: string): SnapshotRecord {
  const [kind = "", tree = ""] = code;
  switch (kind) {
    case "b":
      return { ...STAMP, role: "before", tree, prompt: tree };
    case "a":
      return { ...STAMP, role: "after", tree };
    case "s":
      return { ...STAMP, tree };
    case "l":
      return { ...STAMP, tree: "", lost: tree };
    default: {
      const role = kind.toLowerCase() === "u" ? "undo" as const : "redo" as const;
      const state = kind === kind.toLowerCase() ? "done" as const : "begun" as const;
      return { ...STAMP, role, tree: "", steps: Number(tree), state };
    }
  }
}

Deno.test("historyOf() tells of what was lost since the last step or move", () => {
  const cases: [codes: string, lost: string[]][] = [
    ["b0 a1", []],
    ["l1", ["1"]],
    ["b0 a1 l1 l2", ["1", "2"]],
    ["b0 a1 l1 b1 a2", []],
    ["b0 a1 l1 U1", []],
  ];
  for (const [codes, lost] of cases) {
    deepStrictEqual(historyOf(codes.split(" ").map(record)).lost, lost, codes);
  }
});

Deno.test("historyOf()", async (t) => {
  const cases: [codes: string, steps: string[], position: number, cutOff?: string][] = [
    ["", [], 0],
    ["b0 a1", ["0-1"], 1],
    ["b0 a1 b1 a2", ["0-1", "1-2"], 2],
    ["b0 a0", [], 0],
    ["b0", ["0-?"], 1],
    ["b0 b3 a4", ["0-3", "3-4"], 2],
    ["b0 b0 a1", ["0-1"], 1],
    ["b0 a1 u1", ["0-1"], 0],
    ["b0 a1 u1 r1", ["0-1"], 1],
    ["b0 a1 b1 a2 U2 u2", ["0-1", "1-2"], 0],
    ["b0 a1 b1 a2 u1 b1 a3", ["0-1", "1-3"], 2],
    ["b0 a1 b1 a2 u1 b1 a1", ["0-1", "1-2"], 1],
    ["b0 a1 u1 b5 a5 r1", ["0-1"], 1],
    ["b0 a1 U1", ["0-1"], 0, "undo"],
    ["b0 a1 U1 R1", ["0-1"], 1, "redo"],
    ["b0 a1 U1 R1 r1", ["0-1"], 1],
    ["b0 a1 U1 b2 a3", ["2-3"], 1],
    ["b0 a1 u9", ["0-1"], 0],
    ["b0 a1 s7 a9", ["0-1"], 1],
  ];
  for (const [codes, steps, position, cutOff] of cases) {
    await t.step(codes || "nothing", () => {
      const history = historyOf(codes.split(" ").filter((code) => code !== "").map(record));
      deepStrictEqual(
        [history.steps.map(({ before, after = "?" }) => `${before}-${after}`), history.position],
        [steps, position],
      );
      deepStrictEqual(history.cutOff?.role, cutOff);
    });
  }
});
