import { basename, join } from "node:path";
import type { StateFolder } from "./shell.ts";
import { ownStateFolder } from "./shell_folder.ts";
import { VIEW_PLACES } from "./view_places.ts";

/**
 * Keeps the shell's state in a folder of the host that commands see as `/cordon/shell`. They write
 * there as they like, so only its names are taken from them, never a path.
 */
export function confinedStateFolder(hostFolder: string): StateFolder {
  const own = ownStateFolder(hostFolder);
  return {
    async open() {
      await own.open();
      return VIEW_PLACES.shell;
    },
    adopt: (next) => own.adopt(join(hostFolder, basename(next))),
  };
}
