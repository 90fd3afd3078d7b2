import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { type Block, linesOf } from "../../../../agent/terminal/render/blocks.ts";
import { columnsOf } from "../../../../agent/terminal/render/columns.ts";
import { lexMarkdown, renderMarkdown } from "../../../../agent/terminal/render/markdown.ts";
import { MarkdownStream } from "../../../../agent/terminal/render/markdown_stream.ts";
import { inPieces, markdownTexts } from "./markdown_texts.ts";
import { acts, colored, plain } from "./styles.ts";

const VIEW = { width: 40, style: plain };

/** What is taken in all of a text that comes in pieces, looked at after each. */
function taken(pieces: readonly string[], stream = new MarkdownStream()): Block[] {
  const blocks: Block[] = [];
  for (const piece of pieces) {
    stream.push(piece);
    blocks.push(...stream.take(VIEW));
    stream.open(VIEW, 10);
  }
  return [...blocks, ...stream.end(VIEW)];
}

Deno.test("MarkdownStream draws in pieces what is drawn of the whole", () => {
  const torn = markdownTexts().chain((text) => fc.tuple(fc.constant(text), inPieces(text)));
  fc.assert(
    fc.property(torn, ([text, pieces]) => {
      deepStrictEqual(linesOf(taken(pieces)), linesOf(renderMarkdown(text, VIEW)));
    }),
    { numRuns: 1000 },
  );
});

Deno.test("MarkdownStream, where a later line changes what an earlier one was", async (t) => {
  const texts: [name: string, text: string][] = [
    ["an underline makes a heading", "a\nb\n===\n\nc\n"],
    ["a part of a line looks like an underline", "a\n10) b\nTitle\n- [ ] c"],
    ["a second column makes a table text", "a\n[b](c)\n|---|:-:|\nd\n"],
    ["a list lets go of blanks at its end", "- a\n!\u2000\nb\n"],
    ["a hash is no heading yet", "a\n#b\n"],
    ["a fence closes only on a line of its own", "```\na\n```b\n```\nc\n"],
    ["a fence inside a fence", "````\n```\na\n```\n````\nb\n"],
    ["a comment of HTML goes on over empty lines", "<!-- a\n\nb\n\nc -->\n\nd\n"],
    ["line ends of Windows, torn", "a\r\n\r\n- b\r\n\r\n```\r\nc\r\n```\r\n"],
    ["definitions at the end", "[a][1] b\n\nc\n\n[1]: https://d.e\n"],
  ];
  for (const [name, text] of texts) {
    await t.step(name, () => {
      deepStrictEqual(linesOf(taken(text.split(""))), linesOf(renderMarkdown(text, VIEW)));
    });
  }
});

Deno.test("MarkdownStream settles a block as soon as the next one has begun", () => {
  const stream = new MarkdownStream();
  const steps: [piece: string, settled: string[], open: string[]][] = [
    ["One **two", [], ["One **two"]],
    ["**\n\n", [], ["One **two**"]],
    ["- a\n", ["One **two**"], ["", "• a"]],
    ["- b\n\n", [], ["", "• a", "• b"]],
    ["```ts\nconst", ["", "• a", "• b"], ["", "```ts", "const", "```"]],
    [" a\nlet b\n", [], ["", "```ts", "const a", "let b", "```"]],
    ["```\n", ["", "```ts", "const a", "let b", "```"], []],
  ];
  for (const [piece, settled, open] of steps) {
    stream.push(piece);
    deepStrictEqual([linesOf(stream.take(VIEW)), linesOf(stream.open(VIEW))], [settled, open]);
  }
  deepStrictEqual(stream.end(VIEW), []);
});

Deno.test("MarkdownStream.open() shows the end of long code, and what goes before it", () => {
  const stream = new MarkdownStream();
  stream.push(`a\n\n\`\`\`\n${Array.from({ length: 1000 }, (_, i) => `line ${i}`).join("\n")}`);
  const view = { width: 40, style: colored };
  deepStrictEqual(linesOf(stream.open(view, 3)), ["a", "", "line 997", "line 998", "line 999"]);
  stream.take(view);
  deepStrictEqual(linesOf(stream.open(view, 2)), ["", "line 998", "line 999"]);
});

Deno.test("MarkdownStream.open() keeps to the width and lets nothing act", () => {
  fc.assert(
    fc.property(markdownTexts(), fc.integer({ min: 10, max: 60 }), (text, width) => {
      const stream = new MarkdownStream();
      for (const piece of text.match(/[^]{1,7}/g) ?? []) {
        stream.push(piece);
        for (const { kind, lines } of stream.open({ width, style: colored })) {
          for (const line of lines) {
            ok(!acts(line), JSON.stringify(line));
            ok(kind === "code" || columnsOf(line) <= width, JSON.stringify(line));
          }
        }
      }
    }),
    { numRuns: 100 },
  );
});

/** Characters that are read again and again while a text comes in pieces of four. */
function charactersRead(text: string): number {
  let count = 0;
  const stream = new MarkdownStream((source) => {
    count += source.length;
    return lexMarkdown(source);
  });
  taken(text.match(/[^]{1,4}/g) ?? [], stream);
  return count;
}

Deno.test("MarkdownStream reads in proportion to a text's length, whatever the text", async (t) => {
  const kinds: [name: string, unit: string][] = [
    ["paragraphs", "Some words of **bold** text that go on for a while, and then some.\n\n"],
    ["one paragraph of many lines", "Some words that go on for a while.\n"],
    ["one line", "Some words that go on "],
    ["one list", "- an item with `code` and words\n"],
    ["one loose list", "- an item with `code`\n\n  and words\n\n"],
    ["one quote", "> words that somebody said\n"],
    ["one table", "| a | b |\n|---|---|\n"],
    ["code blocks", "```ts\nconst a = 1;\nconst b = 2;\n```\n\n"],
    ["one comment of HTML", "<!--\n\nwords in a comment\n\n"],
  ];
  for (const [name, unit] of kinds) {
    await t.step(name, () => {
      const short = charactersRead(unit.repeat(Math.ceil(4_000 / unit.length)));
      const long = charactersRead(unit.repeat(Math.ceil(16_000 / unit.length)));
      ok(long < 6 * short, `four times the text: ${short} characters become ${long}`);
    });
  }
  await t.step("one code block", () => {
    const lines = "const a = 1;\n".repeat(3_000);
    const count = charactersRead(`\`\`\`ts\n${lines}\`\`\`\n`);
    ok(count < 2 * lines.length, `${count} characters of ${lines.length}`);
  });
});
