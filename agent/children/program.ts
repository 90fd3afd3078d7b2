import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Environment } from "../../sandbox/commands/environment.ts";
import { V8_FLAGS } from "../v8_flags.ts";

/** The hidden first argument by which the program runs as a child (`main.ts`). */
export const CHILD_ARGUMENT = "--run-as-child";

/** The whole program as it lies on this machine, to be started again. */
export type OwnProgram =
  | { readonly form: "source"; readonly executable: string; readonly main: string }
  /** The portable form of the binary: a bundle beside the Deno that runs it. */
  | { readonly form: "bundle"; readonly executable: string; readonly main: string }
  /** A compiled binary, with the rights that were frozen into it. */
  | { readonly form: "compiled"; readonly executable: string };

/** The program that belongs to the running one. Needs no right: nothing is looked at. */
export function ownProgram(): OwnProgram {
  const executable = Deno.execPath();
  if (Deno.build.standalone) return { form: "compiled", executable };
  const beside = (name: string) => fileURLToPath(new URL(name, import.meta.url));
  return import.meta.url.endsWith(".ts")
    ? { form: "source", executable, main: beside("../../main.ts") }
    : { form: "bundle", executable, main: beside("main.js") };
}

/** What Deno itself is told of a child. */
export interface RuntimeRights {
  /** As `--allow-read`, `--allow-net=HOST`. */
  readonly flags: readonly string[];
  /** Whether it may read and set every variable. */
  readonly wholeEnvironment: boolean;
}

/** The argument array of a child. Pure. */
export function childCommand(program: OwnProgram, rights: RuntimeRights): [string, ...string[]] {
  const { executable } = program;
  switch (program.form) {
    case "compiled":
      return [executable, CHILD_ARGUMENT];
    case "source": {
      const flags = ["--quiet", "--no-prompt", "--cached-only", "--frozen", "--no-check"];
      return [executable, "run", ...flags, ...rights.flags, program.main, CHILD_ARGUMENT];
    }
    case "bundle": {
      const alone = ["--no-config", "--no-lock", "--no-remote", "--cached-only"];
      const flags = ["--no-prompt", ...alone, "--node-modules-dir=manual", V8_FLAGS];
      return [
        executable,
        "run",
        ...flags,
        ...rights.flags,
        "--deny-import",
        ...(movesVariables(rights) ? [`--preload=${outerEnvironment(program.main)}`] : []),
        program.main,
        CHILD_ARGUMENT,
      ];
    }
  }
}

/** The variables by which the portable form keeps a person's Deno and its own apart. */
const DENO_VARIABLES = ["DENO_DIR", "DENO_NO_PACKAGE_JSON", "DENO_NO_UPDATE_CHECK"] as const;

/** Before a name while Deno starts; `outer_environment.js` moves them back. */
const MOVED = "CORDON_OUTER_";

/**
 * The whole environment of a child: what its parent had, and what Deno needs to find itself. Pure.
 */
export function childEnvironment(
  program: OwnProgram,
  rights: RuntimeRights,
  variables: Environment,
): Record<string, string> {
  switch (program.form) {
    case "compiled":
      return { ...variables };
    case "source":
      return { ...variables, DENO_NO_UPDATE_CHECK: "1" };
    case "bundle": {
      const moved = Object.entries(variables).map(([name, value]) =>
        movesVariables(rights) && isOfDeno(name) ? [`${MOVED}${name}`, value] : [name, value]
      );
      // The head of the portable form unpacks Deno's own folder beside the program's.
      const home = dirname(dirname(program.executable));
      return {
        ...Object.fromEntries(moved),
        DENO_DIR: join(home, "deno_dir"),
        DENO_NO_PACKAGE_JSON: "1",
        DENO_NO_UPDATE_CHECK: "1",
      };
    }
  }
}

/** What moves them needs all rights to variables. */
function movesVariables({ wholeEnvironment }: RuntimeRights): boolean {
  return wholeEnvironment;
}

function isOfDeno(name: string): boolean {
  return DENO_VARIABLES.some((own) => own === name);
}

function outerEnvironment(main: string): string {
  return join(dirname(main), "outer_environment.js");
}
