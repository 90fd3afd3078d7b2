import { Marked, type MarkedToken, type Token, type Tokens } from "marked";
import { type Block, prefixed, spaced, textBlock } from "./blocks.ts";
import { columnsOf, cutToWidth, drawable, expandTabs } from "./columns.ts";
import type { Highlight } from "./highlight.ts";
import { inlineSpans } from "./inline.ts";
import { wrapSpans } from "./spans.ts";
import { renderTable } from "./table.ts";
import { MIN_WIDTH, narrowed, type View, widthOf } from "./view.ts";

/** What Markdown is drawn for. */
export interface MarkdownView extends View {
  /** Colours code; without it code has no colours. */
  readonly highlight?: Highlight | undefined;
}

/** A rule longer than this helps nobody, and breaks when the terminal is made narrower. */
const MAX_RULE_COLUMNS = 40;

/**
 * In a longer text without an empty line stars stay stars, in characters: what they pair with is
 * looked for from each of them, which takes seconds where there are thousands.
 */
const MAX_EMPHASIS_CHARS = 8_000;

/**
 * Definitions of links are text: they may come long after what refers to them, and what is drawn
 * while an answer streams in must be what is drawn of the whole.
 */
const parser = new Marked({
  tokenizer: {
    def: () => undefined,
    emStrong: (_, text) => text.length > MAX_EMPHASIS_CHARS ? undefined : false,
  },
});

/** The blocks of a Markdown text, an empty line between each two. Pure. */
export function renderMarkdown(source: string, view: MarkdownView): Block[] {
  return renderTokens(lexMarkdown(drawable(source)), view);
}

/** The blocks of a text that is safe to draw, as marked reads it; their `raw` joined is the text. */
export function lexMarkdown(source: string): Token[] {
  try {
    return parser.lexer(source);
  } catch (error) {
    // Thousands of nested quotes exhaust the stack: such a text is shown as it is.
    if (!(error instanceof RangeError)) throw error;
    return [{ type: "paragraph", raw: source, text: source, tokens: [asText(source)] }];
  }
}

/** The same for tokens of {@linkcode lexMarkdown}. */
export function renderTokens(tokens: readonly Token[], view: MarkdownView): Block[] {
  // No extension is installed, so that there are none but marked's own tokens.
  return spaced((tokens as MarkedToken[]).map((token) => renderToken(token, view)));
}

function renderToken(token: MarkedToken, view: MarkdownView): Block[] {
  const { style } = view;
  switch (token.type) {
    case "space":
    case "def":
      return [];
    case "heading":
      return heading(token, view);
    case "code":
      return code(token, view);
    case "list":
      return list(token, view);
    case "blockquote":
      return quote(token, view);
    case "table":
      return textBlock(renderTable(token, view));
    case "hr": {
      const length = Math.min(MAX_RULE_COLUMNS, widthOf(view));
      return textBlock([style.dim((style.unicode ? "─" : "-").repeat(length))]);
    }
    case "html":
      return textBlock(wrapSpans([{ text: token.raw.trimEnd() }], widthOf(view)));
    case "paragraph":
    case "text":
      return textBlock(wrapSpans(inlineSpans(token.tokens ?? [token], style), widthOf(view)));
    default:
      return textBlock(wrapSpans(inlineSpans([token], style), widthOf(view)));
  }
}

function heading({ depth, tokens }: Tokens.Heading, view: View): Block[] {
  const { style } = view;
  const paint = depth === 1 ? (text: string) => style.bold(style.underline(text)) : style.bold;
  const mark = style.plain ? [{ text: `${"#".repeat(depth)} ` }] : [];
  return textBlock(wrapSpans([...mark, ...inlineSpans(tokens, style, paint)], widthOf(view)));
}

/** Where nothing can be marked up, the fences say what is code. */
function code({ text, lang = "", raw }: Tokens.Code, view: MarkdownView): Block[] {
  const language = lang.split(/[\s,{]/)[0] ?? "";
  const plain = text.split("\n").map(expandTabs);
  const lines = view.highlight?.(plain.join("\n"), language) ?? plain;
  if (!view.style.plain) return [{ kind: "code", lines }];
  const fence = /^ {0,3}(`{3,}|~{3,})/.exec(raw)?.[1] ?? "```";
  const first = cutToWidth(fence + language, widthOf(view), view.style.unicode);
  return [{ kind: "code", lines: [first, ...lines, fence] }];
}

function quote({ tokens }: Tokens.Blockquote, view: MarkdownView): Block[] {
  const bar = view.style.unicode ? "│" : "|";
  if (!hasRoomFor(`${bar} `, view)) return renderTokens(tokens, view);
  const inner = renderTokens(tokens, narrowed(view, 2));
  const mark = `${view.style.dim(bar)} `;
  return prefixed(inner, mark, mark);
}

function list({ items, ordered, start, loose }: Tokens.List, view: MarkdownView): Block[] {
  const first = start === "" ? 1 : start;
  const bullet = view.style.unicode ? "• " : "- ";
  const widest = `${first + items.length - 1}. `.length;
  const rendered = items.map((item, index) => {
    const mark = ordered ? `${first + index}. `.padStart(widest) : bullet;
    return listItem(item, mark, view);
  });
  return loose ? spaced(rendered) : rendered.flat();
}

function listItem({ tokens, loose }: Tokens.ListItem, mark: string, view: MarkdownView): Block[] {
  if (!hasRoomFor(mark, view)) {
    const own = cutToWidth(mark.trim(), widthOf(view), view.style.unicode);
    return [...textBlock([own]), ...itemBlocks(tokens, loose, view)];
  }
  const indent = " ".repeat(columnsOf(mark));
  const inner = itemBlocks(tokens, loose, narrowed(view, indent.length));
  return inner.length === 0 ? textBlock([mark.trimEnd()]) : prefixed(inner, mark, indent);
}

/** In a tight list nothing stands off. */
function itemBlocks(tokens: readonly Token[], loose: boolean, view: MarkdownView): Block[] {
  if (loose) return renderTokens(tokens, view);
  // As above: there are no tokens of extensions.
  const [box, first, ...rest] = tokens as MarkedToken[];
  if (box?.type === "checkbox" && first?.type === "text" && first.tokens) {
    // In a tight list the box stands before the text that it belongs to.
    const ticked = { ...first, tokens: [box, ...first.tokens] };
    return itemBlocks([ticked, ...rest], loose, view);
  }
  return (tokens as MarkedToken[]).flatMap((token) => renderToken(token, view));
}

/** Whether what follows a mark still has columns to stand in. */
function hasRoomFor(mark: string, view: View): boolean {
  return widthOf(view) - columnsOf(mark) >= MIN_WIDTH;
}

function asText(source: string): Tokens.Text {
  return { type: "text", raw: source, text: source, escaped: false };
}
