import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { readOwn } from "../../../sandbox/snapshots/read_own.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

Deno.test("readOwn() reads a file where it is, and nothing that a link leads to", async () => {
  await using dir = await tempDir({ "w/d/f": "own", "secret/f": "secret", "w/empty": "" });
  deepStrictEqual(readOwn(dir.join("w/d/f")), new TextEncoder().encode("own"));
  deepStrictEqual(readOwn(dir.join("w/empty")), new Uint8Array());
  await Deno.symlink("../secret", dir.join("w/folder"));
  await Deno.symlink("../secret/f", dir.join("w/file"));
  for (const path of ["w/folder/f", "w/file", "w/d", "w/none"]) {
    strictEqual(readOwn(dir.join(path)), undefined, path);
  }
});
