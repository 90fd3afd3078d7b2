import type { Recovery } from "./recover_journals.ts";

/** So many files are named; a change may have hundreds. */
const MAX_NAMED = 10;

/** What a person should know of changes in which a process died: at most two lines for each. */
export function recoveryText(recoveries: readonly Recovery[]): string[] {
  return recoveries.flatMap(({ restored, left }) => [
    ...(restored.length > 0 ? [`A change that was cut off is undone: ${list(restored)}`] : []),
    ...(left.length > 0
      ? [
        `A change that was cut off left as they are: ${
          list(left.map(({ path, why }) => `${path} (${why})`))
        }`,
      ]
      : []),
  ]);
}

function list(items: readonly string[]): string {
  const more = items.length - MAX_NAMED;
  return items.slice(0, MAX_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
