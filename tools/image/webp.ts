import type { Size } from "./picture.ts";

/** What a WebP file holds, as far as its chunks tell (RFC 9649). */
export interface WebpFrames {
  readonly count: number;
  /** The first frame as a file of its own; the file itself where it is no animation. */
  readonly first: Uint8Array;
  /** Of the first frame's bitmap; undefined where there is none. */
  readonly size: Size | undefined;
}

interface Chunk {
  readonly type: string;
  /** Without the padding. */
  readonly data: Uint8Array;
}

/** The header of a file and of a frame, in bytes. */
const FILE_HEADER = 12;
const FRAME_HEADER = 16;

/** Finds the first frame of a WebP file without decoding it. Pure. */
export function webpFrames(bytes: Uint8Array): WebpFrames {
  const chunks = chunksOf(bytes.subarray(FILE_HEADER));
  const frames = chunks.filter(({ type }) => type === "ANMF");
  const [first] = frames;
  if (!first) return { count: 1, first: bytes, size: bitmapSize(chunks) };
  const parts = chunksOf(first.data.subarray(FRAME_HEADER));
  const size = bitmapSize(parts);
  return { count: frames.length, first: stillFile(parts, size), size };
}

function chunksOf(bytes: Uint8Array): Chunk[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const chunks: Chunk[] = [];
  for (let at = 0; at + 8 <= bytes.length;) {
    const type = String.fromCharCode(...bytes.subarray(at, at + 4));
    const length = view.getUint32(at + 4, true);
    chunks.push({ type, data: bytes.subarray(at + 8, at + 8 + length) });
    at += 8 + length + length % 2;
  }
  return chunks;
}

/** A file of one frame: with an alpha chunk in the extended form, else just the bitmap. */
function stillFile(parts: readonly Chunk[], size: Size | undefined): Uint8Array {
  const alpha = parts.find(({ type }) => type === "ALPH");
  const bitmap = parts.find(({ type }) => type === "VP8 " || type === "VP8L");
  if (!bitmap) return new Uint8Array();
  const chunks = alpha && size
    ? [{ type: "VP8X", data: extendedHeader(size) }, alpha, bitmap]
    : [bitmap];
  return riff(chunks);
}

function riff(chunks: readonly Chunk[]): Uint8Array {
  const padded = chunks.map(({ data }) => 8 + data.length + data.length % 2);
  const length = 4 + padded.reduce((sum, each) => sum + each, 0);
  const file = new Uint8Array(8 + length);
  const view = new DataView(file.buffer);
  putText(file, 0, "RIFF");
  view.setUint32(4, length, true);
  putText(file, 8, "WEBP");
  let at = FILE_HEADER;
  for (const [index, { type, data }] of chunks.entries()) {
    putText(file, at, type);
    view.setUint32(at + 4, data.length, true);
    file.set(data, at + 8);
    at += padded[index] ?? 0;
  }
  return file;
}

/** Flags (alpha), three bytes that are nothing, width and height less one in three bytes each. */
function extendedHeader({ width, height }: Size): Uint8Array {
  const three = (value: number) => [value & 0xff, value >> 8 & 0xff, value >> 16 & 0xff];
  return Uint8Array.from([0x10, 0, 0, 0, ...three(width - 1), ...three(height - 1)]);
}

function putText(to: Uint8Array, at: number, text: string): void {
  to.set(new TextEncoder().encode(text), at);
}

/** From the frame header of VP8 (RFC 6386, 9.1) or VP8L: the extended header may say another. */
function bitmapSize(chunks: readonly Chunk[]): Size | undefined {
  for (const { type, data } of chunks) {
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (type === "VP8 " && data.length >= 10) {
      const width = view.getUint16(6, true) & 0x3fff;
      return { width, height: view.getUint16(8, true) & 0x3fff };
    }
    if (type === "VP8L" && data.length >= 5) {
      const bits = view.getUint32(1, true);
      return { width: (bits & 0x3fff) + 1, height: (bits >>> 14 & 0x3fff) + 1 };
    }
  }
  return undefined;
}
