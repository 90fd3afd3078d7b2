import { UsageError } from "./command_line/parse.ts";
import { findSession, type NamedSession } from "./session/list.ts";

/** Sessions that a sentence lists, at the most. */
const MAX_LISTED = 5;

/** How much of a first prompt it shows, in UTF-16 units. */
const MAX_PROMPT_CHARS = 40;

/**
 * The id of the session that a person means by a part of its name or id.
 * @throws {UsageError} where there is none, or more than one: then they are listed.
 */
export async function findSessionId(folder: string, part: string): Promise<string> {
  const found = await findSession(folder, { part });
  switch (found.kind) {
    case "found":
      return found.id;
    case "ambiguous": {
      const { sessions } = found;
      const more = sessions.length - MAX_LISTED;
      const listed = sessions.slice(0, MAX_LISTED).map(nameOf).join(", ");
      const rest = more > 0 ? ` and ${more} more; cordon sessions lists them` : "";
      throw new UsageError(`"${part}" is part of ${sessions.length} sessions: ${listed}${rest}`);
    }
    case "none":
      throw new UsageError(`There is no session "${part}"; see cordon sessions`);
  }
}

/** What tells a session from others beside its id: its name, or how it began. */
function nameOf({ id, name, firstPrompt }: NamedSession): string {
  const words = name ?? firstPrompt?.slice(0, MAX_PROMPT_CHARS);
  return words === undefined ? id : `${id} (${words})`;
}
