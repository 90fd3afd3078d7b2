import { deepStrictEqual, rejects } from "node:assert/strict";
import { copyWorkspace } from "../../../agent/replay/copy_workspace.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { workspaceState } from "../../helpers/workspace_state.ts";

const signal = new AbortController().signal;

Deno.test("copyWorkspace() copies everything, modes, links and repository included", async () => {
  await using dir = await tempDir({
    "work/a.txt": "a\n",
    "work/.git/HEAD": "ref: refs/heads/main\n",
    "work/node_modules/x.js": "x\n",
    "work/run.sh": "#!/bin/sh\n",
    "work/closed/b.txt": "b\n",
  });
  await Deno.chmod(dir.join("work/run.sh"), 0o755);
  await Deno.symlink("a.txt", dir.join("work/link"));
  await Deno.symlink("/nowhere", dir.join("work/dangling"));
  await Deno.chmod(dir.join("work/closed"), 0o555);
  try {
    const kept = await copyWorkspace(
      { from: dir.join("work"), to: dir.join("copy"), except: [] },
      signal,
    );
    deepStrictEqual(kept, []);
    deepStrictEqual(await workspaceState(dir.join("copy")), await workspaceState(dir.join("work")));
    deepStrictEqual(await Deno.readTextFile(dir.join("copy/.git/HEAD")), "ref: refs/heads/main\n");
  } finally {
    for (const name of ["work", "copy"]) await Deno.chmod(dir.join(name, "closed"), 0o755);
  }
});

Deno.test("copyWorkspace() leaves out itself, and a pointer to a repository elsewhere", async () => {
  await using dir = await tempDir({ "a.txt": "a\n", ".git": "gitdir: /elsewhere\n", "own/x": "" });
  const to = dir.join("stage/copy");
  await Deno.mkdir(dir.join("stage"));
  const except = [dir.join("stage"), dir.join("own")];
  const kept = await copyWorkspace({ from: dir.path, to, except }, signal);
  deepStrictEqual(kept, [{ path: ".git", why: "it points to a repository elsewhere" }]);
  deepStrictEqual([...Deno.readDirSync(to)].map(({ name }) => name), ["a.txt"]);
});

Deno.test("copyWorkspace() stops when it is told to", async () => {
  await using dir = await tempDir({ "work/a.txt": "" });
  const copying = copyWorkspace(
    { from: dir.join("work"), to: dir.join("copy"), except: [] },
    AbortSignal.abort(),
  );
  await rejects(copying, { name: "AbortError" });
});
