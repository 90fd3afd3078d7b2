import { deepStrictEqual, match, rejects } from "node:assert/strict";
import { join } from "node:path";
import { quarantineOf } from "../../../agent/backing/quarantine.ts";
import { parseCommandLine } from "../../../agent/command_line/parse.ts";
import { runAccept } from "../../../agent/terminal/accept_command.ts";
import { quietHost } from "../../helpers/quiet_host.ts";
import { worktreeWorld } from "../../helpers/worktree_world.ts";

Deno.test("accept: what was taken out of a worktree comes into its workspace, once that is gone", async () => {
  await using world = await worktreeWorld("plain", { "a.txt": "a\n" });
  const { dir, workspace } = world;
  const worktree = await world.worktrees.open("task");
  const seen = { path: ".envrc", kind: "file", mode: 0o644, reason: "direnv runs it" } as const;
  const finding = {
    seen: { ...seen, size: 3, inode: 1, mtimeMs: 0 },
    bytes: new TextEncoder().encode("run"),
  };
  const quarantine = quarantineOf(dir.join("state"));
  await quarantine.keep(worktree.path, [finding]);
  await quarantine.keep(dir.join("elsewhere"), [finding]);
  deepStrictEqual(await worktree.close(), {});
  const run = (...args: string[]) =>
    runAccept(
      parseCommandLine(["accept", ...args, `--state=${dir.join("state")}`]),
      quietHost(workspace).host,
    );
  match(await run(), /^\S+ {2}"\.envrc" {2}3 bytes: direnv runs it\nTake one back/);
  match(await run(".envrc"), /^"\.envrc" is back/);
  deepStrictEqual(await Deno.readTextFile(join(workspace, ".envrc")), "run");
  deepStrictEqual(await run(), "Nothing was taken out of this workspace\n");
  await rejects(run(".envrc"), /no file of this name was taken out/);
});
