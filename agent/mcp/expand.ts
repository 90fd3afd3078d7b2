import type { ReadVariable } from "../environment.ts";

/** A text whose variables were put in, or the first that there is not. */
export type Expanded =
  | { readonly ok: true; readonly text: string; readonly used: readonly string[] }
  | { readonly ok: false; readonly missing: string };

const VARIABLE = /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

/**
 * Puts variables of the host where `${NAME}` or `${NAME:-otherwise}` stands, as configurations of MCP
 * servers have it; what is put in is not read again. `used`: the names of those that were there.
 */
export function expandVariables(text: string, env: ReadVariable): Expanded {
  const used: string[] = [];
  let missing: string | undefined;
  const expanded = text.replaceAll(VARIABLE, (_, name: string, otherwise?: string) => {
    const value = env(name) || undefined;
    if (value !== undefined) used.push(name);
    else if (otherwise === undefined) missing ??= name;
    return value ?? otherwise ?? "";
  });
  return missing === undefined ? { ok: true, text: expanded, used } : { ok: false, missing };
}
