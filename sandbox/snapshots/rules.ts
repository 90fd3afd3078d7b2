import ignore from "ignore";
import { type IgnoreRules, isIgnored } from "../files/ignore_files.ts";
import { isForbidden, isMissing } from "../files/system_errors.ts";

/** The one file whose rules say what can be made again; `.ignore` and the like only hide. */
export const IGNORE_FILE = ".gitignore";

/** The ignore rules that hold in a folder. */
export interface Rules {
  /** The same as long as all the rules are. */
  readonly key: string;
  /** Read when they are first needed; undefined where there are none. */
  load(): IgnoreRules | undefined;
}

/** Above the root no rule counts. */
export const NO_RULES: Rules = { key: "", load: () => undefined };

/**
 * The rules of a folder (its path from the root, "" there) that has an ignore file of its own, whose
 * content `hash` names.
 */
export function rulesOf(root: string, folder: string, hash: string, above: Rules): Rules {
  let own: IgnoreRules | undefined;
  return {
    key: `${above.key} ${folder}:${hash}`,
    load: () =>
      own ??= {
        folder,
        own: ignore({ ignorecase: false }).add(textOf(joined(root, folder, IGNORE_FILE))),
        above: above.load(),
      },
  };
}

/** Whether rules hide a path from the root; a folder's path ends in "/". */
export function hides(rules: Rules, path: string): boolean {
  return isIgnored(rules.load(), path);
}

function joined(...parts: string[]): string {
  return parts.filter((part) => part !== "").join("/");
}

function textOf(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (isMissing(error) || isForbidden(error)) return "";
    throw error;
  }
}
