import { fileURLToPath } from "node:url";
import { deepStrictEqual } from "node:assert/strict";
import { ROOT } from "../../scripts/compile/contents.ts";
import { buildPortable } from "../../scripts/compile/portable.ts";

const FIXTURE = fileURLToPath(new URL("../fixtures/portable/main.ts", import.meta.url));

/** An ordinary user, to act as when tests run as root: nobody. */
export const NOBODY = 65534;

/** Whether tests run as root, who may act as others and whom no mode of a folder stops. */
export const isRoot = Deno.uid() === 0;

/** How a test starts a program: with these variables, `PATH`, and no others. */
export interface Start {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
}

/** How it ended, and what it said. */
export interface Ended {
  readonly code: number;
  readonly signal: Deno.Signal | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly pid: number;
}

/** What the folder of an unpacked binary holds, and nothing else. */
export const UNPACKED = ["deno_dir", "listing", "node_modules", "program", "used"];

let built: Promise<string> | undefined;

/** The path of the stand-in's portable binary, built once a test file; give it a HOME of the test's. */
export function binary(): Promise<string> {
  return built ??= build("dist/tests/portable-fixture");
}

/** Builds the stand-in's portable binary at `output`, absolute or from the project's folder. */
export async function build(output: string): Promise<string> {
  const path = output.startsWith("/") ? output : ROOT + output;
  await buildPortable({ entry: FIXTURE, unbundled: { picomatch: [] }, output: path });
  return path;
}

/** Where programs are found. */
export const PATH = Deno.env.get("PATH") ?? "/usr/bin:/bin";

/** Starts a program with pipes. */
export function spawn(command: string, { args = [], env = {}, cwd }: Start): Deno.ChildProcess {
  return new Deno.Command(command, {
    args: [...args],
    ...(cwd === undefined ? {} : { cwd }),
    clearEnv: true,
    env: { PATH, ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
}

/** Runs a program to its end. */
export async function run(command: string, start: Start): Promise<Ended> {
  const child = spawn(command, start);
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(start.stdin ?? "")).catch(ignoreBrokenPipe);
  await writer.close().catch(ignoreBrokenPipe);
  const { code, signal, stdout, stderr } = await child.output();
  const decoder = new TextDecoder();
  return {
    code,
    signal,
    stdout: decoder.decode(stdout),
    stderr: decoder.decode(stderr),
    pid: child.pid,
  };
}

/** A program that ends without reading its input is no failure of the test. */
function ignoreBrokenPipe(error: unknown): void {
  if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
}

/** The sorted names in a folder. */
export function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

/** The unpacked folder below a home, where there must be exactly one. */
export function unpacked(home: string): string {
  const cache = `${home}/.cache/cordon`;
  const [only, ...others] = names(cache);
  deepStrictEqual(others, []);
  return `${cache}/${only}`;
}
