import { type Kind, KINDS, type RuntimeQuery } from "../../sandbox/rights/grants.ts";
import { hasWhole, queryRuntime } from "../../sandbox/rights/runtime.ts";
import type { RuntimeRights } from "./program.ts";

/** What a child would use of each kind, beyond what its grants say. */
export type WantedRights = Readonly<Record<Kind, readonly string[]>>;

/** How Deno is asked; another one for tests. */
export interface Runtime {
  readonly whole: (kind: Kind) => boolean;
  readonly query: RuntimeQuery;
}

const DENO: Runtime = { whole: hasWhole, query: queryRuntime };

/**
 * What Deno gives a child: each kind as a whole where this process still has it so, and of the others
 * what it has of the wanted. Never more than this process has: what it has given up stays away.
 */
export function runtimeRights(wanted: WantedRights, runtime: Runtime = DENO): RuntimeRights {
  const flags = KINDS.flatMap((kind) => {
    if (runtime.whole(kind)) return [`--allow-${kind}`];
    const values = wanted[kind].filter((value) => isNameable(value) && runtime.query(kind, value));
    return values.length === 0 ? [] : [`--allow-${kind}=${[...new Set(values)].join(",")}`];
  });
  return { flags, wholeEnvironment: runtime.whole("env") };
}

/** Deno 2.9 splits its lists at commas, without an escape. */
function isNameable(value: string): boolean {
  return value !== "" && !value.includes(",");
}
