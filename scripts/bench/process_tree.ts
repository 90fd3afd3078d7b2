/** Memory of a process and all its descendants, in megabytes. */
export interface TreeMemory {
  /** Proportional set size: shared pages are divided among those that share them. */
  readonly pssMb: number;
  readonly rssMb: number;
}

/** Watches a process tree through /proc until stopped, and keeps the largest sums it saw. */
export function watchTree(pid: number, everyMs = 4): { stop(): TreeMemory; now(): TreeMemory } {
  let peak: TreeMemory = { pssMb: 0, rssMb: 0 };
  function look(): TreeMemory {
    const now = memoryOf(treeOf(pid));
    peak = {
      pssMb: Math.max(peak.pssMb, now.pssMb),
      rssMb: Math.max(peak.rssMb, now.rssMb),
    };
    return now;
  }
  const timer = setInterval(look, everyMs);
  return {
    now: look,
    stop() {
      clearInterval(timer);
      return peak;
    },
  };
}

/** The process and its living descendants. */
export function treeOf(pid: number): number[] {
  const children = read(`/proc/${pid}/task/${pid}/children`).split(" ").filter((id) => id !== "");
  const threads = threadIds(pid).filter((id) => id !== pid);
  const others = threads.flatMap((id) =>
    read(`/proc/${pid}/task/${id}/children`).split(" ").filter((child) => child !== "")
  );
  return [pid, ...[...children, ...others].flatMap((child) => treeOf(Number(child)))];
}

function threadIds(pid: number): number[] {
  try {
    return [...Deno.readDirSync(`/proc/${pid}/task`)].map(({ name }) => Number(name));
  } catch {
    // The process has ended between two looks: it has no threads any more.
    return [];
  }
}

function memoryOf(pids: readonly number[]): TreeMemory {
  let pss = 0;
  let rss = 0;
  for (const pid of pids) {
    const rollup = read(`/proc/${pid}/smaps_rollup`);
    pss += kilobytes(rollup, "Pss");
    rss += kilobytes(rollup, "Rss");
  }
  return { pssMb: pss / 1024, rssMb: rss / 1024 };
}

function kilobytes(rollup: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(rollup)?.[1] ?? 0);
}

function read(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    // Gone between two looks.
    return "";
  }
}
