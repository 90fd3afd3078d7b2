/** The images that models take, as MIME names them. */
const MEDIA_TYPES = {
  PNG: "image/png",
  JPEG: "image/jpeg",
  GIF: "image/gif",
  WebP: "image/webp",
} as const;

type ImageFormat = keyof typeof MEDIA_TYPES;

/** What a file's first bytes say it is. */
export type FileSignature =
  | {
    readonly kind: "image";
    readonly format: ImageFormat;
    readonly mediaType: (typeof MEDIA_TYPES)[ImageFormat];
    /** In pixels; absent where the header does not tell. */
    readonly size?: { readonly width: number; readonly height: number };
  }
  | { readonly kind: "other"; readonly name: string };

/** Recognises images and common binary formats by their first bytes; undefined for all else. */
export function recogniseFile(bytes: Uint8Array): FileSignature | undefined {
  if (starts(bytes, 0x89, "PNG\r\n", 0x1a, "\n")) return image("PNG", pngSize(bytes));
  if (starts(bytes, 0xff, 0xd8, 0xff)) return image("JPEG", jpegSize(bytes));
  if (starts(bytes, "GIF87a") || starts(bytes, "GIF89a")) return image("GIF", gifSize(bytes));
  if (starts(bytes, "RIFF") && starts(bytes.subarray(8), "WEBP")) return image("WebP", undefined);
  if (starts(bytes, "BM") && starts(bytes.subarray(6), 0, 0, 0, 0)) {
    return { kind: "other", name: "BMP image" };
  }
  if (starts(bytes.subarray(4), "ftyp")) {
    return { kind: "other", name: containerName(bytes) };
  }
  const name = OTHERS.find(([, ...parts]) => starts(bytes, ...parts))?.[0];
  return name === undefined ? undefined : { kind: "other", name };
}

/** Signatures that no text file begins with, or that always go on in binary (file(1)). */
const OTHERS: readonly (readonly [name: string, ...parts: (string | number)[]])[] = [
  ["PDF document", "%PDF-"],
  ["TIFF image", "II*", 0],
  ["TIFF image", "MM", 0, "*"],
  ["icon", 0, 0, 1, 0],
  ["JPEG XL image", 0xff, 0x0a],
  ["ZIP archive", "PK", 3, 4],
  ["gzip archive", 0x1f, 0x8b],
  ["bzip2 archive", "BZh"],
  ["xz archive", 0xfd, "7zXZ", 0],
  ["Zstandard archive", 0x28, 0xb5, 0x2f, 0xfd],
  ["ELF program", 0x7f, "ELF"],
  ["WebAssembly module", 0, "asm"],
  ["SQLite database", "SQLite format 3", 0],
  ["Java class", 0xca, 0xfe, 0xba, 0xbe],
];

/** By the brand of an ISO base media file (ISO/IEC 14496-12, 4.3). */
function containerName(bytes: Uint8Array): string {
  const brand = bytes.subarray(8, 12);
  if (starts(brand, "avi")) return "AVIF image";
  return starts(brand, "hei") || starts(brand, "mif1") ? "HEIC image" : "MPEG-4 file";
}

type Size = { readonly width: number; readonly height: number };

function image(format: ImageFormat, size: Size | undefined): FileSignature {
  return { kind: "image", format, mediaType: MEDIA_TYPES[format], ...(size ? { size } : {}) };
}

/** Whether the bytes begin with these texts and byte values. */
function starts(bytes: Uint8Array, ...parts: readonly (string | number)[]): boolean {
  const wanted = parts.flatMap((part) =>
    typeof part === "number" ? [part] : Array.from(part, (letter) => letter.charCodeAt(0))
  );
  return wanted.every((byte, index) => bytes[index] === byte);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** From the IHDR chunk, which comes first (PNG 3rd edition, 11.2.1). */
function pngSize(bytes: Uint8Array): Size | undefined {
  if (bytes.length < 24) return undefined;
  const view = viewOf(bytes);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** From the logical screen descriptor (GIF89a, 18). */
function gifSize(bytes: Uint8Array): Size | undefined {
  if (bytes.length < 10) return undefined;
  const view = viewOf(bytes);
  return { width: view.getUint16(6, true), height: view.getUint16(8, true) };
}

/** From the first frame header, found by stepping over the segments before it (ITU T.81, B.1). */
function jpegSize(bytes: Uint8Array): Size | undefined {
  const view = viewOf(bytes);
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff;) {
    const marker = view.getUint8(at + 1);
    if (isFrameHeader(marker)) {
      return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) };
    }
    at += 2 + view.getUint16(at + 2);
  }
  return undefined;
}

/** SOF0 to SOF15; DHT, JPG and DAC lie among them. */
function isFrameHeader(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}
