import { imageSize } from "image-size";
import { recogniseFile } from "../file_signature.ts";
import { encodePicture } from "./encode.ts";
import { clipped, fittedSize } from "./fit.ts";
import { gifFrames } from "./gif.ts";
import {
  type Orientation,
  orientationOf,
  storedArea,
  turnedUpright,
  uprightSize,
} from "./orientation.ts";
import { crop, decodeImage, type PhotonImage, resize, SamplingFilter } from "./photon.ts";
import {
  type MadePicture,
  MAX_PICTURE_BYTES,
  type NoPicture,
  type PictureReading,
  type PictureWish,
  type Rectangle,
  type Size,
} from "./picture.ts";
import { webpFrames } from "./webp.ts";

/**
 * Pixels of an image that is decoded; 48 million are what large cameras of telephones make. Decoded
 * and scaled they take some 800 MB.
 */
const MAX_DECODED_PIXELS = 50_000_000;

/** What is known of an image before it is decoded. */
interface ImageFacts {
  readonly format: MadePicture["format"];
  readonly mediaType: MadePicture["media_type"];
  readonly orientation: Orientation;
  readonly frames: number;
  /** What is to be decoded: of an animation the first frame. */
  readonly bytes: Uint8Array;
}

/**
 * Makes a picture that models take of an image file: what is too large is scaled down, a part is cut
 * out, and what they could not read becomes PNG or JPEG. All of it is decoded, also where it can stay
 * as it is, since a broken image in a conversation would break every request after it.
 * @throws what the decoder throws at a broken image.
 */
export function makePicture(bytes: Uint8Array, wish: PictureWish): PictureReading {
  const facts = factsOf(bytes);
  if ("ok" in facts) return facts;
  const { format, orientation, frames } = facts;
  const image = decodeImage(facts.bytes);
  const size = sizeOf(image);
  const upright = uprightSize(size, orientation);
  const area = wish.crop ? clipped(wish.crop, upright) : { x: 0, y: 0, ...upright };
  if (!area) return outside(upright);
  const whole = area.width === upright.width && area.height === upright.height;
  const shown = fittedSize(area);
  // Of a line one pixel wide the width stays.
  const unscaled = shown.width === area.width && shown.height === area.height;
  const fits = whole && unscaled && bytes.length <= MAX_PICTURE_BYTES;
  const pixels = shownPixels(image, orientation, area, shown);
  const black = isBlack(pixels.bytes);
  const about = { ok: true as const, format, ...upright, area, shown, frames, black };
  if (fits && orientation === 1 && frames === 1 && format !== "GIF") {
    return { ...about, media_type: facts.mediaType, data: bytes.toBase64() };
  }
  return { ...about, ...encodePicture(pixels, format === "JPEG") };
}

function isBlack(pixels: Uint8Array): boolean {
  return pixels.every((value, at) => value === 0 || at % 4 === 3);
}

/** The pixels of an area, at the size at which it is shown, upright. */
function shownPixels(
  image: PhotonImage,
  orientation: Orientation,
  area: Rectangle,
  shown: Size,
) {
  const size = sizeOf(image);
  const part = storedArea(area, size, orientation);
  const cut = part.width === size.width && part.height === size.height
    ? image
    : crop(image, part.x, part.y, part.x + part.width, part.y + part.height);
  const stored = uprightSize(shown, orientation);
  const scaled = stored.width === part.width && stored.height === part.height
    ? cut
    : resize(cut, stored.width, stored.height, filterFor(part.width / stored.width));
  return { ...shown, bytes: turnedUpright(scaled.get_raw_pixels(), stored, orientation) };
}

function sizeOf(image: PhotonImage): Size {
  return { width: image.get_width(), height: image.get_height() };
}

/** Past a half, sharper filters cost three times as much and nobody sees the difference. */
function filterFor(reduction: number): SamplingFilter {
  return reduction > 2 ? SamplingFilter.Triangle : SamplingFilter.Lanczos3;
}

/** Reads the header, and refuses what would take too much to decode. */
function factsOf(bytes: Uint8Array): ImageFacts | NoPicture {
  const signature = recogniseFile(bytes);
  if (signature?.kind !== "image") {
    const what = signature?.name ?? "not an image";
    return no(
      "unsupported",
      `${what}: only PNG, JPEG, WebP and GIF can be shown, convert it first`,
    );
  }
  const { format, mediaType } = signature;
  const { width, height, orientation } = imageSize(bytes);
  const inner = firstFrame(format, bytes);
  const size = { width, height };
  const sizes = [size, ...(inner.size ? [inner.size] : [])];
  for (const each of sizes) {
    if (each.width * each.height > MAX_DECODED_PIXELS) return tooLarge(each);
  }
  if (width < 1 || height < 1 || inner.frames < 1) return no("broken", "it holds no picture");
  return {
    ...{ format, mediaType, bytes: inner.bytes, frames: inner.frames },
    orientation: orientationOf(orientation),
  };
}

function firstFrame(format: ImageFacts["format"], bytes: Uint8Array) {
  switch (format) {
    case "GIF": {
      const { count, first } = gifFrames(bytes);
      return { frames: count, bytes, size: first };
    }
    case "WebP": {
      const { count, first, size } = webpFrames(bytes);
      return { frames: count, bytes: first, size };
    }
    case "PNG":
    case "JPEG":
      return { frames: 1, bytes, size: undefined };
  }
}

function outside({ width, height }: Size): NoPicture {
  return no("outside", `that part lies outside its ${width} x ${height} pixels`);
}

function tooLarge({ width, height }: Size): NoPicture {
  const most = MAX_DECODED_PIXELS / 1e6;
  const much = `more than the ${most} million that are read: scale it down first`;
  return no("too_large", `its ${width} x ${height} pixels are ${much}`);
}

function no(reason: NoPicture["reason"], message: string): NoPicture {
  return { ok: false, reason, message };
}
