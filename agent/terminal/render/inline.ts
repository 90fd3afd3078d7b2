import type { MarkedToken, Token } from "marked";
import type { Paint, Style } from "../style.ts";
import { decodeEntities } from "./entities.ts";
import type { Span } from "./spans.ts";

/** Marks that Markdown has for emphasis; drawn where a style has no other way to show it. */
const MARKS = { strong: "**", em: "_", del: "~~" } as const;

/** The text inside a paragraph, a heading or a cell as spans. Line breaks stay line breaks. */
export function inlineSpans(tokens: readonly Token[], style: Style, paint?: Paint): Span[] {
  // No extension is installed, so that there are none but marked's own tokens.
  return (tokens as MarkedToken[]).flatMap((token) => spansOf(token, style, paint));
}

function spansOf(token: MarkedToken, style: Style, paint: Paint | undefined): Span[] {
  switch (token.type) {
    case "strong":
    case "em":
    case "del": {
      const mark = style.plain ? [{ text: MARKS[token.type], paint }] : [];
      const inner = over(paint, emphasis(token.type, style));
      return [...mark, ...inlineSpans(token.tokens, style, inner), ...mark];
    }
    case "codespan":
      return [{
        text: style.plain ? `\`${token.text}\`` : token.text,
        paint: over(paint, style.cyan),
      }];
    case "link":
      return linkSpans(token.href, inlineSpans(token.tokens, style, paint), style, paint);
    case "image":
      return linkSpans(token.href, [{ text: decodeEntities(token.text), paint }], style, paint);
    case "br":
      return [{ text: "\n" }];
    case "text":
      if (token.tokens) return inlineSpans(token.tokens, style, paint);
      // Its `text` may hold characters that were written by their number, controls among them.
      return [{ text: decodeEntities(token.raw), paint }];
    case "escape":
      return [{ text: token.text, paint }];
    case "checkbox":
      return [{ text: token.checked ? "[x] " : "[ ] ", paint }];
    default:
      // HTML, and whatever else stands there: as it was written.
      return [{ text: token.raw, paint }];
  }
}

function emphasis(type: keyof typeof MARKS, style: Style): Paint {
  switch (type) {
    case "strong":
      return style.bold;
    case "em":
      return style.italic;
    case "del":
      return style.strike;
  }
}

/** A link says where it leads, so that nobody follows it for its words. */
function linkSpans(
  url: string,
  label: readonly Span[],
  style: Style,
  paint: Paint | undefined,
): Span[] {
  const target = isFollowed(url) ? url : undefined;
  const follow: Paint = (text) =>
    target === undefined ? style.underline(text) : style.link(style.underline(text), target);
  const linked = label.map((span) => ({ ...span, paint: over(span.paint, follow) }));
  const text = label.map((span) => span.text).join("");
  if (url === "" || text === url || `mailto:${text}` === url || `http://${text}` === url) {
    return linked;
  }
  const shown: Span = { text: `(${url})`, paint: over(paint, over(style.dim, follow)) };
  return text === "" ? [shown] : [...linked, { text: " ", paint }, shown];
}

/** What a terminal may be told to open; printable ASCII, so that nothing ends the sequence. */
function isFollowed(url: string): boolean {
  return /^(https?|mailto):[\x21-\x7e]+$/.test(url) && url.length <= 2000;
}

function over(outer: Paint | undefined, inner: Paint): Paint {
  return outer === undefined ? inner : (text) => outer(inner(text));
}
