import * as z from "zod";

/** A part of an image, in its pixels. */
export const rectangle = z.strictObject({
  x: z.int().min(0),
  y: z.int().min(0),
  width: z.int().min(1),
  height: z.int().min(1),
});

/** A part of an image, in its pixels. */
export type Rectangle = Readonly<z.infer<typeof rectangle>>;

/** In pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

const size = { width: z.int().min(1), height: z.int().min(1) };

/** A maker that was led astray tells no stories, in characters. */
const MAX_MESSAGE = 200;

/** Room for {@linkcode MAX_PICTURE_BYTES} as base64, in characters. */
const MAX_BASE64 = 5 * 1024 * 1024;

/**
 * The largest picture that is made, in bytes: as base64 it takes the 5 MB that Anthropic's servers
 * accept (OpenAI's take more).
 */
export const MAX_PICTURE_BYTES = MAX_BASE64 / 4 * 3;

const madeSchema = z.strictObject({
  ok: z.literal(true),
  /** What the file is by its bytes. */
  format: z.enum(["PNG", "JPEG", "GIF", "WebP"]),
  /** Of the whole image, as it stands upright. */
  ...size,
  /** The part of it that is shown. */
  area: rectangle,
  /** The picture that was made of that part. */
  shown: z.strictObject(size),
  /** How many images follow each other; the first is shown. */
  frames: z.int().min(1),
  /** Whether all of the part is black. */
  black: z.boolean(),
  media_type: z.enum(["image/png", "image/jpeg", "image/gif", "image/webp"]),
  data: z.base64().max(MAX_BASE64),
});

const unmadeSchema = z.strictObject({
  ok: z.literal(false),
  /** `outside`: the part that was asked for; `unavailable`: there is nobody to make one. */
  reason: z.enum(["unsupported", "broken", "too_large", "outside", "unavailable"]),
  /** Half a sentence, as "it is broken". */
  message: z.string().max(MAX_MESSAGE),
});

/** What comes of an image; it is said by a process that nobody trusts. */
export const pictureReading = z.discriminatedUnion("ok", [madeSchema, unmadeSchema]);

/** A picture that models take, and how it was made. */
export type MadePicture = Readonly<z.infer<typeof madeSchema>>;

/** Why there is no picture. */
export type NoPicture = Readonly<z.infer<typeof unmadeSchema>>;

/** What comes of an image. */
export type PictureReading = MadePicture | NoPicture;

/** What is wanted of an image. */
export interface PictureWish {
  /** Only this part; default all of it. */
  readonly crop?: Rectangle;
}
