import { resolve } from "node:path";
import { type Content, text } from "../../../tools/tool.ts";
import type { PromptWords } from "../prompt_files.ts";
import { type Editor, EMPTY, hold, insert } from "./editor.ts";
import { type Written, writtenIn } from "./written.ts";

/** What a command line says: to be sent at once, or to stand in the line until there are words. */
export type FirstWords =
  | { readonly kind: "send"; readonly written: Written; readonly more: readonly Content[] }
  | { readonly kind: "keep"; readonly editor: Editor };

/** What the operands and `-i` of a command line come to; names of images are taken from `cwd`. */
export function firstWords(
  { words, blocks, images: mentioned }: PromptWords,
  images: readonly string[],
  cwd: string,
): FirstWords {
  const paths = [...images, ...mentioned].map((path) => resolve(cwd, path));
  const typed = words.join(" ").trim();
  const line = paths.reduce(
    (editor, path) => hold(spaced(editor), { kind: "image", path }),
    insert(EMPTY, typed),
  );
  if (typed !== "") return { kind: "send", written: writtenIn(line), more: blocks.map(text) };
  const held = (editor: Editor, block: string) => hold(editor, { kind: "text", text: block });
  return { kind: "keep", editor: spaced(blocks.reduce(held, line)) };
}

function spaced(editor: Editor): Editor {
  return editor.text === "" ? editor : insert(editor, " ");
}
