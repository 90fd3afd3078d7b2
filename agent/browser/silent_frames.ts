import type { ElementHandle, Frame, Page } from "playwright-core";
import { within } from "./within.ts";

/** How long a frame may take to answer, in milliseconds; all of a page are asked at once. */
const ANSWER_MS = 5_000;

/** The same for one into which nothing has come yet, so that it has nothing to be busy with. */
const EMPTY_ANSWER_MS = 1_000;

/** How long its element may take to change, in milliseconds. */
const HIDE_MS = 1_000;

/** Frames that are out of sight until disposed. */
export interface SilentFrames extends AsyncDisposable {
  /** Their addresses; empty where one has none yet. */
  readonly urls: readonly string[];
}

/**
 * Takes the frames of a page out of sight that do not answer, as an advertisement that never comes or
 * an address that the browser refuses: the library would wait for them and give no part of the page.
 */
export async function hideSilentFrames(page: Page): Promise<SilentFrames> {
  const silent = await silentFrames(page);
  const hidden = (await Promise.all(silent.map(hide))).flatMap((element) => element ?? []);
  return {
    urls: silent.map((frame) => frame.url()),
    async [Symbol.asyncDispose]() {
      await Promise.all(hidden.map(show));
    },
  };
}

/** Of frames in frames the outermost. */
async function silentFrames(page: Page): Promise<Frame[]> {
  const frames = page.frames().filter((frame) => frame.parentFrame() !== null);
  const answers = await Promise.all(frames.map(answersInTime));
  const silent = new Set(frames.filter((_, i) => !answers[i]));
  return [...silent].filter((frame) => !ancestorsOf(frame).some((above) => silent.has(above)));
}

async function answersInTime(frame: Frame): Promise<boolean> {
  if (frame.isDetached()) return true;
  const ms = frame.url() === "" ? EMPTY_ANSWER_MS : ANSWER_MS;
  return await within(ms, frame.locator("css=body").count()) !== undefined;
}

function ancestorsOf(frame: Frame): Frame[] {
  const parent = frame.parentFrame();
  return parent ? [parent, ...ancestorsOf(parent)] : [];
}

/** What stands in a style for a while, and how it was. */
interface Hidden {
  readonly element: ElementHandle;
  readonly before: string | null;
}

async function hide(frame: Frame): Promise<Hidden | undefined> {
  return await within(HIDE_MS, hideElement(frame));
}

async function hideElement(frame: Frame): Promise<Hidden> {
  const element = await frame.frameElement();
  const before = await element.getAttribute("style");
  await element.evaluate((node) => {
    // A cast: Deno has no types of the DOM, in which this runs.
    const { style } = node as unknown as { style: { setProperty(...words: string[]): void } };
    style.setProperty("visibility", "hidden", "important");
  });
  return { element, before };
}

async function show({ element, before }: Hidden): Promise<void> {
  const shown = element.evaluate((node, before) => {
    // A cast: as above.
    const { setAttribute, removeAttribute } = node as unknown as Attributes;
    if (before === null) removeAttribute.call(node, "style");
    else setAttribute.call(node, "style", before);
  }, before);
  await within(HIDE_MS, shown);
}

interface Attributes {
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
}
