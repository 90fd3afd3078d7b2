import { basename, join } from "node:path";
import type { StateFolder } from "../commands/shell.ts";
import { ownStateFolder } from "../commands/shell_folder.ts";
import type { SeenFolder } from "./view.ts";

/**
 * Keeps the shell's state in a folder of the host that commands see by another name. They write
 * there as they like, so only names are taken from them, never a path.
 */
export function confinedStateFolder({ host, seen }: SeenFolder): StateFolder {
  const own = ownStateFolder(host);
  return {
    async open() {
      await own.open();
      return seen;
    },
    adopt: (next) => own.adopt(join(host, basename(next))),
    discard: (next) => own.discard(join(host, basename(next))),
  };
}
