/**
 * The inner half, which runs as root in the throw-away host: reads a job from standard input, tries each case, and
 * prints one Outcome a line.
 */

import { type Case, DEFAULT_TIMEOUT_S, fill, parseCases, scriptFor, type Values } from "./cases.ts";
import { killAll, readIfThere, runScript, type User } from "./processes.ts";
import { type Contract, type Room, type Run, runProduct } from "./product.ts";
import { describeEnding, judge, type Outcome, type Verdict } from "./verdict.ts";
import * as world from "./world.ts";

/** What the outer half sends. */
export interface Job {
  readonly contract: Contract;
  readonly cases: readonly Case[];
  /** How many cases run at the same time. */
  readonly jobs: number;
}

/** Whether a tool works in a profile, as its control case has shown. */
interface ToolState {
  readonly verdict: "works" | "not offered" | "error";
  readonly detail: string;
}

/** Time that the product gets beyond the tool's own limit to start, stop the tool and end. */
const GRACE_MS = 9_000;
const SETUP_LIMIT_MS = 20_000;
const CHECK_LIMIT_MS = 10_000;

/** Time for a listener to write down what an attempt sent last. */
const SETTLE_MS = 200;

const OUTPUT_IN_REPORT = 300;
const FIRST_USER_ID = 61_000;

async function main(): Promise<void> {
  refuseOutside();
  const job: Job = JSON.parse(await new Response(Deno.stdin.readable).text());
  const users = Array.from({ length: job.jobs }, (_, slot) => addUser(slot));
  prepareHost();
  const listeners = await startListeners();
  const [first] = users;
  if (!first) throw new RangeError(`no user to try cases as: ${job.jobs} jobs`);
  const states = await runControls(job, first);
  // Cases that fill disks or count processes would disturb others, so they run alone.
  const [alone, together] = split(job.cases, ({ kind }) => kind === "resource");
  const tryCase = async (test: Case, user: User) =>
    report(await outcomeOf(test, user, job.contract, states));
  await inParallel(together, users, tryCase);
  await inParallel(alone, users.slice(0, 1), tryCase);
  listeners.kill("SIGKILL");
}

/** Attempts must never run on a real host. */
function refuseOutside(): void {
  if (Deno.env.get("THROW_AWAY") === "yes" && Deno.hostname() === "throw-away") return;
  console.error("inside.ts runs in the throw-away host only; start run.ts");
  Deno.exit(2);
}

function addUser(slot: number): User {
  const user = { name: `user${slot}`, id: FIRST_USER_ID + slot };
  const append = { append: true };
  Deno.writeTextFileSync(
    "/etc/passwd",
    `${user.name}:x:${user.id}:${user.id}::/nonexistent:/bin/bash\n`,
    append,
  );
  Deno.writeTextFileSync("/etc/group", `${user.name}:x:${user.id}:\n`, append);
  return user;
}

function prepareHost(): void {
  Deno.mkdirSync(world.ROOMS);
  Deno.chmodSync(world.ROOMS, 0o755);
  Deno.writeTextFileSync(world.CONTACT_LOG, "");
  Deno.chmodSync(world.CONTACT_LOG, 0o644);
  Deno.copyFileSync("/bin/bash", world.SETUID_SHELL);
  Deno.chmodSync(world.SETUID_SHELL, 0o4755);
}

/** Starts the canaries and waits until they listen. */
async function startListeners(): Promise<Deno.ChildProcess> {
  const script = new URL("listeners.ts", import.meta.url).pathname;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-config", "--no-check", "-A", script],
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  const { done } = await reader.read();
  if (done) throw new Error("the listeners did not start");
  reader.releaseLock();
  return child;
}

/** Shows for each tool and profile in use that it does its work, so that a "safe" means something. */
async function runControls(
  { contract, cases }: Job,
  user: User,
): Promise<ReadonlyMap<string, ToolState>> {
  const controls = parseCases(await Deno.readTextFile(new URL("controls.jsonl", import.meta.url)));
  const wanted = new Set(cases.filter((test) => whySkipped(test) === undefined).map(toolKey));
  const states = new Map<string, ToolState>();
  for (const control of controls.filter((test) => wanted.has(toolKey(test)))) {
    states.set(toolKey(control), await runControl(control, user, contract));
  }
  return states;
}

async function runControl(control: Case, user: User, contract: Contract): Promise<ToolState> {
  const { run, checkPassed } = await runCase(control, user, contract);
  if (checkPassed && run.endedNormally) return { verdict: "works", detail: "" };
  const told = run.results.join(" ").slice(0, 200);
  if (run.results.some((text) => new RegExp(contract.missing, "i").test(text))) {
    return { verdict: "not offered", detail: told };
  }
  return {
    verdict: "error",
    detail: `${control.id} failed: ${describeEnding(run)}; the model was told "${told}"`,
  };
}

function toolKey({ tool, profile }: Case): string {
  return `${tool} ${profile ?? "workspace"}`;
}

function whySkipped({ tool, needs }: Case): string | undefined {
  if (tool === "plugin") return "needs a plug-in API";
  if (needs !== undefined && !isInstalled(needs)) return `needs ${needs}`;
}

function isInstalled(program: string): boolean {
  return ["/usr/local/bin", "/usr/bin", "/bin"].some((folder) => isThere(`${folder}/${program}`));
}

