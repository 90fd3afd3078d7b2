/** Processes of the throw-away host: scripts run as an ordinary user, and what such a user has left running. */

/** An ordinary user of the throw-away host. */
export interface User {
  readonly name: string;
  readonly id: number;
}

export interface Ended {
  readonly code: number;
  readonly signal: string | null;
  readonly timedOut: boolean;
}

export interface StartOptions {
  readonly user: User;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly limit_ms: number;
}

/** What every process of a user has in its environment. */
export const USER_ENVIRONMENT = {
  PATH: "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin",
  LANG: "C.UTF-8",
};

/** Runs a bash script as `user`, with no other environment than the given and USER_ENVIRONMENT, and kills it at the limit. */
export async function runScript(
  script: string,
  { user, cwd, env, limit_ms }: StartOptions,
): Promise<Ended> {
  const child = new Deno.Command("setpriv", {
    args: [`--reuid=${user.id}`, `--regid=${user.id}`, "--init-groups", "bash", "-c", script],
    cwd,
    clearEnv: true,
    env: { ...USER_ENVIRONMENT, USER: user.name, ...env },
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill("SIGKILL");
  }, limit_ms);
  const { code, signal } = await child.status;
  clearTimeout(timer);
  return { code, signal, timedOut };
}

/** Kills every process of `user`, again and again until none appears; there may be a fork loop among them. */
export function killAll(user: User): void {
  for (let round = 0; round < 50; round++) {
    const pids = processesOf(user);
    if (pids.length === 0) return;
    for (const pid of pids) kill(pid);
  }
}

function processesOf(user: User): number[] {
  const pids = [...Deno.readDirSync("/proc")].map(({ name }) => Number(name)).filter(
    Number.isInteger,
  );
  return pids.filter((pid) => {
    const status = readIfThere(`/proc/${pid}/status`);
    return new RegExp(`^Uid:\\s+${user.id}\\b`, "m").test(status) &&
      !/^State:\s+[ZX]/m.test(status);
  });
}

function kill(pid: number): void {
  try {
    Deno.kill(pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** The text of a file, or nothing where it cannot be read (any more). */
export function readIfThere(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
