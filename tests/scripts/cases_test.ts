import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { countByKind, renderTable } from "../../scripts/cases.ts";

Deno.test("countByKind() counts what holds, kinds in the order of the cases", () => {
  const played = [
    { kind: "b", problem: undefined },
    { kind: "a", problem: "not so" },
    { kind: "b", problem: undefined },
  ];
  deepStrictEqual(countByKind(played), [
    { kind: "b", held: 2, total: 2 },
    { kind: "a", held: 0, total: 1 },
  ]);
});

Deno.test("renderTable() has a row for each kind and one for all", () => {
  const rows = [{ kind: "exact", held: 3, total: 3 }, { kind: "bom", held: 10, total: 12 }];
  strictEqual(
    renderTable("cases", rows),
    [
      "cases",
      "exact     3 of    3",
      "bom      10 of   12",
      "all      13 of   15",
    ].join("\n"),
  );
});
