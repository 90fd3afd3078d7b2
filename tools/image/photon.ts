import { initSync, PhotonImage } from "@silvia-odwyer/photon/photon_rs.js";
import wasm from "@silvia-odwyer/photon/photon_rs_bg.wasm" with { type: "bytes" };

/** Pixels of four bytes each (red, green, blue, opacity), row by row. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
}

/**
 * Decodes a PNG, JPEG, GIF or WebP image, of an animation the first frame.
 * @throws where it is none; what was decoded so far then stays in memory for good.
 */
export function decodeImage(bytes: Uint8Array): PhotonImage {
  load();
  return PhotonImage.new_from_byteslice(bytes);
}

/** The image that pixels are, to be encoded. */
export function imageOf({ bytes, width, height }: Pixels): PhotonImage {
  load();
  return new PhotonImage(bytes, width, height);
}

/** The wasm is part of the program: no file is read, so that no right is needed. */
function load(): void {
  initSync({ module: wasm });
}

export { crop, type PhotonImage, resize, SamplingFilter } from "@silvia-odwyer/photon/photon_rs.js";
