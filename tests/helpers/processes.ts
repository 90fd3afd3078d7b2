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
    if (hasEnded(error)) return "";
    throw error;
  }
}

async function stateByPs(pid: number): Promise<string> {
  const ps = new Deno.Command("ps", { args: ["-o", "stat=", "-p", String(pid)], stderr: "null" });
  return new TextDecoder().decode((await ps.output()).stdout).trim();
}

/** A process that ends is not there any more, or its files cannot be read any more. */
function hasEnded(error: unknown): boolean {
  return error instanceof Deno.errors.NotFound || /ESRCH|os error 3\b/.test(String(error));
}

/**
 * The ids of the running processes whose command line holds these words, as this machine counts
 * them: in a kernel view a process sees another number. Linux.
 */
export async function processesWith(words: string): Promise<number[]> {
  const found: number[] = [];
  for await (const { name } of Deno.readDir("/proc")) {
    const pid = Number(name);
    if (Number.isInteger(pid) && (await commandLine(pid)).includes(words)) found.push(pid);
  }
  return found;
}

/** Empty also for a process that has ended and waits to be reaped. */
async function commandLine(pid: number): Promise<string> {
  try {
    return (await Deno.readTextFile(`/proc/${pid}/cmdline`)).replaceAll("\0", " ");
  } catch (error) {
    if (hasEnded(error)) return "";
    throw error;
  }
}

/** The same of those alone that a process has started itself. Linux. */
export async function childrenWith(parent: number, words: string): Promise<number[]> {
  const found: number[] = [];
  for (const pid of await processesWith(words)) {
    const [, ppid] = (await stateByProc(pid)).split(" ");
    if (Number(ppid) === parent) found.push(pid);
  }
  return found;
}

/** A busy machine takes seconds to end a process; one that is still there then was left alone. */
const GONE_LIMIT_MS = 30_000;

/** Resolves when none of the processes runs any more; rejects where one stays. */
export async function gone(pids: readonly number[]): Promise<void> {
  const end = performance.now() + GONE_LIMIT_MS;
  for (const pid of pids) {
    while (await isAlive(pid)) {
      if (performance.now() > end) throw new Error(`Process ${pid} is still there`);
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }
}

/** Ends a process that a test has started through another. */
export async function endProcess(pid: number): Promise<void> {
  Deno.kill(pid, "SIGKILL");
  await gone([pid]);
}
