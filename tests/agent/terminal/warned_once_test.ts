import { deepStrictEqual } from "node:assert/strict";
import { warnedOnce } from "../../../agent/terminal/warned_once.ts";

Deno.test("warnedOnce() tells a warning once, and everything else as often as it comes", () => {
  const told: string[] = [];
  const tell = warnedOnce((line) => told.push(line));
  for (const line of ["warning: a", "b", "warning: a", "b", "warning: c"]) tell(line);
  deepStrictEqual(told, ["warning: a", "b", "b", "warning: c"]);
});
