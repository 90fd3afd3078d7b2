import { join } from "node:path";
import { keepsState, type Launch } from "../launch.ts";

/** Where changes of several files are noted before they are made; undefined: nowhere. */
export function journalFolder(launch: Launch): string | undefined {
  const { state } = launch.places;
  return state !== undefined && keepsState(launch) ? join(state, "journal") : undefined;
}
