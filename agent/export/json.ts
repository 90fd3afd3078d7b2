import type { LogContents } from "../session/read_log.ts";
import type { Transcript } from "./transcript.ts";

/** A session as one JSON object on a line: its records as they are, and the images that they name. Pure. */
export function jsonOf({ header, records }: LogContents, transcript: Transcript): string {
  const { id, cwd, created, version, parent } = header;
  const named = transcript.name === undefined ? {} : { name: transcript.name };
  const session = { id, ...named, cwd, created, version, forked_from: parent };
  return `${JSON.stringify({ session, records, images: imagesOf(transcript) })}\n`;
}

function imagesOf({ entries }: Transcript): Record<string, { media_type: string; base64: string }> {
  const images = entries.flatMap((entry) => {
    if (entry.kind === "person") return entry.parts.filter((part) => part.kind === "image");
    return entry.kind === "call" ? entry.result?.images ?? [] : [];
  });
  return Object.fromEntries(
    images.flatMap(({ name, mediaType, bytes }) =>
      bytes === undefined ? [] : [[name, { media_type: mediaType, base64: bytes.toBase64() }]]
    ),
  );
}
