import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { replaceUnique } from "../../edit/ladder.ts";
import type { Rung } from "../../edit/hit.ts";

/** An edit of a run of lines; no line of the file is there twice, so that every place is unique. */
interface BlockEdit {
  readonly file: string;
  readonly old: string;
  readonly fresh: string;
}

/** Words with what the transport changes: quotes, backslashes, markup, tabs, dots, dollars. */
const words = fc.stringMatching(/^[a-z"'\\<>&$;|:. \t]{0,12}[a-z]$/);

const indent = fc.constantFrom("", "", "    ", "        ");

/** A number makes a line the only one of its kind, also where a bend takes its outer blanks. */
function unique(texts: readonly (readonly [string, string])[], mark: string): string[] {
  return texts.map(([blanks, text], index) => `${blanks}${mark}${index} ${text}`);
}

const line = fc.tuple(indent, words);

const blockEdit: fc.Arbitrary<BlockEdit> = fc.tuple(
  fc.array(line, { minLength: 3, maxLength: 8 }),
  fc.array(line, { minLength: 1, maxLength: 4 }),
  fc.nat(),
  fc.nat(),
  fc.boolean(),
).map(([texts, freshTexts, start, size, keepsFirst]) => {
  const lines = unique(texts, "old");
  const first = start % (lines.length - 1);
  const old = lines.slice(first, first + 2 + size % (lines.length - first - 1));
  const fresh = unique(freshTexts, "new");
  const block = keepsFirst ? [...old.slice(0, 1), ...fresh] : fresh;
  return { file: text(lines), old: text(old), fresh: text(block) };
});

function text(lines: readonly string[]): string {
  return lines.map((line) => line + "\n").join("");
}

function eachLine(value: string, change: (line: string, index: number) => string): string {
  return text(value.split("\n").slice(0, -1).map(change));
}

/** How an edit or its file may be bent so that the rung must still make of it what was meant. */
interface Bend {
  readonly rung: Rung;
  readonly file?: (file: string) => string;
  /** Of old and new. */
  readonly edit?: (text: string) => string;
}

const BENDS: Readonly<Record<string, Bend>> = {
  "CRLF in the file": { rung: "line_ending", file: (file) => file.replaceAll("\n", "\r\n") },
  "CRLF in the edit": { rung: "line_ending", edit: (text) => text.replaceAll("\n", "\r\n") },
  "a prefix more in the file": {
    rung: "indentation",
    file: (file) => eachLine(file, (line) => `\t ${line}`),
  },
  "a prefix more in the edit": {
    rung: "indentation",
    edit: (text) => eachLine(text, (line) => `  ${line}`),
  },
  "tabs in the file": {
    rung: "indentation",
    file: (file) => file.replace(/^ +/gm, (blanks) => "\t".repeat(blanks.length / 4)),
  },
  "line numbers": {
    rung: "transport",
    edit: (text) => eachLine(text, (line, index) => `${String(index + 9).padStart(6)}\t${line}`),
  },
  "line numbers with a bar": {
    rung: "transport",
    edit: (text) => eachLine(text, (line, index) => `${index + 9} | ${line}`),
  },
  "a code fence": { rung: "transport", edit: (text) => `\`\`\`ts\n${text}\`\`\`\n` },
  "outer line breaks": { rung: "transport", edit: (text) => `\n\n${text}` },
  "backslash escapes": {
    rung: "transport",
    edit: (text) => JSON.stringify(text).slice(1, -1),
  },
  "html entities": {
    rung: "transport",
    edit: (text) =>
      text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
        .replaceAll('"', "&quot;"),
  },
};

Deno.test("every rung makes of a bent edit what the edit itself makes", async (t) => {
  for (const [name, bend] of Object.entries(BENDS)) {
    await t.step(name, () => {
      const { rung, file: bendFile = same, edit: bendEdit = same } = bend;
      let bent = 0;
      fc.assert(
        fc.property(blockEdit, ({ file, old, fresh }) => {
          const meant = replaceUnique(file, old, fresh);
          ok(meant.ok);
          const [bentOld, bentFile] = [bendEdit(old), bendFile(file)];
          // Then no rung needs to look away from anything, and new text is spliced as it is.
          if (bentFile.includes(bentOld)) return;
          bent++;
          const answer = replaceUnique(bentFile, bentOld, bendEdit(fresh));
          const got = answer.ok ? { text: answer.text, rung: answer.rung } : answer;
          deepStrictEqual(got, { text: bendFile(meant.text), rung });
        }),
        { numRuns: 300 },
      );
      ok(bent > 50, `only ${bent} edits were bent`);
    });
  }
});

function same(text: string): string {
  return text;
}
