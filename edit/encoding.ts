/** A file's bytes as text, or why they are not text. `text` never holds the byte order mark; `bom` says it was there. */
export type Decoded =
  | { readonly ok: true; readonly text: string; readonly bom: boolean }
  | { readonly ok: false; readonly reason: "encoding" | "binary"; readonly detail: string };

/** Bytes looked at for the NUL pattern of UTF-16; whole text shows it at once. */
const NUL_SAMPLE_BYTES = 8_192;

const UTF16_MARKS = [[0xff, 0xfe, "UTF-16LE"], [0xfe, 0xff, "UTF-16BE"]] as const;

/** Decodes strict UTF-8; text in another encoding and binary data are refused with a detail for the message. */
export function decodeText(bytes: Uint8Array): Decoded {
  for (const [first, second, name] of UTF16_MARKS) {
    if (bytes[0] === first && bytes[1] === second) {
      return { ok: false, reason: "encoding", detail: `${name} text (byte order mark)` };
    }
  }
  const nul = bytes.indexOf(0);
  if (nul >= 0) return refuseNul(bytes, nul);
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.startsWith("\uFEFF")
      ? { ok: true, text: text.slice(1), bom: true }
      : { ok: true, text, bom: false };
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return { ok: false, reason: "encoding", detail: "bytes that are not valid UTF-8" };
  }
}

function refuseNul(bytes: Uint8Array, nul: number): Decoded {
  const encoding = utf16Pattern(bytes);
  return encoding === undefined
    ? { ok: false, reason: "binary", detail: `NUL byte at offset ${nul}` }
    : { ok: false, reason: "encoding", detail: `${encoding} text (NUL bytes, no byte order mark)` };
}

/** Mostly ASCII text in UTF-16 has a NUL in every other place, and almost none in the places between. */
function utf16Pattern(bytes: Uint8Array): string | undefined {
  const sample = Math.min(bytes.length, NUL_SAMPLE_BYTES) & ~1;
  if (sample < 4 || bytes.length % 2 !== 0) return undefined;
  let even = 0;
  let odd = 0;
  for (let at = 0; at < sample; at += 2) {
    if (bytes[at] === 0) even++;
    if (bytes[at + 1] === 0) odd++;
  }
  const pairs = sample / 2;
  if (odd > pairs * 0.6 && even < pairs * 0.05) return "UTF-16LE";
  if (even > pairs * 0.6 && odd < pairs * 0.05) return "UTF-16BE";
  return undefined;
}

/** Encodes text as UTF-8, with the byte order mark in front when the file had one. */
export function encodeText(text: string, bom: boolean): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(bom ? "\uFEFF" + text : text);
}
