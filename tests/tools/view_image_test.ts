import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Content } from "../../tools/tool.ts";
import { readFile } from "../../tools/read_file.ts";
import { recogniseFile } from "../../tools/file_signature.ts";
import { viewImage } from "../../tools/view_image.ts";
import { BOTH_READERS } from "../helpers/both_readers.ts";
import { callTool, fileHouse } from "../helpers/file_tools.ts";
import { gifOf, jpegOf, pixelsOf, pngBomb, pngOf, RED } from "../helpers/images.ts";
import { PIXEL } from "../helpers/pixel.ts";

const WIDE = pngOf(pixelsOf(3136, 400, () => RED));
const PHOTO = jpegOf(pixelsOf(64, 64, (x, y) => [x * y & 255, x * 7 & 255, y * 3 & 255, 255]));

const FILES = {
  "pixel.png": PIXEL,
  "wide.png": WIDE,
  "torn.jpg": PHOTO.subarray(0, PHOTO.length >> 1),
  "bomb.png": pngBomb(20_000, 20_000),
  "line.png": pngOf(pixelsOf(1, 3136, () => RED)),
  "moves.gif": gifOf(1000),
  "a.bmp": Uint8Array.from([0x42, 0x4d, 70, 0, 0, 0, 0, 0, 0, 0, 54]),
  "a.txt": "text",
};

/** The name of a blob, which is another each time. */
const BLOB = /\(image-[\w-]+\.(?:png|jpeg)\)$/;

const SCALED = "shown at 0.5 as 1568 x 200: multiply coordinates by 2";

for (const kind of BOTH_READERS) {
  Deno.test({ name: `images by a ${kind.name}`, ignore: kind.ignore }, async (t) => {
    await using readers = await kind.open();
    await using house = await fileHouse(FILES, readers.reader);

    const shown: [args: { path: string; crop?: object }, line: string][] = [
      [{ path: "pixel.png" }, "[PNG image of 1 x 1 pixels, 70 bytes]"],
      [{ path: "wide.png" }, `[PNG image of 3136 x 400 pixels, SIZE, ${SCALED}]`],
      [
        { path: "wide.png", crop: { x: 10, y: 20, width: 300, height: 200 } },
        "[PNG image of 3136 x 400 pixels, SIZE, its part of 300 x 200 at 10, 20: add 10, 20]",
      ],
      [
        { path: "wide.png", crop: { x: 8, y: 0, width: 9000, height: 200 } },
        "[PNG image of 3136 x 400 pixels, SIZE, its part of 3128 x 200 at 8, 0, " +
        "shown at 0.5 as 1568 x 100: multiply coordinates by 1.995 and add 8, 0]",
      ],
      [
        { path: "line.png" },
        "[PNG image of 1 x 3136 pixels, SIZE, shown at 0.5 as 1 x 1568: multiply coordinates by 2]",
      ],
      [{ path: "moves.gif" }, "[GIF image of 1 x 1 pixels, SIZE, the first of 1000 frames]"],
    ];
    for (const [args, line] of shown) {
      await t.step(`view_image shows ${JSON.stringify(args)}`, async () => {
        const { text } = await callTool(viewImage, args, house);
        match(text, BLOB);
        strictEqual(text.replace(BLOB, "").replace(/[\d.]+ [KM]B/, "SIZE"), line);
      });
    }

    const refused: [args: { path: string; crop?: object }, text: RegExp][] = [
      [{ path: "torn.jpg" }, /^broken: Cannot show "torn.jpg": it is broken/],
      [{ path: "bomb.png" }, /^too_large: Cannot show "bomb.png": its 20000 x 20000 pixels/],
      [{ path: "a.bmp" }, /^unsupported: Cannot show "a.bmp": BMP image: only PNG/],
      [{ path: "a.txt" }, /^unsupported: Cannot show "a.txt": not an image: only PNG/],
      [{ path: "none.png" }, /^not_a_file: none.png is not there/],
      [{ path: "../session/x.png" }, /^not_a_file: /],
      [{ path: "/etc/passwd" }, /^denied: /],
      [{ path: "pixel.png", crop: { x: 1, y: 0, width: 1, height: 1 } }, /^outside: Cannot show/],
    ];
    for (const [args, want] of refused) {
      await t.step(`view_image says why not: ${JSON.stringify(args)}`, async () => {
        match((await callTool(viewImage, args, house)).text, want);
      });
    }

    await t.step("what is kept is the picture that is told", async () => {
      const { value } = await callTool(viewImage, { path: "wide.png" }, house);
      ok(value.ok && value.shown);
      const { blob, media_type, width, height } = value.shown;
      deepStrictEqual(recogniseFile(await Deno.readFile(house.dir.join("session", blob))), {
        kind: "image",
        format: "PNG",
        mediaType: media_type,
        size: { width, height },
      });
    });

    await t.step("read_file shows an image as view_image does", async () => {
      const { text } = await callTool(readFile, { path: "wide.png" }, house);
      match(text.replace(BLOB, ""), new RegExp(`, ${SCALED}\\]$`));
    });
    await t.step("read_file tells of one that cannot be shown", async () => {
      const { text } = await callTool(readFile, { path: "bomb.png" }, house);
      match(text, /^\[PNG image of 20000 x 20000 pixels, 73 bytes: not shown, its 20000 x/);
    });
    await t.step("read_file shows those among several files", async () => {
      const { value } = await callTool(readFile, { paths: ["a.txt", "pixel.png"] }, house);
      const [text, ...images] = readFile.render(value);
      deepStrictEqual(
        text,
        {
          type: "text",
          text: "a.txt:\n     1\ttext\n\npixel.png:\n[PNG image of 1 x 1 pixels, 70 bytes]",
        } satisfies Content,
      );
      deepStrictEqual(images.map(({ type }) => type), ["image"]);
    });
  });
}
