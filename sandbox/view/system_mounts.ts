import type { Mount } from "./mounts.ts";

/** Programs and their libraries; not /etc, nor what a person has, nor tool chains. */
const SYSTEM = /^\/(?:usr|bin|sbin|lib\w*|dev|proc)(?:\/|$)/;

/**
 * Whether a mount of a view of commands shows nothing but the system: what a process gets that sees
 * neither the workspace nor anything of a person.
 */
export function isSystemMount(mount: Mount): boolean {
  switch (mount.kind) {
    case "bind":
      return mount.access === "read" && mount.source === mount.target && SYSTEM.test(mount.target);
    case "link":
    case "hide":
    case "seal":
    case "memory":
      return SYSTEM.test(mount.target);
    case "devices":
    case "processes":
      return true;
    case "folder":
    case "host":
      return false;
  }
}
