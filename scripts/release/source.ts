/** What a release is made of: one version, and files that somebody has committed. */

/**
 * Looks whether `version` (as `0.2.0`, or `v0.2.0` of a tag) is the one that `deno.json` names: the
 * binary, the man page and the packages take it from there.
 * @throws {Error} when it is another one
 */
export function checkVersion(wanted: string, stamped: string): void {
  if (wanted.replace(/^v/, "") === stamped) return;
  throw new Error(
    `Cannot release "${wanted}": deno.json says version ${stamped}, and everything is stamped with it; change it there`,
  );
}

/**
 * Looks whether the work tree in `folder` is what its last commit says, so that somebody else can
 * build the same.
 * @throws {Error} when it is not, or git knows nothing of it
 */
export async function checkCommitted(folder: string): Promise<void> {
  const changed = (await gitStatus(folder)).split("\n").filter((line) => line !== "");
  if (changed.length === 0) return;
  const [first = ""] = changed;
  const more = changed.length > 1 ? ` and ${changed.length - 1} more` : "";
  throw new Error(
    `Cannot release "${folder}": it holds changes that are not committed (${first.trim()}${more}); commit them, or pass --allow-dirty`,
  );
}

async function gitStatus(folder: string): Promise<string> {
  const why = (reason: string) =>
    new Error(
      `Cannot release "${folder}": nobody can tell whether it is committed (${reason}); use a clone of the repository, or pass --allow-dirty`,
    );
  try {
    const { success, stdout, stderr } = await new Deno.Command("git", {
      args: ["-C", folder, "status", "--porcelain"],
      stdin: "null",
    }).output();
    const decoder = new TextDecoder();
    if (success) return decoder.decode(stdout);
    throw why(decoder.decode(stderr).split("\n")[0] ?? "");
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) throw why("git is not installed");
    throw error;
  }
}
