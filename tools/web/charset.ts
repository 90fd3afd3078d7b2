/** Bytes as text, and the encoding that made it so. */
export interface Decoded {
  readonly text: string;
  /** As the Encoding standard names it. */
  readonly charset: string;
}

/** Where a page has to declare its encoding (HTML standard, 13.2.3.2), in bytes. */
const META_BYTES = 1024;

/**
 * Decodes a document: by its byte order mark, by the header `content-type`, by what it declares of
 * itself, then as UTF-8 where it is that, and else as windows-1252 as browsers do. Names of
 * encodings that nobody knows are passed over, and so is windows-1252 (which Latin-1 is another name
 * of) where the bytes are UTF-8: servers say it of everything. The mark is no part of the text.
 */
export function decodeDocument(bytes: Uint8Array, contentType = ""): Decoded {
  const labels = [
    labelOfMark(bytes),
    parameterOf(contentType, "charset"),
    declaredLabel(bytes),
    utf8Of(bytes) === undefined ? "windows-1252" : "utf-8",
  ];
  for (const label of labels) {
    const decoder = label === undefined ? undefined : decoderFor(label);
    if (!decoder || (decoder.encoding === "windows-1252" && isWideUtf8(bytes))) continue;
    return { text: decoder.decode(bytes), charset: decoder.encoding };
  }
  throw new RangeError("Cannot decode: windows-1252 is missing here");
}

function labelOfMark([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (a === 0xff && b === 0xfe) return "utf-16le";
  return undefined;
}

/** A parameter of a media type, as `text/html; charset="utf-8"` has it. */
function parameterOf(contentType: string, name: string): string | undefined {
  const pattern = new RegExp(`;\\s*${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s;]+))`, "i");
  const [, ...values] = pattern.exec(contentType) ?? [];
  return values.find((value) => value !== undefined);
}

/** What the beginning of a page or of an XML document says. */
function declaredLabel(bytes: Uint8Array): string | undefined {
  const head = new TextDecoder("windows-1252").decode(bytes.subarray(0, META_BYTES));
  const xml = /^\s*<\?xml\s[^>]*?encoding\s*=\s*["']([\w.:-]+)/i.exec(head)?.[1];
  const meta = /<meta\s[^>]*?charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(head)?.[1];
  const label = xml ?? meta;
  // A page that could be read so far is in no encoding of two bytes (HTML standard, the same place).
  return label && /^utf-?16/i.test(label) ? "utf-8" : label;
}

/** Text that makes sense in windows-1252 is hardly ever UTF-8 by chance, but for plain ASCII. */
function isWideUtf8(bytes: Uint8Array): boolean {
  return /[^\0-\x7f]/.test(utf8Of(bytes) ?? "");
}

/** Bytes as UTF-8 without a character that is cut off at the end; undefined where they are not that. */
function utf8Of(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function decoderFor(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
