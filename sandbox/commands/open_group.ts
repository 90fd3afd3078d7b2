import type { ControlStripper } from "./control.ts";
import { closingDescriptors, inheritedDescriptors } from "./descriptors.ts";
import { type Environment, withVariables } from "./environment.ts";
import { type OpenProcess, OpenProcesses, type ProcessOpener } from "./open_process.ts";
import { Output } from "./output.ts";
import { type PipedProcess, startPiped } from "./piped_process.ts";
import { endGroup, endStrays, KILL_GRACE_MS } from "./signals.ts";

export interface GroupOpenerOptions {
  readonly environment: Environment;
  /** Where spill files go; undefined where nothing may be written. */
  readonly spillFolder?: string | undefined;
  /** What cleans each stream of output; default: it takes control sequences out. */
  readonly clean?: (() => ControlStripper) | undefined;
  /** Absolute; where programs start unless they say otherwise. */
  cwd(): string;
}

/** Opens programs without a kernel view: each is a process group, and nothing confines it. */
export function createGroupOpener(options: GroupOpenerOptions): ProcessOpener & AsyncDisposable {
  const { environment, spillFolder, clean } = options;
  const processes = new OpenProcesses();
  let descriptors: Promise<readonly number[]> | undefined;
  return {
    async open(argv, { cwd = options.cwd(), env } = {}) {
      descriptors ??= inheritedDescriptors(environment);
      const closing = closingDescriptors(argv, await descriptors);
      const process = startPiped(closing, { environment: withVariables(environment, env), cwd });
      return processes.add(groupProcess(process, environment));
    },
    collect({ spill, onOutput } = {}) {
      const folder = spillFolder;
      return new Output({
        ...(folder !== undefined && spill !== undefined && { spill: { folder, name: spill } }),
        clean,
        onOutput,
      });
    },
    [Symbol.asyncDispose]: () => processes[Symbol.asyncDispose](),
  };
}

function groupProcess(process: PipedProcess, environment: Environment): OpenProcess {
  const { pid, stdin, stdout, stderr, status } = process;
  let ended = false;
  status.then(() => ended = true);
  return {
    ...{ stdin, stdout, stderr, status },
    async kill() {
      if (ended) await endStrays(pid, environment);
      else await endGroup(pid, KILL_GRACE_MS, environment);
      await status;
    },
  };
}
