import { createWorktrees } from "../../agent/worktrees/worktrees.ts";

/** Opens a worktree of the workspace and state given as arguments, says its path, and waits to be killed. */
if (import.meta.main) {
  const [workspace = "", state = ""] = Deno.args;
  const worktrees = createWorktrees({
    ...{ workspace, state, session: "one" },
    environment: { PATH: Deno.env.get("PATH") ?? "" },
  });
  const { path } = await worktrees.open("held");
  console.log(path);
  await new Promise((resolve) => setTimeout(resolve, 2 ** 30));
}
