import type { Token, Tokens } from "marked";
import { controlStripper } from "../../../sandbox/commands/control.ts";
import { BLANK, type Block, joinBlocks, spaced } from "./blocks.ts";
import { withLineFeeds } from "./columns.ts";
import { lexMarkdown, type MarkdownView, renderTokens } from "./markdown.ts";
import { TailScan } from "./tail_scan.ts";
import type { View } from "./view.ts";

/** Up to here what is open is read anew whenever it is looked at, in characters. */
const SMALL_CHARS = 1024;

/** Past that, only when it has grown by this part of itself: so all reading together is linear. */
const GROWTH = 1 / 16;

/** The blocks of a tail up to somewhere, as they were drawn. */
interface Drawn {
  readonly blocks: readonly Block[];
  /** In characters. */
  readonly to: number;
  readonly view: View | undefined;
}

const NOTHING_DRAWN: Drawn = { blocks: [], to: 0, view: undefined };

/**
 * Markdown that comes in pieces. Blocks are settled, and then never drawn again, once nothing that
 * may come can change them; the blocks that were taken are in the end those of the whole text.
 * Only what is open is read again, and that so seldom that the cost grows with the text's length
 * and not with its square.
 */
export class MarkdownStream {
  readonly #stripper = controlStripper();
  readonly #lex: (source: string) => readonly Token[];
  /** What is not settled, safe to draw; it begins where a block begins. */
  #tail = "";
  #scan = new TailScan();
  /** Line ends have come that were not looked for. */
  #hasNewLines = false;
  /** How far the tail was read when it was last looked for what is settled. */
  #readTo = 0;
  #drawn = NOTHING_DRAWN;
  /** A line at the margin has settled nothing: a comment in HTML goes on after it. */
  #isStuck = false;
  /** Settled, and not yet taken. */
  #settled: Token[] = [];
  #hasTaken = false;

  /** `lex` reads text as {@linkcode lexMarkdown} does. */
  constructor(lex: (source: string) => readonly Token[] = lexMarkdown) {
    this.#lex = lex;
  }

  /** The next piece of the text. */
  push(delta: string): void {
    this.#add(withLineFeeds(this.#stripper.strip(delta)));
  }

  /** What has been settled since it was taken last, with the empty lines between blocks. */
  take(view: MarkdownView): Block[] {
    this.#settle();
    const blocks = this.#afterTaken(renderTokens(this.#settled, view));
    this.#settled = [];
    this.#hasTaken ||= blocks.length > 0;
    return blocks;
  }

