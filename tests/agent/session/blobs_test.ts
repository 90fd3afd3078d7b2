import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { dirname } from "node:path";
import { folderBlobs, memoryBlobs } from "../../../agent/session/blobs.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

const bytes = (...values: number[]) => new Uint8Array(values);

Deno.test("folderBlobs() keeps what it saves under names of their own", async () => {
  await using dir = await tempDir();
  const blobs = folderBlobs(dir.join("a/b"));
  const first = await blobs.save("x.png", bytes(1));
  const second = await blobs.save("x.png", bytes(2));
  deepStrictEqual([first, second], [dir.join("a/b/x.png"), dir.join("a/b/x-2.png")]);
  deepStrictEqual(await blobs.load("x.png"), bytes(1));
  deepStrictEqual(await blobs.load(second ?? ""), bytes(2));
  strictEqual(await blobs.load("y.png"), undefined);
});

Deno.test("folderBlobs() stays in its folder, whatever the name", async (t) => {
  await using dir = await tempDir({ "outside": "secret", "blobs/": "" });
  const blobs = folderBlobs(dir.join("blobs"));
  for (const name of ["../outside", "/etc/passwd", "..", ".", "", "a\0b", "a/b", "é".repeat(300)]) {
    await t.step(JSON.stringify(name.slice(0, 20)), async () => {
      const path = await blobs.save(name, bytes(7)) ?? "";
      strictEqual(dirname(path), dir.join("blobs"));
      deepStrictEqual(await Deno.readFile(path), bytes(7));
      deepStrictEqual(await blobs.load(path), bytes(7));
    });
  }
  strictEqual(await Deno.readTextFile(dir.join("outside")), "secret");
});

Deno.test("memoryBlobs() drops the oldest past its limit", async () => {
  const blobs = memoryBlobs(4);
  for (const name of ["a", "b", "c"]) await blobs.save(name, bytes(1, 2));
  strictEqual(await blobs.load("a"), undefined);
  deepStrictEqual(await blobs.load("b"), bytes(1, 2));
  await blobs.save("b", bytes(3));
  deepStrictEqual(await blobs.load("b"), bytes(3));
  deepStrictEqual(await blobs.load("c"), bytes(1, 2));
});
