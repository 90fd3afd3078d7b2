import { join } from "node:path";
import { startConfined } from "../view/confined_process.ts";
import { type Mount, writable } from "../view/mounts.ts";
import type { PipedProcess } from "../commands/piped_process.ts";
import type { Roots } from "../files/guard.ts";
import type { View } from "../view/view.ts";
import { VIEW_PLACES } from "../view/view_places.ts";
import { type CellFiles, createCellFiles } from "./client.ts";
import { cellCommand, cellEnvironment, type CellRights } from "./command.ts";
import { type CellProgram, cellProgram } from "./program.ts";

/** Where a cell finds what it is made of. No command sees these. */
const PLACES = {
  executable: "/cordon/cell/executable",
  program: "/cordon/cell/program",
  cache: "/cordon/cell/cache",
} as const;

export interface ConfinedFilesOptions {
  /** The view of commands. Profile container has no cell: there the outer box is the boundary. */
  readonly view: View;
  /** The seccomp filter (`seccomp.ts`). */
  readonly filter: Uint8Array;
  /** By their names in the view. */
  readonly roots: Roots;
  readonly home?: string;
  /** Whether the view shows `rg`, which searches ten times as fast as we do. */
  readonly ripgrep: boolean;
  /** Absolute; asked at the start of each call, before anything is awaited. */
  cwd(): string;
  /** The state folder of the host: Deno keeps there what it compiled of the cell. */
  readonly state: string;
}

/** The capability `files` in the kernel view: through a cell that sees what commands see. */
export function createConfinedFiles(options: ConfinedFilesOptions): CellFiles {
  const { view, filter, roots, ripgrep, state } = options;
  const program = cellProgram();
  return createCellFiles({
    ...options,
    async spawn() {
      const cache = await cacheFolder(state, view.workspace);
      await Deno.mkdir(cache, { recursive: true, mode: 0o700 });
      return startCell({ view, filter, program, roots, ripgrep, cache });
    },
  });
}

export interface CellStart {
  readonly view: View;
  readonly filter: Uint8Array;
  readonly program: CellProgram;
  readonly roots: Roots;
  readonly ripgrep: boolean;
  /** A folder of the host. */
  readonly cache: string;
}

/** Starts a cell in its view. */
export function startCell(start: CellStart): PipedProcess {
  const { view, filter, program, cache } = start;
  const inView = { ...program, executable: PLACES.executable };
  const argv = cellCommand(inView, PLACES.program, cellRights(start));
  return startConfined(cellView(view, program, cache), filter, argv);
}

/**
 * The view of a cell: that of commands, without network and without the places that are for
 * commands alone, and with the cell's program. Pure.
 */
export function cellView(view: View, program: CellProgram, cache: string): View {
  const kept = view.mounts.filter(isForCells);
  // What comes after the root is sealed could not make its mount points any more.
  const seal = kept.findLastIndex(({ kind }) => kind === "seal");
  return {
    ...view,
    hostNetwork: false,
    mounts: [...kept.slice(0, seal), ...programMounts(program, cache), ...kept.slice(seal)],
    environment: cellEnvironment(view.environment["PATH"] ?? "/usr/bin:/bin", PLACES.cache),
  };
}

/** What Deno itself lets a cell do: in profile plan nothing is written. Pure. */
export function cellRights(
  { roots, ripgrep, view: { profile } }: {
    readonly roots: Roots;
    readonly ripgrep: boolean;
    readonly view: Pick<View, "profile">;
  },
): CellRights {
  const { workspace, session, extraRead = [], extraWrite = [] } = roots;
  const own = [workspace, ...extraWrite];
  const others = [...(session === undefined ? [] : [session]), ...extraRead];
  const run = ripgrep ? ["rg"] : [];
  return profile === "plan"
    ? { read: [...own, ...others], write: [], run }
    : { read: others, write: own, run };
}

/** The state of the shell and the socket of the proxy are no business of a cell's. */
const FOR_COMMANDS: readonly string[] = [VIEW_PLACES.shell, VIEW_PLACES.proxy];

function isForCells(mount: Mount): boolean {
  return mount.kind !== "bind" || !FOR_COMMANDS.includes(mount.target);
}

function programMounts(program: CellProgram, cache: string): Mount[] {
  const parts = program.form === "module" ? Object.entries(program.parts) : [];
  return [
    bindRead(program.executable, PLACES.executable),
    ...parts.map(([name, source]) => bindRead(source, `${PLACES.program}/${name}`)),
    writable(cache, PLACES.cache),
  ];
}

function bindRead(source: string, target: string): Mount {
  return { kind: "bind", access: "read", source, target };
}

/**
 * One for each workspace: a cell writes there what cells read later, and what happens in one
 * workspace must not reach into another.
 */
async function cacheFolder(state: string, workspace: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(workspace));
  return join(state, "cell", new Uint8Array(digest).toHex().slice(0, 16));
}