  /**
   * What was not taken; of a code block at least its last `maxLines` lines. It may lag a little
   * behind where it is long, and its code has no colours yet.
   */
  open(view: MarkdownView, maxLines = Infinity): Block[] {
    this.#settle();
    const { highlight: _, ...plain } = view;
    const settled = renderTokens(this.#settled, plain);
    const open = this.#scan.isCode
      ? renderTokens([this.#openCode(maxLines)], plain)
      : this.#openBlocks(plain);
    return this.#afterTaken(spaced([settled, open]));
  }

  /** All that is left; nothing may be pushed after it. */
  end(view: MarkdownView): Block[] {
    this.#add(withLineFeeds(this.#stripper.end()));
    this.#settle();
    this.#settled.push(...this.#lex(this.#tail));
    this.#cut(this.#tail.length);
    return this.take(view);
  }

  #afterTaken(blocks: readonly Block[]): Block[] {
    if (!this.#hasTaken || blocks.length === 0) return [...blocks];
    return joinBlocks([BLANK, ...blocks]);
  }

  #add(text: string): void {
    this.#tail += text;
    this.#hasNewLines ||= text.includes("\n");
  }

  /** Only whole lines settle anything. */
  #settle(): void {
    // To look at the tail costs its length, since only then are its pieces joined.
    if (!this.#hasNewLines) return;
    this.#hasNewLines = false;
    do this.#scan.walk(this.#tail); while (this.#settleCode() || this.#settleRead());
  }

  /** Settles the code block that the tail begins with, if it has ended. */
  #settleCode(): boolean {
    const { codeEnd } = this.#scan;
    if (codeEnd === undefined) return false;
    this.#settled.push(...this.#lex(this.#tail.slice(0, codeEnd)));
    this.#cut(codeEnd);
    return true;
  }

  /** Reads the tail where it is worth it, and settles what can be; whether there was something. */
  #settleRead(): boolean {
    const end = this.#scan.wholeTo;
    if (this.#scan.isCode || !this.#isWorthReading(end)) return false;
    // A part of a line may still become what goes on with the block before it.
    const tokens = this.#lex(this.#tail.slice(0, end));
    this.#readTo = end;
    const settled = settledTokens(tokens);
    this.#isStuck = this.#scan.breaksOut && settled.length === 0;
    if (settled.length === 0) return false;
    this.#settled.push(...settled);
    this.#cut(lengthOf(settled));
    // What is left was read just now.
    this.#readTo = end - lengthOf(settled);
    return true;
  }

  #isWorthReading(end: number): boolean {
    if (end <= this.#readTo) return false;
    return isDue(this.#readTo, end) || this.#scan.breaksOut && !this.#isStuck;
  }

  /** Drawn again where it was read again, or the terminal has changed. */
  #openBlocks(view: View): readonly Block[] {
    const { length } = this.#tail;
    const { width, style } = this.#drawn.view ?? {};
    const isSeen = view.width === width && view.style === style;
    if (isSeen && !isDue(this.#drawn.to, length)) return this.#drawn.blocks;
    const blocks = renderTokens(this.#lex(this.#tail), view);
    this.#drawn = { blocks, to: length, view };
    return blocks;
  }

  #cut(length: number): void {
    this.#tail = this.#tail.slice(length);
    this.#scan = new TailScan();
    this.#readTo = 0;
    this.#drawn = NOTHING_DRAWN;
    this.#isStuck = false;
  }

  /** Of a long block a terminal shows the last lines, and they are all that is looked at. */
  #openCode(maxLines: number): Tokens.Code {
    const { codeStart, info: lang } = this.#scan;
    const end = this.#tail.endsWith("\n") ? this.#tail.length - 1 : this.#tail.length;
    const begin = Math.max(codeStart, beginOfLast(this.#tail, end, maxLines));
    const raw = this.#tail.slice(0, codeStart);
    return { type: "code", raw, lang, text: this.#tail.slice(begin, Math.max(begin, end)) };
  }
}

/** Whether a text that was read to `before` is worth reading again to `length`. */
function isDue(before: number, length: number): boolean {
  return length > before && (length <= SMALL_CHARS || length - before >= length * GROWTH);
}

function lengthOf(tokens: readonly Token[]): number {
  return tokens.reduce((length, { raw }) => length + raw.length, 0);
}

/** Of tokens of whole lines those that no text to come can change: all before the last block. */
function settledTokens(tokens: readonly Token[]): readonly Token[] {
  const last = tokens.findLastIndex(({ type }) => type !== "space");
  const token = tokens[last];
  const before = tokens[last - 1];
  if (token === undefined || before === undefined) return [];
  // A list lets go of the blanks at its end, which are then a block as long as no line follows.
  if (!before.raw.endsWith("\n")) return [];
  // What one line makes a table, the next may make a part of the paragraph before it.
  const isTorn = token.type === "table" && token.raw.indexOf("\n") === token.raw.length - 1;
  return isTorn ? [] : tokens.slice(0, last);
}

/** Where the last `count` lines before `end` begin. */
function beginOfLast(text: string, end: number, count: number): number {
  let at = end;
  for (let left = count; left > 0 && at > 0; left--) at = text.lastIndexOf("\n", at - 1);
  return Math.max(0, at + (at < end ? 1 : 0));
}
