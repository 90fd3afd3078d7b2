/**
 * Builds the binary: `deno task compile [--form portable|compile] [--entry FILE] [--output FILE]`.
 * Without `--form` it is what `deno compile` makes where Deno's runtime for that can be had, and the
 * portable form elsewhere; it says which and why.
 */
import { parseArgs } from "node:util";
import { buildCompiled, probeDenort } from "./compile/compiled.ts";
import { ENTRY, INCLUDES, PROCESSES, UNBUNDLED } from "./compile/contents.ts";
import { buildPortable } from "./compile/portable.ts";

/** The two forms of the binary; a person sees no difference. */
export type Form = "compile" | "portable";

/** Where the binary lands. */
export const OUTPUT = "dist/cordon";

/** Builds what `args` ask for, and resolves to a sentence that says what was built and why. */
export async function compile(args: readonly string[]): Promise<string> {
  const { entry, output, form: wanted } = readArguments(args);
  const { form, reason } = wanted
    ? await buildForm(wanted, "as asked", entry, output)
    : await buildBest(entry, output);
  const megabytes = ((await Deno.stat(output)).size / 1e6).toFixed(1);
  return `built "${output}" (${megabytes} MB), ${form} form: ${reason}`;
}

interface Built {
  readonly form: Form;
  readonly reason: string;
}

/** The compiled form where it can be had; a failed download comes to light in deno compile only. */
async function buildBest(entry: string, output: string): Promise<Built> {
  const { available, reason } = await probeDenort();
  if (!available) return await buildForm("portable", reason, entry, output);
  try {
    return await buildForm("compile", reason, entry, output);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return await buildForm("portable", error.message, entry, output);
  }
}

async function buildForm(
  form: Form,
  reason: string,
  entry: string,
  output: string,
): Promise<Built> {
  if (form === "compile") await buildCompiled({ entry, includes: INCLUDES, output });
  else await buildPortable({ entry, unbundled: UNBUNDLED, processes: PROCESSES, output });
  return { form, reason };
}

/**
 * Reads the command line.
 * @throws {TypeError} for what it does not know
 */
export function readArguments(
  args: readonly string[],
): { entry: string; output: string; form?: Form } {
  const { values: { entry, output, form } } = parseArgs({
    args: [...args],
    options: {
      entry: { type: "string", default: ENTRY },
      output: { type: "string", default: OUTPUT },
      form: { type: "string" },
    },
  });
  if (form === undefined) return { entry, output };
  if (form === "compile" || form === "portable") return { entry, output, form };
  throw new TypeError(`Cannot build form "${form}": there are compile and portable`);
}

if (import.meta.main) {
  try {
    console.error(await compile(Deno.args));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.error(error.message);
    Deno.exitCode = error instanceof TypeError ? 2 : 1;
  }
}
