import { type Kind, KINDS, type RuntimeQuery } from "./grants.ts";

/** Asks Deno what this process was granted. */
export const queryRuntime: RuntimeQuery = (kind, value) =>
  Deno.permissions.querySync(descriptor(kind, value)).state === "granted";

/** Whether this process has all of a kind, nothing denied. */
export function hasWhole(kind: Kind): boolean {
  const { state, partial } = Deno.permissions.querySync({ name: kind });
  return state === "granted" && !partial;
}

/** Gives up whole kinds: a part of a global grant cannot be given up (measured on Deno 2.9). */
export function revokeKinds(keep: (kind: Kind) => boolean): void {
  for (const kind of KINDS) {
    if (!keep(kind)) Deno.permissions.revokeSync({ name: kind });
  }
}

function descriptor(kind: Kind, value: string | undefined): Deno.PermissionDescriptor {
  if (value === undefined) return { name: kind };
  switch (kind) {
    case "read":
    case "write":
      return { name: kind, path: value };
    case "run":
      return { name: kind, command: value };
    case "net":
      return { name: kind, host: value };
    case "env":
      return { name: kind, variable: value };
    case "sys":
      // The names of system calls are a closed union in Deno's types; ours come from our own list.
      return { name: kind, kind: value } as Deno.SysPermissionDescriptor;
  }
}
