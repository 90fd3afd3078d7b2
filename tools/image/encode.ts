import { imageOf, type Pixels } from "./photon.ts";
import { type MadePicture, MAX_PICTURE_BYTES } from "./picture.ts";

/** Qualities of JPEG that are tried, of 100; the first is what photographs are shown at. */
const QUALITIES = [85, 60, 30];

/**
 * Encodes pixels: photographs as JPEG, all else without loss as PNG, unless that takes too many
 * bytes for a request.
 */
export function encodePicture(
  pixels: Pixels,
  isPhotograph: boolean,
): Pick<MadePicture, "media_type" | "data"> {
  if (!isPhotograph) {
    const png = imageOf(pixels).get_bytes();
    if (png.length <= MAX_PICTURE_BYTES) return { media_type: "image/png", data: png.toBase64() };
  }
  const image = imageOf({ ...pixels, bytes: onWhite(pixels.bytes) });
  for (const quality of QUALITIES) {
    const jpeg = image.get_bytes_jpeg(quality);
    if (jpeg.length <= MAX_PICTURE_BYTES) {
      return { media_type: "image/jpeg", data: jpeg.toBase64() };
    }
  }
  throw new RangeError("Cannot encode the picture: no quality makes it small enough");
}

/** JPEG knows no opacity: what shines through becomes white, as on a page. */
function onWhite(pixels: Uint8Array): Uint8Array {
  const flat = new Uint8Array(pixels.length);
  for (let at = 0; at + 3 < pixels.length; at += 4) {
    const opacity = (pixels[at + 3] ?? 255) / 255;
    for (let i = at; i < at + 3; i++) flat[i] = (pixels[i] ?? 0) * opacity + 255 * (1 - opacity);
    flat[at + 3] = 255;
  }
  return flat;
}
