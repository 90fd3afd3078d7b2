import * as z from "zod";
import { rectangle } from "./image/picture.ts";
import { schema } from "./schema.ts";
import { findWindow } from "./screen/find_window.ts";
import {
  pictureOf,
  renderScreen,
  screenNotes,
  screenPicture,
  screenRefusal,
} from "./screen/screen_picture.ts";
import { areaOf } from "./screen/window_area.ts";
import { defineTool, text } from "./tool.ts";

const parameters = z.strictObject({
  region: rectangle.describe("In the screen's pixels").optional(),
  window: z.string().min(1).describe("Part of its title").optional(),
}).refine(({ region, window }) => region === undefined || window === undefined, {
  message: "give either region or window",
});

/** The tool `screenshot`: the person's screen, or a part of it. */
export const screenshot = defineTool({
  name: "screenshot",
  description: "Look at the person's screen, or only at a region or a window of it.",
  parameters: schema(parameters),
  needs: { uses: ["screen", "store", "reader", "pictures"] },
  plan: () => ({ touches: [{ kind: "screen", act: "look", what: "it looks at your screen" }] }),
  async run({ region, window: wanted }, context) {
    if (wanted === undefined) return await pictureOf(region, context);
    const found = await findWindow(wanted, context.screen, context.signal);
    if (!found.ok) return found;
    const picture = await pictureOf(areaOf(found.window), context);
    return picture.ok ? { ...picture, window: found.window.title } : picture;
  },
  result: schema(z.union([screenPicture, screenRefusal])),
  render: (value) =>
    value.ok
      ? [...renderScreen(value), text(screenNotes(value))]
      : [text(`${value.message}\n[no screenshot: ${value.reason}]`)],
});
