/** How often a process that is on its way out is looked at, in milliseconds. */
const LOOK_MS = 20;

/** Whether a process runs; one that has ended and waits to be reaped does not. */
export async function isAlive(pid: number): Promise<boolean> {
  const state = Deno.build.os === "linux" ? await stateByProc(pid) : await stateByPs(pid);
  return state !== "" && !state.startsWith("Z");
}

async function stateByProc(pid: number): Promise<string> {
  try {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
    // The name before it may hold anything, also a bracket.
    return stat.slice(stat.lastIndexOf(")") + 2);
  } catch (error) {
    const ended = error instanceof Deno.errors.NotFound || String(error).includes("ESRCH");
    if (ended) return "";
    throw error;
  }
}

async function stateByPs(pid: number): Promise<string> {
  const ps = new Deno.Command("ps", { args: ["-o", "stat=", "-p", String(pid)], stderr: "null" });
  return new TextDecoder().decode((await ps.output()).stdout).trim();
}

/** Resolves when none of the processes runs any more. */
export async function gone(pids: readonly number[]): Promise<void> {
  for (const pid of pids) {
    while (await isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

/** Ends a process that a test has started through another. */
export async function endProcess(pid: number): Promise<void> {
  Deno.kill(pid, "SIGKILL");
  await gone([pid]);
}
