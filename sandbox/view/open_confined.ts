import { basename, join } from "node:path";
import { startConfined } from "./confined_process.ts";
import type { ControlStripper } from "../commands/control.ts";
import { withVariables } from "../commands/environment.ts";
import {
  type OpenProcess,
  OpenProcesses,
  type OutputCollector,
  type ProcessOpener,
} from "../commands/open_process.ts";
import { Output } from "../commands/output.ts";
import type { PipedProcess } from "../commands/piped_process.ts";
import { signalOfExitCode } from "../commands/signal_names.ts";
import type { View } from "./view.ts";

export interface ConfinedOpenerOptions {
  readonly view: View;
  /** The seccomp filter (`seccomp.ts`). */
  readonly filter: Uint8Array;
  /** What cleans each stream of output; default: it takes control sequences out. */
  readonly clean?: (() => ControlStripper) | undefined;
  /** Absolute; where programs start unless they say otherwise. */
  cwd(): string;
}

/**
 * Opens programs in the kernel view, each in namespaces of its own: what it started ends with it,
 * and all of it with this process.
 */
export function createConfinedOpener(
  { view, filter, clean, cwd: shellFolder }: ConfinedOpenerOptions,
): ProcessOpener & AsyncDisposable {
  const processes = new OpenProcesses();
  return {
    open(argv, { cwd = shellFolder(), env } = {}) {
      const seen = { ...view, environment: withVariables(view.environment, env) };
      return Promise.resolve(
        processes.add(confinedProcess(startConfined(seen, filter, argv, cwd))),
      );
    },
    collect({ spill, onOutput } = {}) {
      if (view.outFolder === undefined || spill === undefined) {
        return new Output({ clean, onOutput });
      }
      const { host, seen } = view.outFolder;
      return seenAt(seen, new Output({ spill: { folder: host, name: spill }, clean, onOutput }));
    },
    [Symbol.asyncDispose]: () => processes[Symbol.asyncDispose](),
  };
}

function confinedProcess(process: PipedProcess): OpenProcess {
  const { stdin, stdout, stderr } = process;
  // bubblewrap passes a signal on as an exit code, as shells do.
  const status = process.status.then(({ code, signal }) => (
    { code, signal: signal ?? signalOfExitCode(code) ?? null }
  ));
  return {
    ...{ stdin, stdout, stderr, status },
    async kill() {
      process.kill();
      await status;
    },
  };
}

/** The collector whose spill file is named as commands see it. */
function seenAt(folder: string, output: Output): OutputCollector {
  return {
    write: (stream, bytes) => output.write(stream, bytes),
    close() {
      const kept = output.close();
      if (!kept.spill) return kept;
      return { ...kept, spill: { ...kept.spill, path: join(folder, basename(kept.spill.path)) } };
    },
  };
}
