import type { ToolCallContent, ToolCallLocation } from "@agentclientprotocol/sdk";
import { tellingArgument } from "../terminal/render/telling_argument.ts";
import { cleanLine } from "../../tools/web/outside.ts";
import { kindOf } from "./call_kind.ts";

/** The longest title of a call, in UTF-16 units: it stands on one line. */
const MAX_TITLE_CHARS = 300;

/** What a call is about, on one line: of a command the command itself. Pure. */
export function titleOf(tool: string, args: unknown): string {
  const { text, moreLines } = tellingArgument(args);
  const about = cleanLine(text, MAX_TITLE_CHARS);
  const more = moreLines === 0 ? "" : ` (+${moreLines} ${moreLines === 1 ? "line" : "lines"})`;
  if (about === "") return tool;
  return kindOf(tool) === "execute" && tool === "bash" ? about + more : `${tool} ${about}${more}`;
}

/** The files that the arguments of a file tool name; none for other tools. Pure. */
export function locationsOf(
  tool: string,
  args: unknown,
  named: (path: string) => string,
): ToolCallLocation[] {
  const kind = kindOf(tool);
  if (kind !== "read" && kind !== "edit" && kind !== "search") return [];
  if (typeof args !== "object" || args === null) return [];
  // What any object is: its values are looked at one by one.
  const { path, paths, patches, offset } = args as Readonly<Record<string, unknown>>;
  const line = typeof offset === "number" && offset >= 1 ? { line: Math.floor(offset) } : {};
  const listed = [path, ...listOf(paths), ...listOf(patches).map(pathIn)];
  return listed.flatMap((one) =>
    typeof one === "string" && one !== "" ? [{ path: named(one), ...line }] : []
  );
}

/** Text as it stands: an editor reads content as Markdown. Pure. */
export function verbatim(text: string): ToolCallContent {
  return { type: "content", content: { type: "text", text: fencedText(text) } };
}

/** Text between fences that are longer than any in it. Pure. */
export function fencedText(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${text.replace(/\n+$/, "")}\n${fence}`;
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function pathIn(value: unknown): unknown {
  return typeof value === "object" && value !== null && "path" in value ? value.path : undefined;
}
