import type { Key } from "./keys.ts";

/** A key for whoever waits for single keys: its name, or the one character; a paste is none. */
export function keyName(key: Key): string {
  switch (key.kind) {
    case "key":
      return key.name;
    case "text":
      return key.text;
    case "paste":
      return "";
  }
}
