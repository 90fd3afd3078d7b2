import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { readMacLook } from "../../../agent/screen/macos_look.ts";

const SCRIPT = new URL("../../../agent/screen/macos_desktop.jxa", import.meta.url);

/** A window as CoreGraphics tells it. */
const shown = (number: number, pid: number, owner: string, layer = 0) => ({
  ...{ kCGWindowNumber: number, kCGWindowOwnerPID: pid, kCGWindowOwnerName: owner },
  ...{ kCGWindowLayer: layer, kCGWindowBounds: { X: number, Y: 2, Width: 30, Height: 40 } },
});

const WINDOWS = [shown(1, 10, "Dock", 20), shown(2, 11, "Notes"), shown(3, 12, "Terminal")];

/** Runs the script before a made-up macOS, which notes what is done to it. */
async function scripted(
  argv: readonly string[],
  { trusted = true, windows = WINDOWS } = {},
): Promise<{ answer: string; done: unknown[] }> {
  const done: unknown[] = [];
  const screen = { frame: { size: { width: 1440, height: 900 } }, backingScaleFactor: 2 };
  const front = { processIdentifier: 12 };
  const $ = {
    NSScreen: { screens: { objectAtIndex: () => screen } },
    NSWorkspace: { sharedWorkspace: { frontmostApplication: front } },
    CGWindowListCopyWindowInfo: () => windows,
    AXIsProcessTrusted: () => trusted,
    CGPreflightScreenCaptureAccess: () => false,
    CGEventCreateScrollWheelEvent2: (...values: unknown[]) => values,
    CGEventPost: (_tap: number, event: unknown) => done.push(event),
  };
  const ObjC = {
    import: () => {},
    bindFunction: () => {},
    deepUnwrap: (value: unknown) => value,
    castRefToObject: (value: unknown) => value,
  };
  const window = (x: number) => ({
    position: () => [x, 2],
    size: () => [30, 40],
    actions: { byName: (name: string) => ({ perform: () => done.push([name, x]) }) },
  });
  const process = {
    windows: () => [window(5), window(3)],
    set frontmost(value: boolean) {
      done.push(["frontmost", value]);
    },
  };
  const whose = ({ unixId }: { unixId: number }) => () => unixId === 12 ? [process] : [];
  const Application = () => ({ applicationProcesses: { whose } });
  const source = `${await Deno.readTextFile(SCRIPT)}\nreturn run(argv);`;
  const answer = new Function("ObjC", "$", "Application", "argv", source);
  return { answer: answer(ObjC, $, Application, argv), done };
}

Deno.test("the script answers what readMacLook() reads", async () => {
  const { answer } = await scripted(["look"]);
  const { size, mayRecord, windows, focused } = readMacLook(answer);
  deepStrictEqual([size, mayRecord], [{ width: 2880, height: 1800 }, false]);
  // The Dock lies over everything, and is no window.
  deepStrictEqual(windows.map(({ id, title }) => [id, title]), [["3", "Terminal"], ["2", "Notes"]]);
  deepStrictEqual([focused?.id, focused?.isTerminal, focused?.hidesKeys], ["3", true, undefined]);
});

Deno.test("the script tells who asks for a password at any layer", async () => {
  const windows = [shown(4, 13, "SecurityAgent", 2147483630), ...WINDOWS];
  const { focused } = readMacLook((await scripted(["look"], { windows })).answer);
  deepStrictEqual([focused?.id, focused?.hidesKeys], ["4", true]);
});

Deno.test("the script raises the window of a number, and no other", async () => {
  const { done } = await scripted(["focus", "3"]);
  deepStrictEqual(done, [["AXRaise", 3], ["frontmost", true]]);
  const closed = await scripted(["focus", "99"]).then(() => "", (error: Error) => error.message);
  strictEqual(closed, "the window has closed");
});

Deno.test("the script turns the wheel notch by notch, where it has the right", async () => {
  const { done } = await scripted(["scroll", "-2", "0"]);
  deepStrictEqual(done, [[null, 1, 2, -3, 0, 0], [null, 1, 2, -3, 0, 0]]);
  const sideways = await scripted(["scroll", "0", "1"]);
  deepStrictEqual(sideways.done, [[null, 1, 2, 0, 3, 0]]);
  const error = await scripted(["scroll", "1", "0"], { trusted: false }).catch((error) => error);
  throws(() => {
    throw error;
  }, /^Error: Accessibility privileges not enabled$/);
});
