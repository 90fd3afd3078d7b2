import type { PictureReading } from "../../tools/image/picture.ts";
import type { Reading } from "../../tools/web/document.ts";
import { readDocument } from "../../tools/web/read_document.ts";
import { readRequest } from "./request.ts";

/** What a reader never needs, whatever rights its program came with. */
const NEVER = ["read", "write", "run", "net", "env", "sys", "ffi", "import"] as const;

/**
 * The reader: takes one document or image on standard input, answers on standard output with what
 * {@linkcode readDocument} or `makePicture` makes of it, as JSON, and ends. It has no rights at all.
 */
export async function runReader(): Promise<void> {
  for (const name of NEVER) Deno.permissions.revokeSync({ name });
  const input = new Uint8Array(await new Response(Deno.stdin.readable).arrayBuffer());
  const answer = new TextEncoder().encode(JSON.stringify(await readAny(input)));
  await new Blob([answer]).stream().pipeTo(Deno.stdout.writable);
}

/** Libraries throw anything at a document that their authors never met; that is an answer. */
async function readAny(input: Uint8Array): Promise<Reading | PictureReading> {
  try {
    const request = readRequest(input);
    if (request.task === "document") return await readDocument(request.bytes, request.hint);
    const { makePicture } = await import("../../tools/image/make_picture.ts");
    return makePicture(request.bytes, request.wish);
  } catch (error) {
    return { ok: false, reason: "broken", message: `it is broken${kindOf(error)}` };
  }
}

/** The name of an error where it tells something; its words may be words of the document. */
function kindOf(error: unknown): string {
  if (!(error instanceof Error) || !/^\w{1,40}$/.test(error.name)) return "";
  return /^(?:Type|Range|Runtime)?Error$/.test(error.name) ? "" : ` (${error.name})`;
}

if (import.meta.main) {
  await runReader();
  Deno.exit(0);
}
