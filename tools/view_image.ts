import * as z from "zod";
import { rectangle } from "./image/picture.ts";
import { imageFile, keepPicture, renderImage } from "./image/shown_picture.ts";
import { refusal, refusalValue, renderRefusal } from "./refusal.ts";
import { schema } from "./schema.ts";
import { defineTool, text } from "./tool.ts";
import { withNearestNames } from "./nearest_name.ts";

const parameters = z.strictObject({
  path: z.string(),
  crop: rectangle.describe("In the image's pixels").optional(),
});

/** The tool `view_image`: an image file, or a part of it, as a picture for the model. */
export const viewImage = defineTool({
  name: "view_image",
  description: "Look at an image file (PNG, JPEG, WebP, GIF). Large ones are scaled down: " +
    "crop shows a part in detail.",
  parameters: schema(parameters),
  needs: { read: ["workspace", "session"], uses: ["store", "reader", "pictures"] },
  plan: ({ path }) => ({ touches: [{ kind: "read", path }] }),
  async run({ path, crop }, { files, pictures, store, signal }) {
    const read = await files.read(path);
    if (!read.ok) return refusalValue(await withNearestNames(files, read));
    const { facts, bytes } = read;
    const made = await pictures.picture(bytes, { ...(crop && { crop }) }, signal);
    if (!made.ok) {
      const message = `Cannot show "${facts.path}": ${made.message}`;
      return { ok: false as const, reason: made.reason, path: facts.path, message };
    }
    const { format, width, height } = made;
    const about = { ok: true as const, kind: "image" as const, path: facts.path };
    const shown = await keepPicture(made, store);
    return { ...about, format, bytes: bytes.length, width, height, shown };
  },
  result: schema(z.union([imageFile, refusal])),
  render: (value) => value.ok ? renderImage(value) : [text(renderRefusal(value))],
});
