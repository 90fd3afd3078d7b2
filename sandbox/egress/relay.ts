import type { ByteSource } from "./head.ts";

/** A connection both ways; what Deno's connections are. */
export interface Duplex extends ByteSource, Disposable {
  write(bytes: Uint8Array): Promise<number>;
  /** No more bytes follow; reading goes on. */
  closeWrite(): Promise<void>;
  close(): void;
}

/** Takes payload as it passes. */
export interface Meter {
  up(bytes: number): void;
  down(bytes: number): void;
}

const BUFFER_BYTES = 64 * 1024;

/** After the server's last byte, what a client may take to end its own side, in milliseconds. */
const LINGER_MS = 10_000;

/** Writes all of `bytes`. */
export async function writeAll(to: Duplex, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await to.write(bytes.subarray(at));
}

/** Copies until `from` ends; the next piece is read once the last is written. */
export async function copy(
  from: ByteSource,
  to: Duplex,
  onBytes: (count: number) => void,
): Promise<void> {
  const buffer = new Uint8Array(BUFFER_BYTES);
  for (let count = await from.read(buffer); count !== null; count = await from.read(buffer)) {
    await writeAll(to, buffer.subarray(0, count));
    onBytes(count);
  }
}

/** Fires where nothing was seen for so long. */
export interface IdleTimer extends Disposable {
  /** Something was seen. */
  touch(): void;
  /** Shortens the limit; counted from now. */
  limitTo(limitMs: number): void;
}

/** Calls `onIdle` once after `limitMs` without a touch; two limits may pass before it is noticed. */
export function idleTimer(limitMs: number, onIdle: () => void): IdleTimer {
  let touched = false;
  let limit = limitMs;
  let timer = setTimeout(fire, limit);
  function fire(): void {
    if (!touched) return onIdle();
    touched = false;
    timer = setTimeout(fire, limit);
  }
  return {
    touch() {
      touched = true;
    },
    limitTo(shorter) {
      clearTimeout(timer);
      limit = Math.min(limit, shorter);
      touched = false;
      timer = setTimeout(fire, limit);
    },
    [Symbol.dispose]: () => clearTimeout(timer),
  };
}

/**
 * Joins two connections until both sides have ended, each end passed on as a half-close, or until
 * one is broken or nothing moves for `idleMs`. Neither connection is closed by it, except to break
 * off what is idle.
 */
export async function relay(
  client: Duplex,
  server: Duplex,
  meter: Meter,
  idleMs: number,
): Promise<void> {
  const breakOff = () => {
    closeQuietly(client);
    closeQuietly(server);
  };
  using idle = idleTimer(idleMs, breakOff);
  async function up(): Promise<void> {
    await copy(client, server, (count) => {
      idle.touch();
      meter.up(count);
    });
    await server.closeWrite();
  }
  async function down(): Promise<void> {
    await copy(server, client, (count) => {
      idle.touch();
      meter.down(count);
    });
    await client.closeWrite();
    idle.limitTo(LINGER_MS);
  }
  const upDone = up().catch((error: unknown) => {
    // A server that takes no more may still answer.
    idle.limitTo(LINGER_MS);
    ignoreBroken(error);
  });
  const downDone = down().catch((error: unknown) => {
    breakOff();
    ignoreBroken(error);
  });
  await Promise.all([upDone, downDone]);
}

/** Ends of a connection that are no fault of ours: the peer went away, or we closed it. */
export function isBroken(error: unknown): boolean {
  return error instanceof Deno.errors.ConnectionReset ||
    error instanceof Deno.errors.ConnectionAborted ||
    error instanceof Deno.errors.BrokenPipe ||
    error instanceof Deno.errors.NotConnected ||
    error instanceof Deno.errors.BadResource ||
    error instanceof Deno.errors.Interrupted ||
    error instanceof Deno.errors.UnexpectedEof ||
    error instanceof Deno.errors.TimedOut;
}

function ignoreBroken(error: unknown): void {
  if (!isBroken(error)) throw error;
}

/** Closes what may be closed already. */
export function closeQuietly(connection: Duplex): void {
  try {
    connection.close();
  } catch (error) {
    if (!(error instanceof Deno.errors.BadResource)) throw error;
  }
}
