import { strictEqual } from "node:assert/strict";
import { editorPath } from "../../../agent/acp/path_names.ts";

Deno.test("editorPath() names a file of the folder as the editor knows the folder", () => {
  const folder = { given: "/link", real: "/real/project" };
  const cases: [path: string, cwd: string, want: string][] = [
    ["a.txt", "/real/project", "/link/a.txt"],
    ["a.txt", "/real/project/src", "/link/src/a.txt"],
    ["../b.txt", "/real/project/src", "/link/b.txt"],
    ["/real/project/a.txt", "/tmp", "/link/a.txt"],
    [".", "/real/project", "/link"],
    // What only begins alike lies elsewhere.
    ["/real/projectshop/a.txt", "/real/project", "/real/projectshop/a.txt"],
    ["../a.txt", "/real/project", "/real/a.txt"],
    ["..a.txt", "/real/project", "/link/..a.txt"],
  ];
  for (const [path, cwd, want] of cases) strictEqual(editorPath(path, cwd, folder), want);
});
