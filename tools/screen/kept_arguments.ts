import { parseChord } from "./chord.ts";
import { keyText, lengthText } from "./risk.ts";

/** Parameters whose texts tell nothing that was typed. */
const TELLING: ReadonlySet<string> = new Set(["action", "direction", "window"]);

/** The arguments of `computer` as they are kept: what is typed may be anything, so only how long. */
export function keptArguments(
  args: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(args).map(([name, value]) => [name, keptValue(name, value)]),
  );
}

function keptValue(name: string, value: unknown): unknown {
  if (TELLING.has(name) || typeof value === "number" || typeof value === "boolean") return value;
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "";
  const chord = name === "keys" ? parseChord(text) : undefined;
  return chord?.ok ? keyText(chord.chord) : `[${lengthText(text)}]`;
}
