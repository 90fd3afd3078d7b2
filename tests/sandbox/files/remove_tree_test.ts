import { deepStrictEqual, rejects } from "node:assert/strict";
import { removeTree } from "../../../sandbox/files/remove_tree.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

Deno.test("removeTree() removes folders that nobody may write in, and follows no link", async () => {
  await using dir = await tempDir({
    "tree/mod/deep/a.txt": "a\n",
    "tree/closed/b.txt": "b\n",
    "outside/c.txt": "c\n",
    "file": "f\n",
  });
  await Deno.symlink("../outside", dir.join("tree/link"));
  const modes = { "tree/mod/deep": 0o555, "tree/mod": 0o555, "tree/closed": 0, "outside": 0o555 };
  for (const [path, mode] of Object.entries(modes)) await Deno.chmod(dir.join(path), mode);
  await removeTree(dir.join("tree"));
  await rejects(Deno.lstat(dir.join("tree")), Deno.errors.NotFound);
  deepStrictEqual((await Deno.stat(dir.join("outside"))).mode! & 0o777, 0o555);
  await Deno.chmod(dir.join("outside"), 0o755);
  deepStrictEqual(await Deno.readTextFile(dir.join("outside/c.txt")), "c\n");
  await removeTree(dir.join("file"));
  await rejects(removeTree(dir.join("file")), Deno.errors.NotFound);
});
