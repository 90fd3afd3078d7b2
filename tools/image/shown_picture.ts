import * as z from "zod";
import { byteSize } from "../byte_size.ts";
import type { Content, Store } from "../tool.ts";
import { type MadePicture, rectangle } from "./picture.ts";

/** A picture as the model is shown it. */
export const shownPicture = z.object({
  /** Its name in the session's folder. */
  blob: z.string(),
  media_type: z.string(),
  /** In pixels. */
  width: z.number(),
  height: z.number(),
  /** The part of the image that it shows, in the image's pixels. */
  area: rectangle,
  /** Images that follow each other in the file; the first is shown. */
  frames: z.number(),
});

/** A picture as the model is shown it. */
export type ShownPicture = z.infer<typeof shownPicture>;

/** An image file: what it is, and what is shown of it. */
export const imageFile = z.object({
  ok: z.literal(true),
  kind: z.literal("image"),
  path: z.string(),
  format: z.string(),
  bytes: z.number(),
  width: z.number().optional(),
  height: z.number().optional(),
  /** Absent where nothing is shown. */
  shown: shownPicture.optional(),
  /** Half a sentence on why nothing is shown. */
  not_shown: z.string().optional(),
});

/** An image file: what it is, and what is shown of it. */
export type ImageFile = z.infer<typeof imageFile>;

/** Keeps a picture in the session's folder, from where it goes to the model. */
export async function keepPicture(
  { data, media_type, shown, area, frames }: MadePicture,
  store: Store,
): Promise<ShownPicture> {
  const name = `image-${crypto.randomUUID()}.${media_type.replace("image/", "")}`;
  const saved = await store.save(name, Uint8Array.fromBase64(data));
  // The name is ours alone, so none with a number was made of it; without a folder it is in memory.
  return { blob: saved?.split("/").at(-1) ?? name, media_type, ...shown, area, frames };
}

/** The model's view of an image file: a line about it, and the picture. */
export function renderImage(file: ImageFile): Content[] {
  const { shown } = file;
  if (!shown) return [{ type: "text", text: `[${about(file)}: ${whyNot(file)}]` }];
  const line = [about(file), ...partText(shown, file), ...framesText(shown)].join(", ");
  return renderPicture(line, shown);
}

/** A picture, after a line with what it shows and how its coordinates are to be counted. */
export function renderPicture(what: string, shown: ShownPicture): Content[] {
  return [
    { type: "text", text: `[${what}${scaleText(shown)}]` },
    { type: "image", blob: shown.blob, mediaType: shown.media_type },
  ];
}

/** How coordinates in a picture become those of what it shows; empty where they are the same. */
function scaleText({ width, height, area }: ShownPicture): string {
  // The longer side was rounded least, by which the shorter one may have kept its only pixel.
  const factor = area.width < area.height ? area.height / height : area.width / width;
  const scaled = factor > 1;
  const moved = area.x > 0 || area.y > 0;
  if (!scaled && !moved) return "";
  const steps = [
    ...(scaled ? [`multiply coordinates by ${rounded(factor)}`] : []),
    ...(moved ? [`add ${area.x}, ${area.y}`] : []),
  ];
  const shown = scaled ? `, shown at ${rounded(1 / factor)} as ${width} x ${height}` : "";
  return `${shown}: ${steps.join(" and ")}`;
}

/** Enough to hit a pixel on the largest screens. */
function rounded(value: number): string {
  return String(Number(value.toFixed(value < 1 ? 2 : 3)));
}

function about({ format, bytes, width, height }: ImageFile): string {
  const size = width === undefined || height === undefined ? "" : ` of ${width} x ${height} pixels`;
  return `${format} image${size}, ${byteSize(bytes)}`;
}

function whyNot({ not_shown }: ImageFile): string {
  return not_shown === undefined ? "not shown as text" : `not shown, ${not_shown}`;
}

/** The part of the whole that is shown; empty where it is all of it. */
export function partText(
  { area }: ShownPicture,
  { width, height }: { readonly width?: number | undefined; readonly height?: number | undefined },
): string[] {
  if (area.width === width && area.height === height) return [];
  return [`its part of ${area.width} x ${area.height} at ${area.x}, ${area.y}`];
}

function framesText({ frames }: ShownPicture): string[] {
  return frames > 1 ? [`the first of ${frames} frames`] : [];
}
