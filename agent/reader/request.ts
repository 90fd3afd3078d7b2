import type { DocumentHint } from "../../tools/web/document.ts";

const LINE_FEED = 10;

/** What a reader is sent: a line of JSON about the document, then its bytes. */
export function requestBytes(bytes: Uint8Array, hint: DocumentHint): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${JSON.stringify(hint)}\n`);
  const whole = new Uint8Array(head.length + bytes.length);
  whole.set(head);
  whole.set(bytes, head.length);
  return whole;
}

/**
 * The document that a request holds.
 * @throws {SyntaxError} where it is no request.
 */
export function readRequest(input: Uint8Array): { hint: DocumentHint; bytes: Uint8Array } {
  const end = input.indexOf(LINE_FEED);
  // A cast: both sides are one program.
  const hint = JSON.parse(new TextDecoder().decode(input.subarray(0, end))) as DocumentHint;
  return { hint, bytes: input.subarray(end + 1) };
}
