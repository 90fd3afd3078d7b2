import type { Rectangle, Size } from "./picture.ts";

/**
 * The longest side of a picture, in pixels. Anthropic's servers scale longer ones down before their
 * models look at them, OpenAI's at 2048; whoever scales first knows the factor, and a model's
 * coordinates can be counted back.
 */
export const MAX_SIDE = 1568;

/** Pixels of a picture; above, Anthropic's servers scale it down whatever its sides (1 600 tokens). */
export const MAX_SHOWN_PIXELS = 1_150_000;

/** The size at which an area is shown: as it is, or as much smaller as servers would make it. Pure. */
export function fittedSize({ width, height }: Size): Size {
  const factor = Math.min(
    1,
    MAX_SIDE / Math.max(width, height),
    Math.sqrt(MAX_SHOWN_PIXELS / (width * height)),
  );
  // Down, so that rounding never leaves the bounds; a line keeps a pixel.
  return {
    width: Math.max(1, Math.floor(width * factor)),
    height: Math.max(1, Math.floor(height * factor)),
  };
}

/** The part of a crop that lies on the image; undefined where none does. Pure. */
export function clipped(crop: Rectangle, { width, height }: Size): Rectangle | undefined {
  if (crop.x >= width || crop.y >= height) return undefined;
  return {
    x: crop.x,
    y: crop.y,
    width: Math.min(crop.width, width - crop.x),
    height: Math.min(crop.height, height - crop.y),
  };
}
