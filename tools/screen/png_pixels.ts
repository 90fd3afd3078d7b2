/** The compressed pixels of a PNG file, without what else its programs write into it. Pure. */
export function pngPixels(png: Uint8Array): Uint8Array {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  const parts: Uint8Array[] = [];
  // After the signature chunks follow each other: length, type, data, sum (PNG 3rd edition, 5.3).
  for (let at = 8; at + 12 <= png.length;) {
    const length = view.getUint32(at);
    if (view.getUint32(at + 4) === IDAT) parts.push(png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const pixels = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    pixels.set(part, at);
    at += part.length;
  }
  return pixels;
}

const IDAT = 0x49444154;
