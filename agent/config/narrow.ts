import { type Config, type Narrowing, narrowingOf } from "./schema.ts";

/** A project's file before its folder is trusted: what it may set, and what it may not. */
export interface Narrowed {
  /** What holds now: `base`, narrowed. */
  readonly config: Config;
  /** Keys that are passed over, since they would widen something. */
  readonly refused: readonly (keyof Config)[];
}

/** Lets a project narrow what holds, and nothing else. Pure. */
export function narrow(base: Config, project: Config): Narrowed {
  const config: Record<string, unknown> = { ...base };
  const refused: (keyof Config)[] = [];
  for (const key of keysOf(project)) {
    const narrowing = narrowingOf(key);
    const value = narrowing && narrowed(narrowing, base[key], project[key]);
    if (value === undefined) refused.push(key);
    else config[key] = value;
  }
  // Each value is one of the two files' own, or made by `narrowed` of the same type.
  return { config: config as Config, refused };
}

/** The keys that a file sets. */
export function keysOf(config: Config): (keyof Config)[] {
  // zod left no other keys in it.
  return Object.keys(config) as (keyof Config)[];
}

/** The value that holds once a project has spoken; undefined where it would widen. */
function narrowed(narrowing: Narrowing, before: unknown, wanted: unknown): unknown {
  switch (narrowing.kind) {
    case "free":
      return wanted;
    case "lower":
      return Number(wanted) <= Number(before ?? narrowing.otherwise) ? wanted : undefined;
    case "stricter": {
      const from = before ?? narrowing.otherwise;
      const step = narrowing.steps.some(([a, b]) => a === from && b === wanted);
      return step || from === wanted ? wanted : undefined;
    }
    case "removals": {
      const list = wanted as readonly string[];
      if (!list.every((item) => item.startsWith("-"))) return undefined;
      return [...(before as readonly string[] | undefined ?? []), ...list];
    }
    default:
      return narrowing satisfies never;
  }
}
