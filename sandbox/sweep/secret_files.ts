import type { Secret } from "../redact/redact.ts";
import { secretValues } from "../redact/secret_values.ts";
import { readSeen } from "./tree_actions.ts";
import { lookAt } from "./walk_tree.ts";

/** Files of secrets are short; in bytes. */
const MAX_FILE_BYTES = 256 * 1024;
/** A workspace has a few; more are fixtures of tests. */
const MAX_FILES = 200;

/** The secrets in the files of these names below a real folder, for the redactor; no value twice. */
export function secretsIn(root: string, paths: readonly string[]): Secret[] {
  const secrets = paths.slice(0, MAX_FILES).flatMap((path) => {
    const seen = lookAt(root, path, undefined);
    const bytes = seen?.kind === "file" && readSeen(root, seen, MAX_FILE_BYTES);
    if (!bytes) return [];
    const name = path.slice(path.lastIndexOf("/") + 1);
    return secretValues(name, new TextDecoder().decode(bytes));
  });
  return [...new Map(secrets.map((secret) => [secret.value, secret])).values()];
}
