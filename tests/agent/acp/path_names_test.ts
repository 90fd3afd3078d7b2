import { strictEqual } from "node:assert/strict";
import { editorPath } from "../../../agent/acp/path_names.ts";

Deno.test("editorPath() names a file of the folder as the editor knows the folder", () => {
  const folder = { given: "/link", real: "/real/work" };
  const cases: [path: string, cwd: string, want: string][] = [
    ["a.txt", "/real/work", "/link/a.txt"],
    ["a.txt", "/real/work/src", "/link/src/a.txt"],
    ["../b.txt", "/real/work/src", "/link/b.txt"],
    ["/real/work/a.txt", "/tmp", "/link/a.txt"],
    [".", "/real/work", "/link"],
    // What only begins alike lies elsewhere.
    ["/real/workshop/a.txt", "/real/work", "/real/workshop/a.txt"],
    ["../a.txt", "/real/work", "/real/a.txt"],
    ["..a.txt", "/real/work", "/link/..a.txt"],
  ];
  for (const [path, cwd, want] of cases) strictEqual(editorPath(path, cwd, folder), want);
});
