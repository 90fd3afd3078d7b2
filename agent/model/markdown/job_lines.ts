/** A step of a shell script, in order. */
export type Step =
  | { readonly kind: "script"; readonly script: string; readonly background: boolean }
  | { readonly kind: "list" }
  | { readonly kind: "output" | "kill"; readonly job: string };

/**
 * Splits a script at its lines `bg COMMAND`, `jobs`, `output N` and `kill N`. They count only
 * where no line before them leaves something open (a quote, a here-document, a compound command,
 * a continuation): from the first such line on the rest is one script, since only a shell could
 * tell where it ends.
 */
export function splitJobLines(script: string): readonly Step[] {
  const steps: Step[] = [];
  const lines = script.split("\n");
  let plain: string[] = [];
  const flush = () => {
    const text = plain.join("\n");
    if (text.trim() !== "") steps.push({ kind: "script", script: text, background: false });
    plain = [];
  };
  for (const [index, line] of lines.entries()) {
    const command = /^[ \t]*bg[ \t]+(\S.*)$/.exec(line)?.[1];
    if (!standsAlone(command ?? line)) {
      const rest = lines.slice(index + 1);
      if (command === undefined) plain.push(line, ...rest);
      else {
        flush();
        steps.push(inBackground([command, ...rest].join("\n")));
      }
      break;
    }
    const step = command === undefined ? jobStep(line) : inBackground(command);
    if (step === undefined) {
      plain.push(line);
      continue;
    }
    flush();
    steps.push(step);
  }
  flush();
  return steps;
}

function inBackground(script: string): Step {
  return { kind: "script", script, background: true };
}

/** A line about jobs. `kill -9 12`, `kill %1` and `kill $!` are the shell's own. */
function jobStep(line: string): Step | undefined {
  const [word = "", job, ...more] = line.trim().split(/[ \t]+/);
  if (word === "jobs" && job === undefined) return { kind: "list" };
  if (word !== "output" && word !== "kill") return undefined;
  if (job === undefined || more.length > 0) return undefined;
  return /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(job) ? { kind: word, job } : undefined;
}

/** What opens and closes in a script; on a whole line each pair is balanced. */
const PAIRS: readonly (readonly [open: RegExp, close: RegExp])[] = [
  [/\(/g, /\)/g],
  [/\{/g, /\}/g],
  [/\bif\b/g, /\bfi\b/g],
  [/\bcase\b/g, /\besac\b/g],
  [/\b(?:for|while|until|select)\b/g, /\bdone\b/g],
  [/\bdo\b/g, /\bdone\b/g],
];

/** Whether a line is surely a whole piece of script. Errs to no, as for a word that only looks like a keyword. */
function standsAlone(line: string): boolean {
  const text = line.trim();
  if (text.startsWith("#")) return true;
  const bare = withoutQuotes(text);
  if (bare === undefined || bare.includes("<<") || /(?:\||&&|\\)$/.test(bare)) return false;
  const count = (signs: RegExp) => bare.match(signs)?.length ?? 0;
  return PAIRS.every(([open, close]) => count(open) === count(close));
}

/** A line with its quoted parts taken out; undefined where a quote stays open. */
function withoutQuotes(line: string): string | undefined {
  const bare = line.replaceAll(/\\["'`]|'[^']*'|"(?:[^"\\]|\\.)*"|`[^`]*`/g, "");
  return /["'`]/.test(bare) ? undefined : bare;
}
