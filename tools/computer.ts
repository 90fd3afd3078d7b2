import * as z from "zod";
import { schema } from "./schema.ts";
import { type ComputerArguments, computerParameters, type Deed, readDeed } from "./screen/deed.ts";
import { elementTree, renderElements, toldElements } from "./screen/accessible.ts";
import { actOn } from "./screen/act_on.ts";
import type { DesktopLook } from "./screen/desktop.ts";
import { keptArguments } from "./screen/kept_arguments.ts";
import { focusTarget, type Target, targetOf } from "./screen/target.ts";
import { actText, riskOf } from "./screen/risk.ts";
import { listed, renderWindows, windowList } from "./screen/window_list.ts";
import {
  pictureOf,
  screenNotes,
  screenPicture,
  type ScreenRefusal,
  screenRefusal,
} from "./screen/screen_picture.ts";
import { waitForChange } from "./screen/wait_for_change.ts";
import { type Content, defineTool, type Plan, text, type Touch } from "./tool.ts";

const done = z.object({
  ok: z.literal(true),
  /** As "clicks at 10, 20 in a window"; of what was typed it has the length alone. */
  did: z.string(),
  /** The title of the window that it was done in, as whoever made it wrote it. */
  window: z.string().optional(),
  risk: z.enum(["look", "act", "sensitive"]),
});

/** A picture, and whether it is of a change that was waited for. */
const looked = screenPicture.extend({ changed: z.boolean().optional() });

const windows = z.object({ ok: z.literal(true), windows: windowList });

const elements = z.object({ ok: z.literal(true), tree: elementTree });

const value = z.union([looked, windows, elements, done, screenRefusal]);

type Value = z.infer<typeof value>;

/** What `plan` found out for `run`. */
type Prepared =
  | { readonly deed: Deed; readonly target: Target | undefined }
  | { readonly refusal: ScreenRefusal };

/** The tool `computer`: mouse and keyboard of the person's desktop, as they would use them. */
export const computer = defineTool({
  name: "computer",
  description:
    "Use the person's desktop: look, point, type, strike keys. elements: what is in windows, where programs tell. x and y " +
    "are pixels of the screenshot.",
  parameters: schema(computerParameters),
  needs: { uses: ["desktop", "store", "reader", "pictures"] },
  kept: keptArguments,
  async plan(args, { desktop }): Promise<Plan<Prepared>> {
    const prepared = await prepare(args, desktop, AbortSignal.timeout(PLAN_LIMIT_MS));
    return { touches: "refusal" in prepared ? [] : [touchOf(prepared)], prepared };
  },
  async run(args, context, plan): Promise<Value> {
    const { desktop, signal } = context;
    const prepared = plan.prepared ?? await prepare(args, desktop, signal);
    if ("refusal" in prepared) return prepared.refusal;
    const { deed, target } = prepared;
    const parts = { ...context, screen: desktop };
    switch (deed.kind) {
      case "screenshot":
        return await pictureOf(undefined, parts);
      case "wait":
        return await waitForChange(deed.timeoutMs, parts);
      case "windows":
        return { ok: true, windows: await listed(desktop, signal) };
      case "elements":
        return await toldElements(desktop, signal);
      case "focus":
      case "act":
        return target ? await actOn(target, desktop, signal) : nowhere();
    }
  },
  result: schema(value),
  render: renderComputer,
});

/** Looking at windows takes some ten milliseconds; a display that hangs must not hold a turn. */
const PLAN_LIMIT_MS = 10_000;

async function prepare(
  args: ComputerArguments,
  desktop: DesktopLook,
  signal: AbortSignal,
): Promise<Prepared> {
  const read = readDeed(args, await desktop.size(signal));
  if (!read.ok) {
    return { refusal: { ok: false, reason: "bad_arguments", message: read.problem } };
  }
  const { deed } = read;
  switch (deed.kind) {
    case "screenshot":
    case "wait":
    case "windows":
    case "elements":
      return { deed, target: undefined };
    case "focus": {
      const target = await focusTarget(deed.title, desktop, signal);
      return "ok" in target ? { refusal: target } : { deed, target };
    }
    case "act":
      return { deed, target: await targetOf(deed.act, desktop, signal) };
  }
}

function touchOf({ deed, target }: Exclude<Prepared, { refusal: unknown }>): Touch {
  if (!target) return { kind: "screen", act: "look", what: lookText(deed) };
  const { act, window } = target;
  const touch = {
    kind: "screen" as const,
    act: riskOf(act, window),
    what: `it ${actText(act, window)}`,
  };
  return window ? { ...touch, where: window.title } : touch;
}

function lookText({ kind }: Deed): string {
  switch (kind) {
    case "windows":
      return "it looks at your windows' titles";
    case "elements":
      return "it looks at what is in your windows";
    default:
      return "it looks at your screen";
  }
}

function nowhere(): ScreenRefusal {
  return { ok: false, reason: "nowhere", message: "There is nothing to act on" };
}

function renderDone({ did, window }: z.infer<typeof done>): string {
  return `It ${did}${window === undefined ? "" : `: ${JSON.stringify(window)}`}`;
}

function renderComputer(value: Value): Content[] {
  if (!value.ok) return [text(`${value.message}\n[not done: ${value.reason}]`)];
  if ("did" in value) return [text(renderDone(value))];
  if ("tree" in value) return [text(renderElements(value.tree))];
  if ("windows" in value) return [text(renderWindows(value.windows))];
  const { shown, width, height, changed } = value;
  const scaled = shown.width === width ? "" : `, shown as ${shown.width} x ${shown.height}`;
  const about = `[screen of ${width} x ${height} pixels${scaled}: x and y are of this picture]`;
  const notes = [screenNotes(value), ...(changed === false ? ["[no change]"] : [])];
  return [
    text(about),
    { type: "image", blob: shown.blob, mediaType: shown.media_type },
    text(notes.join("\n")),
  ];
}
