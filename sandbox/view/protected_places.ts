import { isInside } from "../rights/grants.ts";
import type { Entry, MachineFacts } from "./machine_facts.ts";
import { foldersBetween, type Mount, writable } from "./mounts.ts";

/** Repositories whose parts are protected one by one; of further ones everything is read-only. */
const MAX_REPOSITORIES = 32;

/**
 * What is protected in writable folders: repositories and what runs by itself, read-only, with a pin
 * for every folder on the way. `paths` are all of these, none of which may be a link when a command
 * starts. Pure.
 */
export function protectPlaces(
  facts: MachineFacts,
  roots: readonly string[],
): { mounts: Mount[]; paths: string[] } {
  const access = new Map<string, "read" | "write">();
  const rootOf = (path: string) => roots.find((root) => path !== root && isInside(path, root));
  function protect({ path }: Entry): void {
    const root = rootOf(path);
    if (root === undefined) return;
    for (const folder of foldersBetween(root, path)) {
      if (!access.has(folder)) access.set(folder, "write");
    }
    access.set(path, "read");
  }
  const closed = facts.repositories.slice(MAX_REPOSITORIES);
  for (const path of facts.repositories.slice(0, MAX_REPOSITORIES)) {
    if (rootOf(path) === undefined) continue;
    protect({ path, folder: true });
    access.set(path, "write");
  }
  closed.forEach((path) => protect({ path, folder: true }));
  facts.autoRun
    .filter(({ path }) => !closed.some((repository) => isInside(path, repository)))
    .forEach(protect);
  // By length, a folder comes before what lies in it.
  const paths = [...access.keys()].sort((a, b) => a.length - b.length);
  return {
    paths,
    mounts: paths.map((path) => ({
      kind: "bind",
      access: access.get(path) ?? "read",
      source: path,
      target: path,
      // The user may remove it while a session lasts.
      optional: true,
    })),
  };
}

/**
 * Hides the state folder where it lies in a folder that is shown: commands could read it, and forge
 * the log of the session. Pure.
 */
export function hideState(
  state: string,
  shown: readonly string[],
  writableRoots: readonly string[],
): Mount[] {
  const root = shown.find((path) => isInside(state, path));
  if (root === undefined) return [];
  return [
    ...(writableRoots.includes(root)
      ? foldersBetween(root, state).map((path) => writable(path, path))
      : []),
    { kind: "memory", target: state, bytes: 4096 },
    { kind: "seal", target: state },
  ];
}
