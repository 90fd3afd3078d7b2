import { UsageError } from "../command_line/parse.ts";
import { printable } from "./output.ts";

/** The longest name of a session, in characters: it stands in a list. */
const MAX_NAME_CHARS = 100;

/**
 * What a person typed, as the name of a session; the empty text takes a name away.
 * @throws {UsageError} where it cannot be one.
 */
export function sessionName(typed: string, id: string): string {
  const name = typed.trim();
  if (name.length <= MAX_NAME_CHARS && printable(name) === name) return name;
  throw new UsageError(
    `Cannot name "${id}" so: a name is plain text of at most ${MAX_NAME_CHARS} characters`,
  );
}
