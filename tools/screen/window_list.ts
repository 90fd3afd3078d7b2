import * as z from "zod";
import { cleanLine, fenced, newFence } from "../web/outside.ts";
import type { DesktopLook } from "./desktop.ts";
import { inPicture } from "./scale.ts";

/** The windows of a desktop, the foremost first; places are those of the screen's picture. */
export const windowList = z.object({
  /** Titles are written by whoever made the window. */
  untrusted: z.literal(true),
  source: z.literal("screen"),
  fence: z.string(),
  list: z.array(z.object({
    title: z.string(),
    x: z.number(),
    y: z.number(),
    width: z.number(),
    height: z.number(),
    terminal: z.boolean(),
    focused: z.boolean(),
  })),
});

/** The windows of a desktop. */
export type WindowList = z.infer<typeof windowList>;

/** Windows that are told at the most. */
const MAX_WINDOWS = 100;

/** Looks which windows there are. */
export async function listed(desktop: DesktopLook, signal: AbortSignal): Promise<WindowList> {
  const [screen, apps, focused] = await Promise.all([
    desktop.size(signal),
    desktop.apps(signal),
    desktop.focused(signal),
  ]);
  const list = apps.toReversed().slice(0, MAX_WINDOWS).map(({ id, title, place, isTerminal }) => {
    const { x: width, y: height } = inPicture({ x: place.width, y: place.height }, screen);
    return {
      title: cleanLine(title),
      ...inPicture(place, screen),
      ...{ width, height, terminal: isTerminal, focused: id === focused?.id },
    };
  });
  return { untrusted: true, source: "screen", fence: newFence(), list };
}

/** A line for each window. */
export function renderWindows({ list, fence }: WindowList): string {
  if (list.length === 0) return "[no windows]";
  const lines = list.map(({ title, x, y, width, height, terminal, focused }) => {
    const what = [...(terminal ? ["terminal"] : []), ...(focused ? ["has the keyboard"] : [])];
    const facts = [`${width} x ${height} at ${x}, ${y}`, ...what].join(", ");
    return `${JSON.stringify(title)}: ${facts}`;
  });
  return fenced(lines.join("\n"), "the screen", fence);
}
