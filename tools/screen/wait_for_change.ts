import { pngPixels } from "./png_pixels.ts";
import {
  pictureOf,
  type ScreenPicture,
  type ScreenRefusal,
  type ScreenshotParts,
} from "./screen_picture.ts";

/** How often the screen is looked at, in milliseconds. */
const LOOK_MS = 200;

/** Waits until the screen is another than now, and shows it as it is then, or in the end. */
export async function waitForChange(
  timeoutMs: number,
  parts: ScreenshotParts,
): Promise<(ScreenPicture & { changed: boolean }) | ScreenRefusal> {
  const { screen, signal } = parts;
  const deadline = performance.now() + timeoutMs;
  const look = async () => pngPixels((await screen.capture(signal)).png);
  const before = await look();
  let changed = false;
  while (!changed && performance.now() < deadline) {
    await pause(LOOK_MS, signal);
    changed = !areSame(before, await look());
  }
  const picture = await pictureOf(undefined, parts);
  return picture.ok ? { ...picture, changed } : picture;
}

/** Programs compress the same screen to the same bytes. */
function areSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}
