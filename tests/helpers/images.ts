import { imageOf, type Pixels } from "../../tools/image/photon.ts";

/** A colour: red, green, blue, opacity; 0 to 255. */
export type Colour = readonly [number, number, number, number];

export const RED: Colour = [255, 0, 0, 255];
export const BLUE: Colour = [0, 0, 255, 255];

/** Pixels of which each has the colour that its place says. */
export function pixelsOf(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => Colour,
): Pixels {
  const bytes = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) bytes.set(colourAt(x, y), (y * width + x) * 4);
  }
  return { width, height, bytes };
}

/** The colour of one pixel. */
export function colourAt({ width, bytes }: Pixels, x: number, y: number): number[] {
  return [...bytes.subarray((y * width + x) * 4, (y * width + x) * 4 + 4)];
}

/** As a PNG file. */
export function pngOf(pixels: Pixels): Uint8Array {
  return imageOf(pixels).get_bytes();
}

/** As a JPEG file; with an orientation as a camera notes it. */
export function jpegOf(pixels: Pixels, orientation?: number): Uint8Array {
  const jpeg = imageOf(pixels).get_bytes_jpeg(95);
  return orientation === undefined
    ? jpeg
    : joined([jpeg.subarray(0, 2), exif(orientation), jpeg.subarray(2)]);
}

/** As a WebP file, without loss. */
export function webpOf(pixels: Pixels): Uint8Array {
  return imageOf(pixels).get_bytes_webp();
}

/** A WebP file that moves, of files of one frame each. */
export function movingWebp(width: number, height: number, frames: readonly Uint8Array[]) {
  const head = [0x02, 0, 0, 0, ...three(width - 1), ...three(height - 1)];
  const chunks = [
    riffChunk("VP8X", Uint8Array.from(head)),
    riffChunk("ANIM", new Uint8Array(6)),
    ...frames.map((frame) => {
      const place = [...three(0), ...three(0), ...three(width - 1), ...three(height - 1)];
      const bitmap = frame.subarray(12);
      return riffChunk("ANMF", joined([Uint8Array.from([...place, ...three(40), 0]), bitmap]));
    }),
  ];
  return riffChunk("RIFF", joined([text("WEBP"), ...chunks]));
}

/** The header of a PNG that says it is so large, and holds next to nothing. */
export function pngBomb(width: number, height: number): Uint8Array {
  const file = pngOf(pixelsOf(1, 1, () => RED));
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  view.setUint32(16, width);
  view.setUint32(20, height);
  view.setUint32(29, crc32(file.subarray(12, 29)));
  return file;
}

/** A GIF file of frames of one pixel each, red, on a screen of this size. */
export function gifOf(frames: number, width = 1, height = width): Uint8Array {
  const size = [...two(width), ...two(height)];
  const head = [...text("GIF89a"), ...size, 0x80, 0, 0, ...RED.slice(0, 3), 0, 0, 255];
  const frame = [
    ...[0x21, 0xf9, 4, 0, 1, 0, 0, 0],
    ...[0x2c, 0, 0, 0, 0, ...size, 0],
    ...[2, 2, 0x44, 0x01, 0],
  ];
  return Uint8Array.from([...head, ...Array.from({ length: frames }, () => frame).flat(), 0x3b]);
}

/** The segment in which cameras say how they were held. */
function exif(orientation: number): Uint8Array {
  const tiff = [...text("MM"), 0, 42, 0, 0, 0, 8];
  const entry = [0x01, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0];
  const body = [...text("Exif"), 0, 0, ...tiff, 0, 1, ...entry, 0, 0, 0, 0];
  return Uint8Array.from([0xff, 0xe1, 0, body.length + 2, ...body]);
}

function riffChunk(type: string, data: Uint8Array): Uint8Array {
  const length = new Uint8Array(4);
  new DataView(length.buffer).setUint32(0, data.length, true);
  return joined([text(type), length, data, new Uint8Array(data.length % 2)]);
}

function crc32(bytes: Uint8Array): number {
  let crc = ~0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc >>> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc >>> 0;
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function text(value: string): Uint8Array {
  return new TextEncoder().encode(value);
}

function two(value: number): number[] {
  return [value & 0xff, value >> 8];
}

function three(value: number): number[] {
  return [value & 0xff, value >> 8 & 0xff, value >> 16];
}
