import { deepStrictEqual } from "node:assert/strict";
import { editedFiles } from "../../../agent/edit_checks/edited_file.ts";

Deno.test("editedFiles() names the files of the workspace that a call writes, each once", () => {
  const written = [
    "a.ts",
    "/w/sub/a.ts",
    "..a/b.ts",
    "../..b.ts",
    "../../out.ts",
    "/w",
    "/w2/c.ts",
  ];
  const touches = [
    { kind: "read", path: "read.ts" } as const,
    ...written.map((path) => ({ kind: "write", path }) as const),
  ];
  deepStrictEqual(editedFiles({ touches }, "/w/sub", "/w").map(({ name }) => name), [
    "sub/a.ts",
    "sub/..a/b.ts",
    "..b.ts",
  ]);
});
