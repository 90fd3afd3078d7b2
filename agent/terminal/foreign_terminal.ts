import { fstatSync } from "node:fs";
import { Readable } from "node:stream";

/** Whose a terminal is, and its mode bits. */
export interface TerminalOwner {
  readonly uid: number;
  readonly mode: number;
}

/** For others: to read and to write. */
const OPEN_TO_OTHERS = 0o006;

/**
 * Whether a terminal is another user's, as after `su`, so that only the descriptor that was handed
 * down leads to it. Node's stream of stdin opens its terminal anew, and where it may not, each of its
 * reads stops the whole program until the next key.
 */
export function isForeign({ uid, mode }: TerminalOwner, ownUid: number | undefined): boolean {
  if (ownUid === undefined || ownUid === 0 || uid === ownUid) return false;
  return (mode & OPEN_TO_OTHERS) !== OPEN_TO_OTHERS;
}

/** The same of the terminal on stdin; false where this process may not know who it is. */
export function hasForeignTerminal(): boolean {
  const { state } = Deno.permissions.querySync({ name: "sys", kind: "uid" });
  const uid = state === "granted" ? Deno.uid() ?? undefined : undefined;
  return isForeign(fstatSync(0), uid);
}

/** A foreign terminal on stdin, read by the descriptor that is there, for a line editor. */
export class ForeignTerminal extends Readable {
  readonly isTTY = true;

  setRawMode(raw: boolean): this {
    Deno.stdin.setRaw(raw);
    return this;
  }

  override _read(size: number): void {
    const buffer = new Uint8Array(size);
    Deno.stdin.read(buffer).then(
      (count) => this.push(count === null ? null : buffer.subarray(0, count)),
      (error) => this.destroy(error),
    );
  }
}
