/** The files of a release beside the binaries: man page, completions, licences. */
import { join } from "node:path";
import { bashCompletion } from "../../agent/command_line/complete_bash.ts";
import { fishCompletion } from "../../agent/command_line/complete_fish.ts";
import { zshCompletion } from "../../agent/command_line/complete_zsh.ts";
import { manPage } from "../../agent/command_line/man_page.ts";
import { VERSION } from "../../agent/version.ts";
import { ROOT } from "../compile/contents.ts";
import { thirdPartyNotices } from "./notices.ts";

/** Their texts by their names. Shells find completions by these names in folders of theirs. */
export async function documents(): Promise<Readonly<Record<DocumentName, string>>> {
  return {
    "cordon.1": manPage(VERSION),
    "cordon.bash": bashCompletion(),
    "cordon.fish": fishCompletion(),
    "_cordon": zshCompletion(),
    "LICENSE": await Deno.readTextFile(join(ROOT, "LICENSE")),
    "THIRD_PARTY_NOTICES.txt": await thirdPartyNotices(),
  };
}

/** The names of the documents. */
export type DocumentName =
  | "cordon.1"
  | "cordon.bash"
  | "cordon.fish"
  | "_cordon"
  | "LICENSE"
  | "THIRD_PARTY_NOTICES.txt";
