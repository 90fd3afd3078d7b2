import type { Content } from "../../../tools/tool.ts";
import type { ToolMessage } from "../../messages.ts";

/** A line that looks as if a result began there. */
export const RESULT_LINE = /^[ \t]*<tool_result\b/m;

/**
 * The result of a call as text of a user message: a block between `<tool_result>` lines, and the
 * images after it. `number`: of the call in its answer, from 1.
 */
export function writeResult({ name, content }: ToolMessage, number: number): readonly Content[] {
  const texts = content.flatMap((part) => part.type === "text" ? [part.text] : []);
  const images = content.filter((part) => part.type === "image");
  const inside = escapeResult(texts.join("\n")) ||
    (images.length > 0 ? "[image follows]" : "[empty]");
  // Models make names up, too.
  const tool = name.replaceAll(/[^\w.-]/g, "_");
  const text = `<tool_result call="${number}" tool="${tool}">\n${inside}\n</tool_result>`;
  return [{ type: "text", text }, ...images];
}

/**
 * The text with every delimiter in it made harmless: `<` before `tool_result` or `/tool_result`
 * becomes `&lt;`, in any case and with blanks between. Everything else stays as it is.
 */
export function escapeResult(text: string): string {
  return text.replaceAll(/<(?=\s*\/?\s*tool_result)/gi, "&lt;");
}
