import { strictEqual } from "node:assert/strict";
import { imagePathIn, isImage } from "../../../../agent/terminal/screen/image_path.ts";
import { PIXEL } from "../../../helpers/pixel.ts";
import { tempDir } from "../../../helpers/temp_dir.ts";

Deno.test("imagePathIn() knows a path that a terminal pastes", async (t) => {
  const cases: [pasted: string, path: string | undefined][] = [
    ["/a/b.png", "/a/b.png"],
    [" /a/b.PNG\n", "/a/b.PNG"],
    ["b.jpeg", "/work/b.jpeg"],
    ["'/a/two words.webp'", "/a/two words.webp"],
    ['"/a/two words.gif"', "/a/two words.gif"],
    ["/a/two\\ words.jpg", "/a/two words.jpg"],
    ["file:///a/two%20words.png", "/a/two words.png"],
    ["~/b.png", "/home/me/b.png"],
    ["file://elsewhere/b.png", undefined],
    ["file://%", undefined],
    ["see /a/b.png", undefined],
    ["/a/b.png\n/a/c.png", undefined],
    ["/a/b.txt", undefined],
    ['"/a/$(id).png"', undefined],
    ["", undefined],
    [`${"x".repeat(5_000)}.png`, undefined],
  ];
  for (const [pasted, path] of cases) {
    await t.step(JSON.stringify(pasted.slice(0, 40)), () => {
      strictEqual(imagePathIn(pasted, "/work", "/home/me"), path);
    });
  }
});

Deno.test("isImage() looks into the file", async (t) => {
  await using dir = await tempDir({
    "a.png": PIXEL,
    "text.png": "text",
    "empty.png": "",
    "d.png/x": "",
  });
  const cases: [name: string, is: boolean][] = [
    ["a.png", true],
    ["text.png", false],
    ["empty.png", false],
    ["d.png", false],
    ["missing.png", false],
  ];
  for (const [name, is] of cases) {
    await t.step(name, async () => strictEqual(await isImage(dir.join(name)), is));
  }
});
