import { runBashScript } from "../../sandbox/commands/bash_script.ts";
import { CommandError } from "../../sandbox/commands/commands.ts";
import type { Environment } from "../../sandbox/commands/environment.ts";
import type { Grants } from "../../sandbox/rights/grants.ts";
import { SYSTEM_PATH } from "../../sandbox/view/view_places.ts";
import type { Launch } from "../launch.ts";
import { type Check, fail, ok, warn } from "./check.ts";
import { pathOutside } from "./outside_path.ts";

/** A program that something of ours starts. */
interface Wanted {
  readonly name: string;
  readonly debianPackage: string;
  /** What is missing without it. */
  readonly without: string;
  readonly onLinux?: true;
  /** Looked up in the system's folders alone, whatever the person's PATH is. */
  readonly ofSystem?: true;
}

type LookedUp = Pick<Wanted, "name" | "ofSystem">;

/** In the order in which they are told; bash comes apart, since it looks for the others. */
const WANTED: readonly Wanted[] = [
  {
    name: "bwrap",
    debianPackage: "bubblewrap",
    without: "nothing confines commands",
    onLinux: true,
    ofSystem: true,
  },
  { name: "git", debianPackage: "git", without: "changes cannot be told from what was there" },
  { name: "rg", debianPackage: "ripgrep", without: "searching large folders is slower" },
  { name: "python3", debianPackage: "python3", without: "the model cannot use Python" },
  { name: "tmux", debianPackage: "tmux", without: "the model cannot drive interactive programs" },
  { name: "socat", debianPackage: "socat", without: "some programs cannot use the egress proxy" },
];

/** Prints for each pair of a PATH and a name where it leads, or an empty line; runs none of it. */
const LOCATE = 'while (($#)); do PATH=$1 type -P -- "$2" || echo; shift 2; done';

/** Whether the programs are there that ours start, and may be started. */
export async function checkPrograms(
  { grants, environment, places }: Pick<Launch, "grants" | "environment" | "places">,
): Promise<Check[]> {
  const wanted = WANTED.filter(({ onLinux }) => !onLinux || Deno.build.os === "linux");
  if (!grants.allows("run", "bash")) {
    return [
      fail(
        "bash",
        "it may not be started",
        "Start Cordon with --allow-run=bash, or without --allow-*",
      ),
    ];
  }
  const found = await locate(wanted, environment, places.workspace);
  if (!found) return [fail("bash", "it cannot be started", "Install bash, and put it on PATH")];
  const [bash = "", ...others] = found;
  return [ok("bash", bash), ...wanted.map((program, i) => judge(program, others[i] ?? "", grants))];
}

function judge(wanted: Wanted, path: string, grants: Grants): Check {
  const { name, debianPackage, without, ofSystem } = wanted;
  if (path === "") {
    const where = ofSystem ? `in one of ${SYSTEM_PATH}` : "on PATH";
    const fix = `Install it (on Debian: apt-get install ${debianPackage}), and put it ${where}`;
    return warn(name, `not found, so ${without}`, fix);
  }
  if (grants.allows("run", name)) return ok(name, path);
  return warn(name, `${path} may not be started, so ${without}`, `Grant --allow-run=${name}`);
}

async function locate(
  wanted: readonly LookedUp[],
  environment: Environment,
  workspace: string,
): Promise<string[] | undefined> {
  const path = environment["PATH"] ?? "";
  try {
    // A project that nobody trusts yet must not be the one that tells what is there.
    const trusted = { ...environment, PATH: await pathOutside(path, workspace) };
    const all: readonly LookedUp[] = [{ name: "bash" }, ...wanted];
    const pairs = all.flatMap(({ name, ofSystem }) => [ofSystem ? SYSTEM_PATH : path, name]);
    const lines = await runBashScript(LOCATE, pairs, trusted);
    return lines.split("\n");
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}
