import { leadingBlanks } from "./text.ts";

/** How the indentation of the model's lines becomes the file's: one rule for all lines of a hit. */
export type Indentation =
  | { readonly kind: "added"; readonly prefix: string }
  | { readonly kind: "removed"; readonly prefix: string }
  /** The model wrote tabs, the file has `width` spaces for each. */
  | { readonly kind: "spaces"; readonly width: number }
  /** The model wrote `width` spaces for each tab; `rests` are the odd spaces seen behind the tabs. */
  | { readonly kind: "tabs"; readonly width: number; readonly rests: ReadonlySet<number> };

/** A non-blank line's indentation as the model wrote it, and as the file has it. */
export type IndentPair = readonly [old: string, file: string];

/** Finds the one rule that explains all pairs; undefined when there is none, or nothing to explain. */
export function findIndentation(pairs: readonly IndentPair[]): Indentation | undefined {
  const changed = pairs.find(([old, file]) => old !== file);
  if (changed === undefined) return undefined;
  const rules = [prefixRule(changed), tabRule(changed, pairs)];
  return rules.find((rule) =>
    rule !== undefined && pairs.every(([old, file]) => mapIndent(rule, old) === file)
  );
}

function prefixRule([old, file]: IndentPair): Indentation | undefined {
  if (file.endsWith(old)) {
    return { kind: "added", prefix: file.slice(0, file.length - old.length) };
  }
  return old.endsWith(file)
    ? { kind: "removed", prefix: old.slice(0, old.length - file.length) }
    : undefined;
}

function tabRule([old, file]: IndentPair, pairs: readonly IndentPair[]): Indentation | undefined {
  const oldTabs = leadingTabs(old);
  const fileTabs = leadingTabs(file);
  if (oldTabs > 0 && fileTabs === 0) {
    return widthRule("spaces", (file.length - (old.length - oldTabs)) / oldTabs);
  }
  if (fileTabs === 0 || oldTabs > 0) return undefined;
  const width = (old.length - (file.length - fileTabs)) / fileTabs;
  return widthRule("tabs", width, new Set(pairs.map(([spaces]) => spaces.length % width)));
}

/** One space for a tab is no indentation anybody writes, and would explain nearly anything. */
function widthRule(kind: "spaces" | "tabs", width: number, rests: ReadonlySet<number> = new Set()) {
  if (!Number.isInteger(width) || width < 2) return undefined;
  return kind === "spaces" ? { kind, width } : { kind, width, rests };
}

function leadingTabs(indent: string): number {
  let count = 0;
  while (indent.charCodeAt(count) === 9) count++;
  return count;
}

/** The file's form of an indentation; undefined when the rule does not reach it. */
function mapIndent(rule: Indentation, indent: string): string | undefined {
  switch (rule.kind) {
    case "added":
      return rule.prefix + indent;
    case "removed":
      return indent.startsWith(rule.prefix) ? indent.slice(rule.prefix.length) : undefined;
    case "spaces":
      return /^\t* *$/.test(indent)
        ? indent.replace(/\t/g, () => " ".repeat(rule.width))
        : undefined;
    case "tabs": {
      if (indent.includes("\t")) return undefined;
      const rest = indent.length % rule.width;
      const tabs = "\t".repeat((indent.length - rest) / rule.width);
      return rule.rests.has(rest) ? tabs + " ".repeat(rest) : undefined;
    }
  }
}

/** A whole line with its indentation mapped; a blank line becomes empty. */
export function mapLine(rule: Indentation | undefined, line: string): string | undefined {
  if (rule === undefined) return line;
  const indent = leadingBlanks(line);
  if (indent.length === line.length) return "";
  const mapped = mapIndent(rule, indent);
  return mapped === undefined ? undefined : mapped + line.slice(indent.length);
}
