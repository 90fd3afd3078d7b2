import process from "node:process";

/** The library that drives browsers. */
export type Library = typeof import("playwright-core");

/**
 * Its own doubt whether this is Windows' Linux is settled by this variable (is-wsl 2.2): it would
 * look at a file of /proc, for which Deno wants all rights.
 */
const VARIABLES = { __IS_WSL_TEST__: "1" };

let loaded: Promise<Library> | undefined;

/**
 * Loads the library, which takes a third of a second, and lets it see none of our variables meanwhile.
 * It asks Deno for the variable TMPDIR, for the home folder and for the system's release.
 */
export function loadLibrary(): Promise<Library> {
  return loaded ??= load();
}

async function load(): Promise<Library> {
  const variables = Object.getOwnPropertyDescriptor(process, "env");
  Object.defineProperty(process, "env", { value: { ...VARIABLES }, configurable: true });
  try {
    return await import("playwright-core");
  } finally {
    if (variables) Object.defineProperty(process, "env", variables);
  }
}
