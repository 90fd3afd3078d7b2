import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import { clipped, fittedSize, MAX_SHOWN_PIXELS, MAX_SIDE } from "../../../tools/image/fit.ts";
import { gifFrames } from "../../../tools/image/gif.ts";
import { makePicture } from "../../../tools/image/make_picture.ts";
import { orientationOf, storedArea, turnedUpright } from "../../../tools/image/orientation.ts";
import { decodeImage, type Pixels } from "../../../tools/image/photon.ts";
import { MAX_PICTURE_BYTES, type PictureWish } from "../../../tools/image/picture.ts";
import { webpFrames } from "../../../tools/image/webp.ts";
import {
  BLUE,
  type Colour,
  colourAt,
  gifOf,
  jpegOf,
  movingWebp,
  pixelsOf,
  pngBomb,
  pngOf,
  RED,
  webpOf,
} from "../../helpers/images.ts";

/** Left red, right blue. */
const halves = (width: number, height: number) =>
  pixelsOf(width, height, (x) => x < width / 2 ? RED : BLUE);

/** Each pixel another colour, so that nothing compresses it. */
const noise = (width: number, height: number, opacity = 255) => {
  let state = 1;
  const next = () => (state = state * 48271 % 2147483647) & 0xff;
  return pixelsOf(width, height, () => [next(), next(), next(), opacity]);
};

/** A picture that was made, without its bytes, and these decoded. */
function made(bytes: Uint8Array, wish: PictureWish = {}) {
  const picture = makePicture(bytes, wish);
  if (!picture.ok) throw new Error(picture.message);
  const { data, ...facts } = picture;
  const raw = Uint8Array.fromBase64(data);
  const image = decodeImage(raw);
  const pixels: Pixels = {
    width: image.get_width(),
    height: image.get_height(),
    bytes: image.get_raw_pixels(),
  };
  return { facts, pixels, raw };
}

const isRed = ([red = 0, , blue = 0]: number[]) => red > 200 && blue < 60;
const isBlue = ([red = 0, , blue = 0]: number[]) => blue > 200 && red < 60;

Deno.test("makePicture() leaves alone what models take as it is", async (t) => {
  const pixels = halves(40, 20);
  const cases: [format: "PNG" | "JPEG" | "WebP", bytes: Uint8Array][] = [
    ["PNG", pngOf(pixels)],
    ["JPEG", jpegOf(pixels)],
    ["WebP", webpOf(pixels)],
  ];
  for (const [format, bytes] of cases) {
    await t.step(format, () => {
      const { facts, raw } = made(bytes);
      deepStrictEqual(facts, {
        ok: true,
        ...{ format, width: 40, height: 20, frames: 1 },
        area: { x: 0, y: 0, width: 40, height: 20 },
        shown: { width: 40, height: 20 },
        black: false,
        media_type: `image/${format.toLowerCase()}`,
      });
      deepStrictEqual(raw, new Uint8Array(bytes));
    });
  }
});

Deno.test("makePicture() scales what is larger than servers look at", async (t) => {
  await t.step("PNG stays without loss", () => {
    const { facts, pixels } = made(pngOf(halves(3136, 400)));
    deepStrictEqual(facts.shown, { width: 1568, height: 200 });
    strictEqual(facts.media_type, "image/png");
    deepStrictEqual(colourAt(pixels, 100, 100), [...RED]);
    deepStrictEqual(colourAt(pixels, 1500, 100), [...BLUE]);
  });
  await t.step("lines of one pixel, either way", () => {
    for (const [width, height, shown] of [[3136, 1, [1568, 1]], [1, 3136, [1, 1568]]] as const) {
      const { facts, pixels } = made(pngOf(halves(width, height)));
      deepStrictEqual([facts.shown.width, facts.shown.height], shown);
      deepStrictEqual([pixels.width, pixels.height], shown);
    }
  });
  await t.step("JPEG stays JPEG", () => {
    const { facts, pixels } = made(jpegOf(halves(2000, 1000)));
    deepStrictEqual(facts.shown, { width: 1516, height: 758 });
    strictEqual(facts.media_type, "image/jpeg");
    ok(isRed(colourAt(pixels, 10, 10)) && isBlue(colourAt(pixels, 1500, 10)));
  });
  await t.step("where PNG would take too many bytes it is JPEG, on white", () => {
    const { facts, raw, pixels } = made(pngOf(noise(1100, 1045, 0)));
    strictEqual(facts.media_type, "image/jpeg");
    ok(raw.length <= MAX_PICTURE_BYTES);
    ok(colourAt(pixels, 5, 5).every((value) => value > 250));
  });
});

