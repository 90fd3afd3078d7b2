import { UsageError } from "./command_line/parse.ts";
import { findSession, type NamedSession } from "./session/list.ts";

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
      throw new UsageError(
        `"${part}" is part of ${sessions.length} sessions: ${sessions.map(nameOf).join(", ")}`,
      );
    }
    case "none":
      throw new UsageError(`There is no session "${part}"; see cordon sessions`);
  }
}

function nameOf({ id, name }: NamedSession): string {
  return name === undefined ? id : `${id} (${name})`;
}
