import type { Commands } from "../../sandbox/commands/commands.ts";
import type { Shell } from "../../sandbox/commands/shell.ts";
import type { WriteFiles } from "../../sandbox/files/files.ts";
import type { Sweeper } from "../../sandbox/sweep/sweeper.ts";
import type { Store } from "../../tools/tool.ts";

/** What the tools act on, whether confined or not. */
export interface Ground extends AsyncDisposable {
  readonly shell: Shell;
  readonly commands: Commands & AsyncDisposable;
  readonly files: WriteFiles;
  readonly filesUntil?: (signal: AbortSignal) => WriteFiles;
  readonly store: Store;
  /** Absent where this process may not look at the workspace. */
  readonly sweeper?: Sweeper;
  prepare(): void;
}