Deno.test("makePicture() cuts out a part", async (t) => {
  const file = pngOf(halves(2000, 1000));
  const cases: [name: string, crop: [number, number, number, number], area: number[]][] = [
    ["in full detail", [990, 0, 20, 10], [990, 0, 20, 10]],
    ["what lies past the edge is left out", [1990, 995, 100, 100], [1990, 995, 10, 5]],
  ];
  for (const [name, [x, y, width, height], area] of cases) {
    await t.step(name, () => {
      const { facts, pixels } = made(file, { crop: { x, y, width, height } });
      deepStrictEqual(Object.values(facts.area), area);
      deepStrictEqual([pixels.width, pixels.height], area.slice(2));
    });
  }
  await t.step("at its place", () => {
    const { pixels } = made(file, { crop: { x: 990, y: 0, width: 20, height: 10 } });
    deepStrictEqual([colourAt(pixels, 9, 0), colourAt(pixels, 10, 0)], [[...RED], [...BLUE]]);
  });
  await t.step("a part that is not there", () => {
    const reading = makePicture(file, { crop: { x: 2000, y: 0, width: 1, height: 1 } });
    deepStrictEqual(reading, {
      ok: false,
      reason: "outside",
      message: "that part lies outside its 2000 x 1000 pixels",
    });
  });
});

Deno.test("makePicture() turns photographs upright", async (t) => {
  // The first stored row holds a red corner; where it is to be seen tells how the image was turned.
  const corner = pixelsOf(64, 32, (x, y) => x < 16 && y < 16 ? RED : BLUE);
  const cases: [orientation: number, size: [number, number], red: [number, number]][] = [
    [1, [64, 32], [4, 4]],
    [2, [64, 32], [60, 4]],
    [3, [64, 32], [60, 28]],
    [4, [64, 32], [4, 28]],
    [5, [32, 64], [4, 4]],
    [6, [32, 64], [28, 4]],
    [7, [32, 64], [28, 60]],
    [8, [32, 64], [4, 60]],
  ];
  for (const [orientation, [width, height], [x, y]] of cases) {
    await t.step(`orientation ${orientation}`, () => {
      const file = jpegOf(corner, orientation);
      const { facts, pixels } = made(file);
      deepStrictEqual([facts.width, facts.height], [width, height]);
      ok(isRed(colourAt(pixels, x, y)), "the corner is red");
      ok(isBlue(colourAt(pixels, width - x, height - y)), "the other one is not");
      const crop = { x: Math.max(0, x - 4), y: Math.max(0, y - 4), width: 8, height: 8 };
      ok(isRed(colourAt(made(file, { crop }).pixels, 4, 4)), "and so is a crop of it");
    });
  }
});

Deno.test("makePicture() shows the first frame of what moves", async (t) => {
  const red = webpOf(pixelsOf(6, 4, () => RED));
  const blue = webpOf(pixelsOf(6, 4, () => BLUE));
  const cases: [name: string, bytes: Uint8Array, frames: number][] = [
    ["GIF", gifOf(1), 1],
    ["GIF of 1000 frames", gifOf(1000), 1000],
    ["WebP", movingWebp(6, 4, [red, blue]), 2],
  ];
  for (const [name, bytes, frames] of cases) {
    await t.step(name, () => {
      const { facts, pixels } = made(bytes);
      deepStrictEqual([facts.frames, facts.media_type], [frames, "image/png"]);
      deepStrictEqual(colourAt(pixels, 0, 0), [...RED]);
    });
  }
});

Deno.test("makePicture() says whether all is black", () => {
  const dark = (width: number, light: number) =>
    pngOf(pixelsOf(width, 20, (x) => x === light ? [0, 0, 1, 255] : [0, 0, 0, 255]));
  strictEqual(made(dark(40, -1)).facts.black, true);
  strictEqual(made(dark(3000, -1)).facts.black, true);
  strictEqual(made(dark(40, 39)).facts.black, false);
  const crop = { x: 0, y: 0, width: 39, height: 20 };
  strictEqual(made(dark(40, 39), { crop }).facts.black, true);
});

