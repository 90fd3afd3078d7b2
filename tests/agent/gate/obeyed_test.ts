import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { mostSevere, objectionsTo } from "../../../agent/gate/gate.ts";
import { obeyedCheck } from "../../../agent/gate/obeyed.ts";
import { realPath } from "../../../agent/gate/real_path.ts";
import { createFiles } from "../../../sandbox/files/guarded_files.ts";
import { obeyedReason } from "../../../sandbox/sweep/names.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

Deno.test("obeyedReason() tells by names what is obeyed unasked", () => {
  const obeyed = [
    ...[".envrc", "a/.npmrc", "sub/.git/hooks/pre-commit", ".git", "node_modules/a/.git/config"],
    ...[".vscode/tasks.json", ".github/workflows/ci.yml", "a/.VSCode/b/c", "x/Jenkinsfile"],
    "lib/site-packages/evil.pth",
  ];
  const plain = ["main.ts", ".gitignore", ".github/CODEOWNERS", "node_modules/a/.npmrc", "a.pth"];
  deepStrictEqual(obeyed.filter((path) => obeyedReason(path) === undefined), []);
  deepStrictEqual(plain.filter((path) => obeyedReason(path) !== undefined), []);
});

Deno.test("a file tool that writes what is obeyed unasked asks, wherever a link leads", async (t) => {
  await using dir = await tempDir({ "fresh/.git/hooks/x.sample": "", "src/a.ts": "" });
  await Deno.symlink("fresh/.git/hooks", dir.join("innocent"));
  const files = createFiles({ roots: { workspace: dir.path }, cwd: () => dir.path });
  const obeyed = obeyedCheck((path) => realPath(files, path), dir.path);
  const judge = () => Promise.resolve({ kind: "read_only" } as const);
  const verdict = async (path: string, mode: "on-escape" | "all" = "on-escape") => {
    const plan = { touches: [{ kind: "write", path } as const] };
    return mostSevere(await objectionsTo(plan, { mode, confined: true, judge, obeyed }));
  };
  for (const path of [".envrc", "innocent/pre-commit", "new/folder/.npmrc", "./src/../.mcp.json"]) {
    await t.step(path, async () => {
      const asked = await verdict(path);
      strictEqual(asked?.kind, "ask");
      match(asked?.reason ?? "", /^it writes .*, and /);
      strictEqual(await verdict(path, "all"), undefined);
    });
  }
  for (const path of ["src/a.ts", "new/b.ts", "../outside/.envrc"]) {
    await t.step(path, async () => strictEqual(await verdict(path), undefined));
  }
});
