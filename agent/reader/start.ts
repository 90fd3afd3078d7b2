import type { Environment } from "../../sandbox/commands/environment.ts";
import { type PipedProcess, startPiped } from "../../sandbox/commands/piped_process.ts";
import { startConfined } from "../../sandbox/view/confined_process.ts";
import type { Mount } from "../../sandbox/view/mounts.ts";
import { isSystemMount } from "../../sandbox/view/system_mounts.ts";
import type { View } from "../../sandbox/view/view.ts";
import {
  readerCommand,
  readerEnvironment,
  type ReaderPlaces,
  type ReaderProgram,
  SOURCE_PARTS,
} from "./program.ts";

/** Where a reader finds what it is made of, in its view. */
const IN_VIEW: ReaderPlaces = {
  executable: "/cordon/reader/executable",
  program: "/cordon/reader/program",
  cache: "/cordon/reader/cache",
};

/** Deno keeps there what it compiled; nothing of it outlives the process. In bytes. */
const CACHE_BYTES = 64 * 1024 * 1024;

/** What a reader takes of the machine. */
const READER_LIMITS = {
  processes: 64,
  openFiles: 256,
  fileBytes: CACHE_BYTES,
  dataBytes: 2 * 1024 ** 3,
};

/** Starts a reader that sees the system's programs and itself: no file of a person, no network. */
export function startConfinedReader(
  view: View,
  filter: Uint8Array,
  program: ReaderProgram,
): PipedProcess {
  if (view.profile === "container") {
    // The outer box has all files where they are; the view takes the network away.
    const places = hostPlaces(program);
    const environment = readerEnvironment(pathOf(view.environment), places.cache);
    const argv = readerCommand(program, places);
    return startConfined({ ...view, hostNetwork: false, environment }, filter, argv);
  }
  return startConfined(readerView(view, program), filter, readerCommand(program, IN_VIEW));
}

/** Starts a reader where nothing confines it but that Deno gives it no right. */
export function startOwnReader(environment: Environment, program: ReaderProgram): PipedProcess {
  const places = hostPlaces(program);
  return startPiped(readerCommand(program, places), {
    environment: readerEnvironment(pathOf(environment), places.cache),
    cwd: "/",
  });
}

/** The view of a reader, made of that of commands. Pure. */
export function readerView(view: View, program: ReaderProgram): View {
  return {
    ...view,
    // Of the profiles with a view the one that has nothing beside it.
    profile: "plan",
    hostNetwork: false,
    mounts: [
      ...view.mounts.filter(isSystemMount),
      ...programMounts(program),
      { kind: "seal", target: "/" },
    ],
    points: [],
    linkFree: [],
    limits: { ...view.limits, ...READER_LIMITS },
    environment: readerEnvironment(view.searchPath, IN_VIEW.cache),
  };
}

function programMounts(program: ReaderProgram): Mount[] {
  const { executable, program: folder, cache } = IN_VIEW;
  const own: Mount[] = [
    readFrom(program.executable, executable),
    { kind: "memory", target: cache, bytes: CACHE_BYTES },
  ];
  switch (program.form) {
    case "compiled":
      return own;
    case "bundle":
      return [...own, readFrom(program.module, folder)];
    case "source": {
      const { root, packages } = program;
      return [
        ...own,
        ...SOURCE_PARTS.map((name) => readFrom(`${root}/${name}`, `${folder}/${name}`)),
        // Deno looks there for what comes from npm, unless a variable names another registry.
        readFrom(packages, `${cache}/npm/registry.npmjs.org`),
      ];
    }
  }
}

function readFrom(source: string, target: string): Mount {
  return { kind: "bind", access: "read", source, target };
}

/** Where nothing can be kept: what another user left in a folder of all would be run. */
const NO_CACHE = "/dev/null/deno";

/** A bundle needs no cache; from source it is Deno's own. */
function hostPlaces(program: ReaderProgram): ReaderPlaces {
  const { executable } = program;
  switch (program.form) {
    case "compiled":
      return { executable, program: "", cache: NO_CACHE };
    case "bundle":
      return { executable, program: program.module, cache: NO_CACHE };
    case "source":
      return { executable, program: program.root, cache: denoFolder(program.packages) };
  }
}

/** `DENO_DIR` of `DENO_DIR/npm/REGISTRY`. */
function denoFolder(packages: string): string {
  return packages.split("/").slice(0, -2).join("/");
}

function pathOf(environment: Environment): string {
  return environment["PATH"] ?? "/usr/bin:/bin";
}
