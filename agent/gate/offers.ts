import type { Offer } from "./approver.ts";
import { prefixOf } from "./prefix.ts";
import { type Deed, exactBinding, screenText } from "./rules.ts";

/**
 * What an answer for the session may hold for, narrowest first: exactly this, and for one simple
 * command those that begin like it. None where a deed is not known, since a rule without it would
 * let the call pass for less than it does.
 */
export function offersFor(deeds: readonly (Deed | undefined)[]): Offer[] {
  const known = deeds.filter((deed) => deed !== undefined);
  if (known.length === 0 || known.length < deeds.length) return [];
  const [only] = known;
  const exact = { what: exactText(known), bindings: known.map(exactBinding) };
  return known.length === 1 && only ? [exact, ...wideOffer(only)] : [exact];
}

function wideOffer(deed: Deed): Offer[] {
  if (deed.kind === "foreign") {
    const { server } = deed;
    const what = `every tool of the MCP server ${JSON.stringify(server)}`;
    return [{ what, bindings: [{ kind: "foreign", server }] }];
  }
  if (deed.kind !== "command" || !deed.words) return [];
  const words = prefixOf(deed.words);
  if (!words) return [];
  const { tool, cwd } = deed;
  return [{
    what: `every command that begins with "${words.join(" ")}"`,
    bindings: [{ kind: "prefix", words: [...words], tool, cwd }],
  }];
}

function exactText(deeds: readonly Deed[]): string {
  const [first] = deeds;
  if (first?.kind === "host") return `reaching ${first.host}:${first.port}`;
  if (first?.kind === "foreign") return "this tool, with any arguments";
  if (first?.kind === "screen" && deeds.length === 1) return screenText(first.act);
  if (deeds.every(({ kind }) => kind === "command")) return "exactly this command";
  if (deeds.every(({ kind }) => kind === "write")) {
    return deeds.length === 1 ? "writing this file" : `writing these ${deeds.length} files`;
  }
  return "exactly this";
}
