import { runBashScript } from "../../sandbox/commands/bash_script.ts";
import { CommandError } from "../../sandbox/commands/commands.ts";
import type { Environment } from "../../sandbox/commands/environment.ts";
import type { Grants } from "../../sandbox/rights/grants.ts";
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
}

/** In the order in which they are told; bash comes apart, since it looks for the others. */
const WANTED: readonly Wanted[] = [
  {
    name: "bwrap",
    debianPackage: "bubblewrap",
    without: "nothing confines commands",
    onLinux: true,
  },
  { name: "git", debianPackage: "git", without: "changes cannot be told from what was there" },
  { name: "rg", debianPackage: "ripgrep", without: "searching large folders is slower" },
  { name: "python3", debianPackage: "python3", without: "the model cannot use Python" },
  { name: "tmux", debianPackage: "tmux", without: "the model cannot drive interactive programs" },
  { name: "socat", debianPackage: "socat", without: "some programs cannot use the egress proxy" },
];

/** Prints for each name where the PATH that comes first leads, or an empty line; runs none of it. */
const LOCATE = 'PATH=$1; shift; for name; do type -P -- "$name" || echo; done';

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
  const found = await locate(wanted.map(({ name }) => name), environment, places.workspace);
  if (!found) return [fail("bash", "it cannot be started", "Install bash, and put it on PATH")];
  const [bash = "", ...others] = found;
  return [ok("bash", bash), ...wanted.map((program, i) => judge(program, others[i] ?? "", grants))];
}

function judge({ name, debianPackage, without }: Wanted, path: string, grants: Grants): Check {
  if (path === "") {
    const fix = `Install it (on Debian: apt-get install ${debianPackage}), and put it on PATH`;
    return warn(name, `not found, so ${without}`, fix);
  }
  if (grants.allows("run", name)) return ok(name, path);
  return warn(name, `${path} may not be started, so ${without}`, `Grant --allow-run=${name}`);
}

async function locate(
  names: readonly string[],
  environment: Environment,
  workspace: string,
): Promise<string[] | undefined> {
  const path = environment["PATH"] ?? "";
  try {
    // A project that nobody trusts yet must not be the one that tells what is there.
    const trusted = { ...environment, PATH: await pathOutside(path, workspace) };
    const lines = await runBashScript(LOCATE, [path, "bash", ...names], trusted);
    return lines.split("\n");
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}
