import type { PictureWish } from "../../tools/image/picture.ts";
import type { DocumentHint } from "../../tools/web/document.ts";

const LINE_FEED = 10;

/** What is wanted of a reader. */
export type ReaderTask =
  | { readonly task: "document"; readonly hint: DocumentHint }
  | { readonly task: "picture"; readonly wish: PictureWish };

/** What a reader is sent: a line of JSON on what to do with it, then a file's bytes. */
export function requestBytes(bytes: Uint8Array, task: ReaderTask): Uint8Array<ArrayBuffer> {
  const head = new TextEncoder().encode(`${JSON.stringify(task)}\n`);
  const whole = new Uint8Array(head.length + bytes.length);
  whole.set(head);
  whole.set(bytes, head.length);
  return whole;
}

/**
 * The task that a request holds.
 * @throws {SyntaxError} where it is no request.
 */
export function readRequest(input: Uint8Array): ReaderTask & { readonly bytes: Uint8Array } {
  const end = input.indexOf(LINE_FEED);
  // A cast: both sides are one program.
  const task = JSON.parse(new TextDecoder().decode(input.subarray(0, end))) as ReaderTask;
  return { ...task, bytes: input.subarray(end + 1) };
}
