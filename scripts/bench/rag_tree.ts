import { join } from "node:path";

/** A generated tree to search in. */
export interface TreeSize {
  readonly files: number;
  /** Of one file on the average. */
  readonly bytes: number;
}

/** Words of the trees, the frequent ones first: their frequency falls as their rank rises (Zipf). */
const VOCABULARY = 40_000;

const SYLLABLES = "ba ce di fo gu ha je ki lo mu na pe qi ro su ta ve wi xo zu".split(" ");

/** Code that can be made again: the same seed gives the same numbers (mulberry32, T. Ettinger). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/**
 * Writes a tree that looks like code: folders of some thirty files, functions with bodies of some
 * lines, identifiers of two or three words, a document among ten files. One file in a hundred holds
 * a word that no other one has, `needleNNNN` by its number.
 */
export async function writeTree(root: string, { files, bytes }: TreeSize): Promise<void> {
  const random = seeded(7);
  const lines = sampleLines(random, 20_000);
  const encoder = new TextEncoder();
  for (let index = 0; index < files; index++) {
    const folder = join(
      root,
      `part${Math.floor(index / 900)}`,
      `area${Math.floor(index / 30) % 30}`,
    );
    if (index % 30 === 0) await Deno.mkdir(folder, { recursive: true });
    const isDocument = index % 10 === 0;
    const text = isDocument ? documentOf(lines, random, bytes) : codeOf(lines, random, bytes);
    const needle = index % 100 === 0 ? `\nneedle${index}\n` : "";
    const name = `file${index}.${isDocument ? "md" : "ts"}`;
    Deno.writeFileSync(join(folder, name), encoder.encode(text + needle));
  }
}

function wordOf(rank: number): string {
  let word = "";
  for (let left = rank + 7; left > 0; left = Math.floor(left / SYLLABLES.length)) {
    word += SYLLABLES[left % SYLLABLES.length];
  }
  return word;
}

/** Lines of code of about forty characters, that files are put together from. */
function sampleLines(random: () => number, count: number): string[] {
  const word = () => wordOf(Math.floor(VOCABULARY ** random()));
  const name = () => `${word()}${capital(word())}${random() < 0.3 ? capital(word()) : ""}`;
  return Array.from({ length: count }, () => {
    switch (Math.floor(random() * 4)) {
      case 0:
        return `  const ${name()} = ${word()}.${name()}(${word()});`;
      case 1:
        return `  if (${name()} === ${word()}) return ${word()}_${word()};`;
      case 2:
        return `  // ${word()} ${word()} ${word()} ${word()} ${word()}`;
      default:
        return `  ${word()}.${name()} = "${word()} ${word()}";`;
    }
  });
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

function codeOf(lines: readonly string[], random: () => number, bytes: number): string {
  let text = "";
  for (let number = 0; text.length < bytes; number++) {
    text += `export function ${capital(wordOf(Math.floor(VOCABULARY ** random())))}${number}() {\n`;
    for (let left = 5 + Math.floor(random() * 30); left > 0; left--) {
      text += `${pick(lines, random)}\n`;
    }
    text += "}\n\n";
  }
  return text;
}

function documentOf(lines: readonly string[], random: () => number, bytes: number): string {
  let text = "";
  for (let number = 1; text.length < bytes; number++) {
    text += `## Part ${number}\n\n`;
    for (let left = 12; left > 0; left--) text += `${pick(lines, random).trim()}\n`;
    text += "\n第二段说明全文检索的实现\n\n";
  }
  return text;
}

function pick(lines: readonly string[], random: () => number): string {
  return lines[Math.floor(random() * lines.length)] ?? "";
}
