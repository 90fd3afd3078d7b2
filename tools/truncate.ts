import type { Captured } from "../sandbox/commands/commands.ts";

/** What the model is shown of a command's two streams together, in bytes (50 KB). */
export const SHOWN_BYTES = 50 * 1024;

/** A cut looks back this far for the end of a line, in bytes. */
const LINE_SEARCH_BYTES = 1024;

/** Two streams as they are shown. */
export interface ShownOutput {
  readonly stdout: string;
  readonly stderr: string;
  /** Set where something was left out: how much is shown, and of how much, in bytes of text. */
  readonly truncated?: { readonly shown: number; readonly total: number };
}

/**
 * Fits both streams into `limit` bytes: each has half of it, and what one does not need the other
 * gets. Of a stream that does not fit, head and tail stay, with a line between them that tells the
 * gap.
 */
export function truncateOutput(
  stdout: Captured,
  stderr: Captured,
  limit = SHOWN_BYTES,
): ShownOutput {
  const sizes = [size(stdout), size(stderr)] as const;
  const total = sizes[0] + sizes[1];
  const half = Math.floor(limit / 2);
  const forStdout = Math.max(half, limit - sizes[1]);
  const forStderr = Math.max(half, limit - sizes[0]);
  const first = fit(stdout, Math.min(forStdout, limit));
  const second = fit(stderr, Math.min(forStderr, limit));
  const shown = first.shown + second.shown;
  const texts = { stdout: first.text, stderr: second.text };
  return shown < total ? { ...texts, truncated: { shown, total } } : texts;
}

/** A number of bytes for a person, as `512 bytes`, `50 KB`, `3.1 MB` (units of 1024). */
export function formatBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ["KB", "MB", "GB", "TB"];
  let value = bytes / 1024;
  let unit = 0;
  // 1023.95 would be rounded to a thousand and more.
  while (value >= 1023.95 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  const rounded = value < 9.95 ? Math.round(value * 10) / 10 : Math.round(value);
  return `${rounded} ${units[unit]}`;
}

/** The whole stream's text, in bytes. */
function size({ head, tail, omitted }: Captured): number {
  return byteLength(head) + byteLength(tail) + omitted;
}

function fit(captured: Captured, limit: number): { text: string; shown: number } {
  const whole = size(captured);
  if (captured.omitted === 0 && whole <= limit) return { text: captured.head, shown: whole };
  const before = headOf(captured.head, Math.floor(limit / 2));
  const after = tailOf(captured.tail || captured.head, Math.floor(limit / 2));
  const shown = byteLength(before) + byteLength(after);
  const newline = before === "" || before.endsWith("\n") ? "" : "\n";
  const gap = `${newline}[… ${formatBytes(whole - shown)} left out …]\n`;
  return { text: before + gap + after, shown };
}

/** The longest start of at most `limit` bytes, up to the end of a line where one is near. */
function headOf(text: string, limit: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limit) return text;
  let end = limit;
  while (end > 0 && isContinuation(bytes[end])) end--;
  const line = bytes.lastIndexOf(NEWLINE, end - 1) + 1;
  return decode(bytes.subarray(0, line > end - LINE_SEARCH_BYTES && line > 0 ? line : end));
}

/** The longest end of at most `limit` bytes, from the start of a line where one is near. */
function tailOf(text: string, limit: number): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.length <= limit) return text;
  let start = bytes.length - limit;
  while (isContinuation(bytes[start])) start++;
  const line = bytes.indexOf(NEWLINE, start) + 1;
  return decode(bytes.subarray(line > 0 && line < start + LINE_SEARCH_BYTES ? line : start));
}

const NEWLINE = 10;

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}
