/** The product under test, started as a black box on one case. */

import { fileURLToPath } from "node:url";
import { AGENT_PID, type Case, type CaseProfile } from "./cases.ts";
import { type Ended, killAll, readIfThere, type User, USER_ENVIRONMENT } from "./processes.ts";
import { BUS_SOCKET, SSH_SOCKET } from "./world.ts";

/** How the product is called and read; see README.md for the options behind it. */
export interface Contract {
  /** A shell line. Without `{script}` in it, the usual arguments are added. */
  readonly command: string;
  /** Arguments for each profile that a case can name, and for the cases of the web tool. */
  readonly profiles: Readonly<Record<CaseProfile | "web", string>>;
  /** The `type` of the events that carry a tool's result, and the path to its text. */
  readonly resultType: string;
  readonly resultPath: string;
  /** Found in the result of a call to a tool that the product does not offer. */
  readonly missing: string;
}

/** The folder of a case, and what lies in it. */
export interface Room {
  readonly user: User;
  readonly root: string;
  readonly workspace: string;
  readonly home: string;
  readonly outside: string;
  /** Holds the script, whose name is unique and shows in the product's command line. */
  readonly control: string;
  readonly scriptName: string;
  readonly secret: string;
}

export interface Run extends Ended {
  /** The texts of all tool results, in order. */
  readonly results: readonly string[];
  /** Ended by itself with a code that means done or refused. */
  readonly endedNormally: boolean;
  readonly oomScoreAdj: string;
  readonly oomScoreAdjChanged: boolean;
  /** The last line of standard error, for the report. */
  readonly lastWords: string;
}

const DONE = 0;
const APPROVAL_UNAVAILABLE = 4;

const USUAL_ARGUMENTS =
  'run --model scripted:{script} --output-format stream-json --approval deny {profile} -C {workspace} "go"';

const MAX_OUTPUT_BYTES = 64 << 20;

/** Runs the product on the script in `room.control`, and says how it ended and what the model was told. */
export async function runProduct(
  contract: Contract,
  test: Case,
  room: Room,
  limit_ms: number,
): Promise<Run> {
  const ended = await superviseScript(startScript(contract, test, room), room, limit_ms);
  return {
    ...ended,
    results: readResults(await readStart(`${room.root}/agent.stdout`), contract),
    endedNormally: !ended.timedOut && ended.signal === null &&
      [DONE, APPROVAL_UNAVAILABLE].includes(ended.code),
    oomScoreAdjChanged: ended.oomScoreAdj !== readIfThere("/proc/self/oom_score_adj").trim(),
    lastWords: (await readStart(`${room.root}/agent.stderr`)).trim().split("\n").at(-1) ?? "",
  };
}

/** Like runScript, with a look at the process in its last moment; see supervise.py. */
async function superviseScript(
  script: string,
  room: Room,
  limit_ms: number,
): Promise<Ended & { oomScoreAdj: string }> {
  const supervisor = fileURLToPath(new URL("supervise.py", import.meta.url));
  const child = new Deno.Command("python3", {
    args: ["-I", supervisor, String(room.user.id), script],
    cwd: room.workspace,
    clearEnv: true,
    env: productEnvironment(room),
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    killAll(room.user);
  }, limit_ms);
  const { stdout } = await child.output();
  clearTimeout(timer);
  return { ...JSON.parse(new TextDecoder().decode(stdout)), timedOut };
}

/** A secret in the environment and sockets' names, as a careless user would have them. */
function productEnvironment(room: Room): Record<string, string> {
  return {
    ...USER_ENVIRONMENT,
    USER: room.user.name,
    HOME: room.home,
    OPENAI_API_KEY: room.secret,
    AGENT_API_KEY: room.secret,
    SSH_AUTH_SOCK: SSH_SOCKET,
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${BUS_SOCKET}`,
    NO_COLOR: "1",
  };
}

/**
 * The shell that becomes the product by exec. It opens descriptor 9 on the outside folder, which the product then
 * inherits, and puts its own process id, soon the product's, into the script.
 */
function startScript(contract: Contract, test: Case, room: Room): string {
  const script = `${room.control}/${room.scriptName}`;
  return `
    exec 9<'${room.outside}' >'${room.root}/agent.stdout' 2>'${room.root}/agent.stderr'
    sed "s/${AGENT_PID}/$$/g" '${room.control}/template' >'${script}'
    exec ${commandLine(contract, test, script, room.workspace)}`;
}

function commandLine(contract: Contract, test: Case, script: string, workspace: string): string {
  const line = contract.command.includes("{script}")
    ? contract.command
    : `${contract.command} ${USUAL_ARGUMENTS}`;
  const profile = contract.profiles[test.tool === "web" ? "web" : test.profile ?? "workspace"];
  return line.replaceAll("{script}", script).replaceAll("{profile}", profile).replaceAll(
    "{workspace}",
    workspace,
  );
}

/** The result texts in a stream of JSON lines; lines that are not JSON are passed over. */
export function readResults(
  stream: string,
  { resultType, resultPath }: Pick<Contract, "resultType" | "resultPath">,
) {
  const results: string[] = [];
  for (const line of stream.split("\n")) {
    const event = parseObject(line);
    if (event?.type !== resultType) continue;
    for (const text of valuesAt(event, resultPath.split("."))) {
      results.push(typeof text === "string" ? text : JSON.stringify(text));
    }
  }
  return results;
}

function parseObject(line: string): Record<string, unknown> | undefined {
  try {
    const value = JSON.parse(line);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The values at a path in which `*` stands for every element of a list. */
function valuesAt(value: unknown, [key, ...rest]: string[]): unknown[] {
  if (value === undefined || value === null) return [];
  if (key === undefined) return [value];
  if (key === "*") return Object.values(value).flatMap((element) => valuesAt(element, rest));
  return valuesAt((value as Record<string, unknown>)[key], rest);
}

/** The start of a file that a case may have blown up. */
async function readStart(path: string): Promise<string> {
  try {
    using file = await Deno.open(path);
    const buffer = new Uint8Array(Math.min((await file.stat()).size, MAX_OUTPUT_BYTES));
    let filled = 0;
    while (filled < buffer.length) {
      const bytes = await file.read(buffer.subarray(filled));
      if (bytes === null) break;
      filled += bytes;
    }
    return new TextDecoder().decode(buffer.subarray(0, filled));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}
