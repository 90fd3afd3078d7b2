import type { Environment } from "../../sandbox/commands/environment.ts";
import type { View } from "../../sandbox/view/view.ts";
import type { Pictures, Reader } from "../../tools/tool.ts";
import { readerProgram } from "./program.ts";
import { createReader } from "./reader.ts";
import { startConfinedReader, startOwnReader } from "./start.ts";

/** The capabilities `reader` and `pictures`, their processes as confined as this machine can: `view` where it has one. */
export function readerFor(
  environment: Environment,
  view: { readonly view: View; readonly filter: Uint8Array } | undefined,
): Reader & Pictures {
  const program = readerProgram();
  return createReader(() =>
    view
      ? startConfinedReader(view.view, view.filter, program)
      : startOwnReader(environment, program)
  );
}
