import { nearestNames } from "../nearest_name.ts";

/** Keys by the names that tmux knows (tmux(1), KEY BINDINGS). */
const NAMED: readonly string[] = [
  ..."Up Down Left Right Enter Escape Space Tab BTab BSpace Home End".split(" "),
  ..."PageUp PageDown PgUp PgDn PPage NPage Insert IC Delete DC".split(" "),
  ...Array.from({ length: 12 }, (_, index) => `F${index + 1}`),
];

/** Whether tmux takes the name as a key; what it does not know it would type as text. */
export function isKey(name: string): boolean {
  const bare = name.replace(/^(?:[CMS]-)*/, "");
  const key = bare === "" ? name : bare.replace(/^\^(?=.)/, "");
  return [...key].length === 1 || NAMED.some((known) => known.toLowerCase() === key.toLowerCase());
}

/** What to write instead of a name that is no key; empty where nothing is near. */
export function nearestKeys(name: string): string[] {
  const modifiers = /^(?:[CMS]-)*/.exec(name)?.[0] ?? "";
  const common = OTHER_NAMES[name.toLowerCase()];
  if (common !== undefined) return [common];
  const near = nearestNames(name.slice(modifiers.length), NAMED);
  return near.map((key) => modifiers + key);
}

/** Names that others use for the same keys. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  return: "Enter",
  esc: "Escape",
  backspace: "BSpace",
  del: "Delete",
  ins: "Insert",
  arrowup: "Up",
  arrowdown: "Down",
  arrowleft: "Left",
  arrowright: "Right",
  "ctrl-c": "C-c",
  "ctrl-d": "C-d",
  "ctrl+c": "C-c",
  "ctrl+d": "C-d",
};
