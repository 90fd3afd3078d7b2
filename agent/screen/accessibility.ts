import * as z from "zod";
import { CommandError } from "../../sandbox/commands/commands.ts";
import type { Environment } from "../../sandbox/commands/environment.ts";
import type { Accessible, AccessibleTree } from "../../tools/screen/accessible.ts";
import { type ProgramEnd, runProgram } from "./run_program.ts";

/** Elements that are asked for at the most, how deep, and for how long in seconds. */
const MAX_ELEMENTS = 500;
const MAX_DEPTH = 30;
const MAX_SECONDS = 5;

/** How the program ends that asks (`accessibility.py`). */
const NO_BINDINGS = 3;
const NO_BUS = 4;

const element = z.object({
  depth: z.int().min(0).max(MAX_DEPTH + 1),
  role: z.string(),
  name: z.string(),
  place: z.tuple([z.number(), z.number(), z.number(), z.number()]).optional(),
  states: z.array(z.string()),
});

/** Asks the programs of a desktop for the elements of their windows, by AT-SPI. */
export async function accessibleTree(
  { python, environment }: { readonly python: string; readonly environment: Environment },
  signal: AbortSignal,
): Promise<AccessibleTree> {
  const { default: script } = await import("./accessibility.py", { with: { type: "bytes" } });
  const limits = [MAX_ELEMENTS, MAX_DEPTH, MAX_SECONDS].map(String);
  // Nothing of the person's, or of a project's, is imported.
  const argv = [python, "-I", "-", ...limits] as const;
  const input = new TextDecoder().decode(script);
  const end = await started(argv, environment, signal, { input });
  if (!end) return no("python3 cannot be started");
  if (end.code === NO_BINDINGS) {
    return no("it takes python3-gi and gir1.2-atspi-2.0: apt-get install them");
  }
  if (end.code === NO_BUS) return no("no accessibility bus answers: switch accessibility on");
  if (end.code !== 0) return no(end.words || `python3 ended with exit code ${end.code}`);
  return { ok: true, ...readElements(new TextDecoder().decode(end.stdout)) };
}

/** Undefined where there is no such program. */
async function started(
  ...parts: Parameters<typeof runProgram>
): Promise<ProgramEnd | undefined> {
  try {
    return await runProgram(...parts);
  } catch (error) {
    if (error instanceof CommandError) return undefined;
    throw error;
  }
}

/** What the program wrote; names are those of any program, so lines may be anything. Pure. */
export function readElements(output: string): { elements: Accessible[]; more: boolean } {
  const values = output.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line));
  const elements = values.flatMap((value): Accessible[] => {
    const { data } = element.safeParse(value);
    if (!data) return [];
    const { place, ...rest } = data;
    if (!place) return [rest];
    const [x, y, width, height] = place;
    return [{ ...rest, place: { x, y, width, height } }];
  });
  return { elements, more: values.some((value) => value?.more === true) };
}

function no(why: string): AccessibleTree {
  return { ok: false, message: `Cannot tell the elements of windows: ${why}` };
}
