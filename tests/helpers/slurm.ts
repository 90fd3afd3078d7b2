import { join } from "node:path";
import { hasProgram } from "./has_program.ts";
import { output } from "./output.ts";
import { gone, isAlive } from "./processes.ts";
import { tempDir } from "./temp_dir.ts";

/** How often a cluster is asked whether it has come to something, in milliseconds. */
const LOOK_MS = 100;

/** What has not come to it by then has gone wrong, in milliseconds. */
const GUARD_MS = 60_000;

/** A cluster of one node on this machine, its daemons on loopback and their files in a folder. */
export interface Slurm extends AsyncDisposable {
  /** What a command of Slurm needs in its environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs a command of Slurm, which must succeed, and resolves to what it prints. */
  run(program: string, args: readonly string[], options: RunOptions): Promise<string>;
  /** Resolves when no element of a job waits or runs any more. */
  ended(job: string): Promise<void>;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Whether this machine can have one: Debian's slurm-wlm is there, and we are root. */
export async function canRunSlurm(): Promise<boolean> {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return false;
  const daemons = ["slurmctld", "slurmd", "munged"];
  const programs = await Promise.all(daemons.map((name) => hasProgram(name, "-V")));
  return programs.every((has) => has);
}

/** Starts a cluster, and resolves when its node is idle; disposal ends all of it. */
export async function startSlurm(): Promise<Slurm> {
  await using stack = new AsyncDisposableStack();
  const dir = stack.use(await tempDir({ "munge/": "", "state/": "", "spool/": "" }));
  // The last one started is the first one to be ended.
  const daemon = (program: string, args: readonly string[]) =>
    stack.use(startDaemon(program, args, dir.join(`${program}.out`)));
  const socket = dir.join("munge/socket");
  await Deno.chmod(dir.path, 0o755);
  await Deno.chmod(dir.join("munge"), 0o711);
  const key = crypto.getRandomValues(new Uint8Array(128));
  await Deno.writeFile(dir.join("munge/key"), key, { mode: 0o600 });
  const munged = daemon("munged", [
    ...["--foreground", "--force", `--socket=${socket}`, `--key-file=${dir.join("munge/key")}`],
    ...["pid", "log", "seed"].map((name) => `--${name}-file=${dir.join("munge", name)}`),
  ]);
  await until(() => isSocket(socket), munged);
  const conf = dir.join("slurm.conf");
  await Deno.writeTextFile(conf, configuration(dir.path, socket, freePorts(2)));
  const controller = daemon("slurmctld", ["-D", "-f", conf]);
  const node = daemon("slurmd", ["-D", "-f", conf, "-N", NODE]);
  const environment = { SLURM_CONF: conf, PATH: Deno.env.get("PATH") ?? "" };
  const ask = (program: string, args: readonly string[], { cwd, env = {} }: RunOptions) =>
    output(program, args, { cwd, env: { ...environment, ...env } });
  await until(
    async () => {
      const { out } = await ask("sinfo", ["--noheader", "--format=%T"], { cwd: dir.path });
      return out.trim() === "idle";
    },
    controller,
    node,
  );
  const held = stack.move();
  return {
    environment,
    async run(program, args, options) {
      const { success, out, why } = await ask(program, args, options);
      if (!success) throw new Error(`${program} ${args.join(" ")}: ${out}${why}`);
      return out;
    },
    async ended(job) {
      await until(
        async () => {
          const { success, out } = await ask("squeue", ["--noheader", `--jobs=${job}`], {
            cwd: dir.path,
          });
          return !success || out.trim() === "";
        },
        controller,
        node,
      );
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const NODE = "node1";

function configuration(folder: string, socket: string, [controller, node]: readonly number[]) {
  // Slurm knows a machine by the first part of its name.
  const [host] = Deno.hostname().split(".");
  const at = (name: string) => join(folder, name);
  return [
    "ClusterName=test",
    `SlurmctldHost=${host}(127.0.0.1)`,
    `SlurmctldPort=${controller}`,
    `SlurmdPort=${node}`,
    "AuthType=auth/munge",
    // An element that is put back waits until what it was granted has expired; by default two minutes.
    `AuthInfo=socket=${socket},cred_expire=5`,
    "SlurmUser=root",
    "SlurmdUser=root",
    // What the node is said to have counts, however small the machine is.
    "SlurmdParameters=config_overrides",
    `StateSaveLocation=${at("state")}`,
    `SlurmdSpoolDir=${at("spool")}`,
    `SlurmctldPidFile=${at("slurmctld.pid")}`,
    `SlurmdPidFile=${at("slurmd.pid")}`,
    `SlurmctldLogFile=${at("slurmctld.log")}`,
    `SlurmdLogFile=${at("slurmd.log")}`,
    "ProctrackType=proctrack/pgid",
    "TaskPlugin=task/none",
    "MpiDefault=none",
    "JobAcctGatherType=jobacct_gather/none",
    "AccountingStorageType=accounting_storage/none",
    "SelectType=select/cons_tres",
    "SelectTypeParameters=CR_CPU",
    "SchedulerType=sched/builtin",
    // In seconds; by default whoever waits is looked at once a minute.
    "SchedulerParameters=sched_interval=1,batch_sched_delay=1",
    "MinJobAge=2",
    `NodeName=${NODE} NodeHostname=${host} NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000`,
    `PartitionName=all Nodes=${NODE} Default=YES MaxTime=INFINITE State=UP`,
    "",
  ].join("\n");
}

/** Ports that nobody listens at now; all of them are held until each is known. */
function freePorts(count: number): number[] {
  const listeners = Array.from(
    { length: count },
    () => Deno.listen({ hostname: "127.0.0.1", port: 0 }),
  );
  const ports = listeners.map(({ addr }) => addr.port);
  for (const listener of listeners) listener.close();
  return ports;
}

interface Daemon extends AsyncDisposable {
  readonly program: string;
  readonly pid: number;
  /** What it said so far. */
  said(): string;
}

function startDaemon(program: string, args: readonly string[], log: string): Daemon {
  const line = ["-c", 'exec "$0" "$@" >"$LOG" 2>&1', program, ...args];
  const child = new Deno.Command("/bin/sh", {
    args: line,
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "", LOG: log },
    detached: true,
    ...{ stdin: "null", stdout: "null", stderr: "null" },
  }).spawn();
  return {
    program,
    pid: child.pid,
    said: () => Deno.readTextFileSync(log),
    async [Symbol.asyncDispose]() {
      const guard = setTimeout(() => child.kill("SIGKILL"), GUARD_MS);
      if (await isAlive(child.pid)) child.kill("SIGTERM");
      await child.status;
      clearTimeout(guard);
      await gone([child.pid]);
    },
  };
}

/** Resolves when something is so; rejects where it does not come to that, with what daemons said. */
async function until(isSo: () => boolean | Promise<boolean>, ...daemons: readonly Daemon[]) {
  const end = performance.now() + GUARD_MS;
  while (!await isSo()) {
    if (performance.now() > end) {
      const words = daemons.map(({ program, said }) => `${program}:\n${said()}`);
      throw new Error(`The cluster has not come to it\n${words.join("\n")}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

function isSocket(path: string): boolean {
  try {
    return Deno.statSync(path).isSocket ?? false;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