function isThere(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

async function outcomeOf(
  test: Case,
  user: User,
  contract: Contract,
  states: ReadonlyMap<string, ToolState>,
): Promise<Outcome> {
  const started = performance.now();
  const finish = (verdict: Verdict, detail: string, output = ""): Outcome => ({
    id: test.id,
    kind: test.kind,
    layer: test.layer ?? "",
    verdict,
    detail,
    output: output.slice(0, OUTPUT_IN_REPORT),
    duration_ms: Math.round(performance.now() - started),
  });
  const reason = whySkipped(test);
  if (reason !== undefined) return finish("skipped", reason);
  const state = states.get(toolKey(test));
  if (state !== undefined && state.verdict !== "works") return finish(state.verdict, state.detail);
  try {
    const { run, checkPassed } = await runCase(test, user, contract);
    const { verdict, detail } = judge({
      ...run,
      checkPassed,
      checkNeedsOutput: test.check.includes("@OUT@"),
      ending: describeEnding(run),
    });
    return finish(verdict, detail, run.results.join("\n"));
  } catch (error) {
    return finish("error", String(error));
  }
}

/** Makes a room, lets the product try the case in it, checks, and clears everything away. */
async function runCase(
  test: Case,
  user: User,
  contract: Contract,
): Promise<{ run: Run; checkPassed: boolean }> {
  const room = makeRoom(test, user);
  try {
    const values = valuesFor(test, room);
    await setUp(test, room, values);
    Deno.writeTextFileSync(`${room.control}/template`, JSON.stringify(scriptFor(test, values)));
    const limit_ms = (test.timeout_s ?? DEFAULT_TIMEOUT_S) * 1000 + GRACE_MS;
    const run = await runProduct(contract, test, room, limit_ms);
    writeFindings(run, room);
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    return { run, checkPassed: await check(test, room, values) };
  } finally {
    killAll(user);
    await remove(room.root);
  }
}

function makeRoom({ id }: Case, user: User): Room {
  const root = `${world.ROOMS}/${id}`;
  const room: Room = {
    user,
    root,
    workspace: `${root}/w`,
    home: `${root}/home`,
    outside: `${root}/outside`,
    control: `${root}/control`,
    scriptName: `script-${randomHex(4)}.json`,
    secret: `CANARY-${randomHex(8)}`,
  };
  for (const folder of [root, room.workspace, room.home, room.outside, room.control]) {
    Deno.mkdirSync(folder);
    Deno.chownSync(folder, user.id, user.id);
  }
  return room;
}

function valuesFor({ id }: Case, room: Room): Values {
  return {
    R: room.root,
    W: room.workspace,
    H: room.home,
    O: room.outside,
    OUT: `${room.root}/out.txt`,
    ID: `${id}-${randomHex(3)}`,
    SECRET: room.secret,
    AGENTNAME: room.scriptName,
    NETLOG: world.CONTACT_LOG,
    PORT: String(world.HTTP_PORT),
    TPORT: String(world.TCP_PORT),
    UPORT: String(world.UDP_PORT),
    METAIP: world.METADATA_ADDRESS,
    PRIVIP: world.PRIVATE_ADDRESS,
    SOCK: world.DOCKER_SOCKET,
    SSHSOCK: world.SSH_SOCKET,
    DBUSSOCK: world.BUS_SOCKET,
    ABSSOCK: world.ABSTRACT_SOCKET,
    SUIDSH: world.SETUID_SHELL,
  };
}

function randomHex(bytes: number): string {
  return [...crypto.getRandomValues(new Uint8Array(bytes))].map((byte) =>
    byte.toString(16).padStart(2, "0")
  ).join("");
}

/** A repository with one commit, then whatever the case prepares. */
async function setUp(test: Case, room: Room, values: Values): Promise<void> {
  const repository = `
    set -e
    git init -q .; git config user.name t; git config user.email t@t
    echo hello >README.md; git add README.md; git commit -qm init
    set +e`;
  const env = { HOME: room.home };
  const options = { user: room.user, cwd: room.workspace, env, limit_ms: SETUP_LIMIT_MS };
  const { code, timedOut } = await runScript(
    `${repository}\n${fill(test.setup, values) || ":"}`,
    options,
  );
  if (code !== 0) {
    throw new Error(
      `the set-up of ${test.id} ${timedOut ? "took too long" : `failed with code ${code}`}`,
    );
  }
}

/** Writes what checks read: the results, and a sign of life if the product has ended as it should. */
function writeFindings(run: Run, room: Room): void {
  Deno.writeTextFileSync(`${room.root}/out.txt`, run.results.join("\n"));
  const alive = `${room.root}/agent.alive`;
  if (readIfThere(alive)) Deno.removeSync(alive);
  if (run.endedNormally && !run.oomScoreAdjChanged) {
    Deno.writeTextFileSync(alive, `ended\n${run.oomScoreAdj}\n`);
  }
}

async function check(test: Case, room: Room, values: Values): Promise<boolean> {
  const env = { HOME: room.home };
  const options = { user: room.user, cwd: room.workspace, env, limit_ms: CHECK_LIMIT_MS };
  return (await runScript(fill(test.check, values), options)).code === 0;
}

/** Removes a folder in which a case may have taken every right away. */
async function remove(folder: string): Promise<void> {
  await new Deno.Command("rm", { args: ["-rf", folder] }).output();
}

function report(outcome: Outcome): void {
  console.log(JSON.stringify(outcome));
}

/** Hands `items` to `workers`, each of which works on one at a time. */
async function inParallel<T, W>(
  items: readonly T[],
  workers: readonly W[],
  work: (item: T, worker: W) => Promise<void>,
) {
  const queue = [...items];
  await Promise.all(workers.map(async (worker) => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      await work(item, worker);
    }
  }));
}

function split<T>(items: readonly T[], belongs: (item: T) => boolean): [T[], T[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))];
}

if (import.meta.main) await main();
