/**
 * What the proof of a view found is remembered, so that the next start need not wait for the same
 * proof. A memory never confines less: it is taken for the strictest layout alone, says only what
 * is offered to the model until the proof that runs meanwhile has come, and a view that does not
 * hold runs no command whatever is remembered.
 */
import { join } from "node:path";
import { isOfSystem, unlessMissing } from "../files/system_errors.ts";
import { bwrapArguments } from "./bwrap.ts";
import { supervisorArguments } from "./supervisor.ts";
import { startEnvironment, type View } from "./view.ts";

/** What a proof finds of a view that holds. */
export interface Found {
  /** Those of the wanted programs that the view shows. */
  readonly programs: readonly string[];
  /** Whether commands can write the workspace; known only where its mount is the real one. */
  readonly workspaceWritable: boolean;
}

/** What makes one proof stand for another. */
export interface Proven {
  readonly view: View;
  readonly filter: Uint8Array;
  readonly programs: readonly string[];
  /** The session's own folders, whose names are others each time. */
  readonly folders: readonly string[];
}

/** The proofs that a state folder remembers. */
export interface RememberedProofs {
  /** What was found under that name; undefined where nothing, or nothing that can be read, is. */
  recall(name: string): Promise<Found | undefined>;
  remember(name: string, found: Found): Promise<void>;
  forget(name: string): Promise<void>;
}

/** A proof for each workspace and profile; with more than so many it begins anew. */
const MAX_PROOFS = 200;

/**
 * The name of a proof: a digest of all that a command of the view is started with. What differs
 * between two sessions alone (their own folders, the key of marks) is left out.
 */
export async function proofName({ view, filter, programs, folders }: Proven): Promise<string> {
  const command = { key: "", cwd: "", path: "", argv: ["true"] } as const;
  const started = [
    bwrapArguments(view, supervisorArguments(view, command)),
    startEnvironment(view),
    view.environment,
    view.runAs,
    [...filter],
    programs,
  ];
  const text = folders.reduce(
    (text, folder) => text.replaceAll(JSON.stringify(folder).slice(1, -1), ""),
    JSON.stringify(started),
  );
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return new Uint8Array(digest).toHex();
}

/** Keeps proofs in `state`, a file each, for its owner alone. */
export function rememberedProofs(state: string): RememberedProofs {
  const folder = join(state, "proofs");
  const place = (name: string) => join(folder, `${name}.json`);
  return {
    async recall(name) {
      const text = await unlessRefused(() => Deno.readTextFile(place(name)));
      return text === undefined ? undefined : readFound(text);
    },
    async remember(name, { programs, workspaceWritable }) {
      const text = JSON.stringify({ programs, workspaceWritable });
      await unlessRefused(() => keep(folder, `${name}.json`, text));
    },
    async forget(name) {
      await unlessRefused(() => Deno.remove(place(name)));
    },
  };
}

/** What cannot be kept or read, for whatever stands in its way, is proven again: no start fails. */
async function unlessRefused<T>(act: () => Promise<T>): Promise<T | undefined> {
  try {
    return await act();
  } catch (error) {
    if (isOfSystem(error)) return undefined;
    throw error;
  }
}

async function keep(folder: string, name: string, text: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${crypto.randomUUID()}.tmp`);
  await Deno.writeTextFile(draft, text, { createNew: true, mode: 0o600 });
  await Deno.rename(draft, join(folder, name));
  await beginAnew(folder, name);
}

/** Removes all proofs but one where there are too many. */
async function beginAnew(folder: string, kept: string): Promise<void> {
  const names = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name);
  if (names.length <= MAX_PROOFS) return;
  for (const name of names) {
    // Another session may do the same.
    if (name !== kept) await unlessMissing(Deno.remove(join(folder, name)));
  }
}

function readFound(text: string): Found | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
  if (typeof value !== "object" || value === null) return undefined;
  const { programs, workspaceWritable } = value as Partial<Record<keyof Found, unknown>>;
  if (!Array.isArray(programs) || !programs.every((name) => typeof name === "string")) {
    return undefined;
  }
  return typeof workspaceWritable === "boolean" ? { programs, workspaceWritable } : undefined;
}
