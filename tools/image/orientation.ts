import type { Rectangle, Size } from "./picture.ts";

/**
 * How a camera was held, as EXIF says it (tag 0x0112): 1 is upright, 2 to 4 are mirrored or upside
 * down, 5 to 8 lie on a side.
 */
export type Orientation = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8;

/** An orientation of what a file says; upright where it says nothing that there is. */
export function orientationOf(value: number | undefined): Orientation {
  switch (value) {
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
    case 8:
      return value;
    default:
      return 1;
  }
}

/** The size of an image once it stands upright. */
export function uprightSize({ width, height }: Size, orientation: Orientation): Size {
  return orientation >= 5 ? { width: height, height: width } : { width, height };
}

/** Where a pixel of the upright image lies in the stored one, of the size `stored`. */
function storedPoint(x: number, y: number, stored: Size, orientation: Orientation) {
  const right = stored.width - 1;
  const bottom = stored.height - 1;
  switch (orientation) {
    case 1:
      return { x, y };
    case 2:
      return { x: right - x, y };
    case 3:
      return { x: right - x, y: bottom - y };
    case 4:
      return { x, y: bottom - y };
    case 5:
      return { x: y, y: x };
    case 6:
      return { x: y, y: bottom - x };
    case 7:
      return { x: right - y, y: bottom - x };
    case 8:
      return { x: right - y, y: x };
  }
}

/** The part of the stored image that is shown as an area of the upright one. Pure. */
export function storedArea(area: Rectangle, stored: Size, orientation: Orientation): Rectangle {
  const first = storedPoint(area.x, area.y, stored, orientation);
  const last = storedPoint(
    area.x + area.width - 1,
    area.y + area.height - 1,
    stored,
    orientation,
  );
  return {
    x: Math.min(first.x, last.x),
    y: Math.min(first.y, last.y),
    width: Math.abs(first.x - last.x) + 1,
    height: Math.abs(first.y - last.y) + 1,
  };
}

/** Pixels of four bytes each, row by row, turned upright. Pure. */
export function turnedUpright(
  pixels: Uint8Array,
  stored: Size,
  orientation: Orientation,
): Uint8Array<ArrayBuffer> {
  const { width, height } = uprightSize(stored, orientation);
  const turned = new Uint8Array(width * height * 4);
  for (let y = 0, to = 0; y < height; y++) {
    for (let x = 0; x < width; x++, to += 4) {
      const from = storedPoint(x, y, stored, orientation);
      const at = (from.y * stored.width + from.x) * 4;
      turned.set(pixels.subarray(at, at + 4), to);
    }
  }
  return turned;
}
