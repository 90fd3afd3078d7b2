import { cleanLine } from "../../tools/web/outside.ts";
import type { NamedSession } from "../session/list.ts";

/** The longest title of a session, in UTF-16 units: it stands in a list. */
const MAX_TITLE_CHARS = 80;

/** What a session is called: by its name, else by what was said first; undefined where nothing was. Pure. */
export function titleOf(
  { name, firstPrompt }: Omit<NamedSession, "id">,
): string | undefined {
  const title = cleanLine(name ?? firstPrompt ?? "", MAX_TITLE_CHARS);
  return title === "" ? undefined : title;
}
