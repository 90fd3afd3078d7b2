import * as z from "zod";
import type { Size } from "../image/picture.ts";
import { cleanLine, fenced, newFence } from "../web/outside.ts";
import type { DesktopLook } from "./desktop.ts";
import { inPicture } from "./scale.ts";
import type { ScreenRefusal } from "./screen_picture.ts";

/** An element of a window, as its program tells it. */
export interface Accessible {
  /** 0 is a program, 1 a window. */
  readonly depth: number;
  /** As "push button". */
  readonly role: string;
  readonly name: string;
  /** On the screen, in its pixels. */
  readonly place?: Size & { readonly x: number; readonly y: number };
  /** As "focused" and "checked". */
  readonly states: readonly string[];
}

/** The elements that programs tell of, or why none do, with what helps. */
export type AccessibleTree =
  | { readonly ok: true; readonly elements: readonly Accessible[]; readonly more: boolean }
  | { readonly ok: false; readonly message: string };

/** The elements of a desktop; places are the middles of elements in the screen's picture. */
export const elementTree = z.object({
  untrusted: z.literal(true),
  source: z.literal("screen"),
  fence: z.string(),
  /** A line for each element, deeper ones further in. */
  text: z.string(),
  elements: z.number(),
  /** There are more than are told. */
  more: z.boolean(),
});

/** The elements of a desktop. */
export type ElementTree = z.infer<typeof elementTree>;

/** Asks programs for the elements of their windows. */
export async function toldElements(
  desktop: DesktopLook,
  signal: AbortSignal,
): Promise<{ readonly ok: true; readonly tree: ElementTree } | ScreenRefusal> {
  const [screen, tree] = await Promise.all([desktop.size(signal), desktop.elements(signal)]);
  if (!tree.ok) return { ok: false, reason: "unavailable", message: tree.message };
  const { elements, more } = tree;
  const text = elements.map((element) => elementLine(element, screen)).join("\n");
  const about = { untrusted: true as const, source: "screen" as const, fence: newFence() };
  return { ok: true, tree: { ...about, text, elements: elements.length, more } };
}

function elementLine({ depth, role, name, place, states }: Accessible, screen: Size): string {
  const words = [cleanLine(role), ...(name === "" ? [] : [JSON.stringify(cleanLine(name))])];
  const shown = place && place.width > 0 && place.height > 0
    ? inPicture({ x: place.x + (place.width >> 1), y: place.y + (place.height >> 1) }, screen)
    : undefined;
  const where = shown ? [`at ${shown.x}, ${shown.y}`] : [];
  return `${"  ".repeat(depth)}${
    [...words, ...where, ...states.map((state) => cleanLine(state))].join(" ")
  }`;
}

/** The model's view of the elements. */
export function renderElements({ text, elements, more, fence }: ElementTree): string {
  if (elements === 0) return "[no program tells of its elements]";
  return `${fenced(text, "the screen", fence)}${more ? "\n[there are more elements]" : ""}`;
}
