import type { Enclosure } from "../enclosure.ts";
import type { Launch } from "../launch.ts";
import { recoverJournals } from "./recover_journals.ts";
import { recoveryText } from "./recovery_text.ts";
import { usingState } from "../state_error.ts";
import type { Backing } from "./backing.ts";
import { journalFolder } from "./journal_folder.ts";

/**
 * Ends the changes of several files in which an earlier process died; resolves to what a person
 * should know of them.
 */
export async function recoverChanges(
  launch: Launch,
  { offered }: Enclosure,
  { capabilities }: Backing,
): Promise<string[]> {
  const folder = journalFolder(launch);
  if (folder === undefined || !offered.some(({ needs }) => needs.write)) return [];
  return recoveryText(
    await usingState(folder, () => recoverJournals(folder, capabilities.files)),
  );
}