Deno.test("makePicture() refuses before it decodes", async (t) => {
  const large = /^its 20000 x 20000 pixels are more than the 50 million that are read: scale it/;
  const unsupported = /: only PNG, JPEG, WebP and GIF can be shown, convert it first$/;
  const screen = gifOf(1);
  // A frame that is larger than the screen it is on.
  screen.set([0x20, 0x4e, 0x20, 0x4e], 19 + 8 + 5);
  const cases: [name: string, bytes: Uint8Array, reason: string, message: RegExp][] = [
    ["a PNG of 400 million pixels", pngBomb(20_000, 20_000), "too_large", large],
    ["a GIF of as many", gifOf(1, 20_000), "too_large", large],
    ["a frame of as many", screen, "too_large", large],
    [
      "BMP",
      Uint8Array.from([0x42, 0x4d, 70, 0, 0, 0, 0, 0, 0, 0, 54]),
      "unsupported",
      /^BMP image:/,
    ],
    ["no image", new TextEncoder().encode("hello"), "unsupported", unsupported],
    ["nothing", new Uint8Array(), "unsupported", unsupported],
    ["a GIF without a frame", gifOf(0), "broken", /^it holds no picture$/],
  ];
  for (const [name, bytes, reason, message] of cases) {
    await t.step(name, () => {
      const reading = makePicture(bytes, {});
      ok(!reading.ok && message.test(reading.message), JSON.stringify(reading));
      strictEqual(reading.reason, reason);
    });
  }
});

Deno.test("makePicture() makes no picture of a file that is torn", () => {
  const whole = [halves(40, 20)].flatMap((pixels) => [
    pngOf(pixels),
    jpegOf(noise(64, 64)),
    webpOf(noise(64, 64)),
  ]);
  for (const file of whole) {
    throws(() => makePicture(file.subarray(0, file.length >> 1), {}));
  }
});

Deno.test("fittedSize() never leaves its bounds, and shrinks no further than it must", () => {
  const side = fc.integer({ min: 1, max: 40_000 });
  fc.assert(fc.property(side, side, (width, height) => {
    const shown = fittedSize({ width, height });
    ok(shown.width >= 1 && shown.height >= 1);
    ok(Math.max(shown.width, shown.height) <= MAX_SIDE);
    ok(shown.width * shown.height <= MAX_SHOWN_PIXELS);
    const fits = Math.max(width, height) <= MAX_SIDE && width * height <= MAX_SHOWN_PIXELS;
    if (fits) deepStrictEqual(shown, { width, height });
  }));
});

Deno.test("clipped() stays on the image", () => {
  const at = fc.nat(50);
  const side = fc.integer({ min: 1, max: 50 });
  fc.assert(fc.property(at, at, side, side, side, side, (x, y, w, h, width, height) => {
    const part = clipped({ x, y, width: w, height: h }, { width, height });
    if (x >= width || y >= height) return strictEqual(part, undefined);
    ok(part && part.width >= 1 && part.height >= 1);
    ok(part.x + part.width <= width && part.y + part.height <= height);
  }));
});

Deno.test("storedArea() is the part that turnedUpright() shows", () => {
  const side = fc.integer({ min: 1, max: 6 });
  const orientation = fc.integer({ min: 1, max: 8 }).map(orientationOf);
  fc.assert(fc.property(side, side, orientation, fc.nat(), fc.nat(), (width, height, how, a, b) => {
    const stored = pixelsOf(width, height, (x, y): Colour => [x, y, 0, 255]);
    const upright = turnedUpright(stored.bytes, stored, how);
    const turned = how >= 5 ? { width: height, height: width } : { width, height };
    const x = a % turned.width;
    const y = b % turned.height;
    const from = storedArea({ x, y, width: 1, height: 1 }, stored, how);
    const shown = colourAt({ ...turned, bytes: upright }, x, y);
    deepStrictEqual(shown, colourAt(stored, from.x, from.y));
  }));
});

Deno.test("the readers of frames end on any bytes", () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (rest) => {
    const gif = Uint8Array.from([...gifOf(2), ...rest]);
    gif.set(rest.subarray(0, 40), 10);
    ok(gifFrames(gif).count >= 0);
    const webp = Uint8Array.from([...webpOf(pixelsOf(1, 1, () => RED)).subarray(0, 12), ...rest]);
    ok(webpFrames(webp).count >= 1);
  }));
});
