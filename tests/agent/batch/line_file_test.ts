import { deepStrictEqual, rejects, strictEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import { BatchError } from "../../../agent/batch/error.ts";
import { LineFile } from "../../../agent/batch/line_file.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { canMount, tinyDisk } from "../../helpers/tiny_disk.ts";

Deno.test("LineFile.open() keeps whole lines, wherever a file broke off", async () => {
  await using dir = await tempDir();
  const path = dir.join("lines");
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme" })), fc.nat(), (lines, cut) => {
      const flat = lines.map((line) => line.replaceAll("\n", " "));
      const bytes = new TextEncoder().encode(flat.map((line) => `${line}\n`).join(""));
      const torn = bytes.subarray(0, cut % (bytes.length + 1));
      Deno.writeFileSync(path, torn);
      const whole = torn.lastIndexOf(0x0a) + 1;
      const { file, wasTorn } = LineFile.open(path);
      strictEqual(wasTorn, whole < torn.length);
      file.append("next");
      file[Symbol.dispose]();
      const next = new TextEncoder().encode("next\n");
      deepStrictEqual(
        Deno.readFileSync(path),
        new Uint8Array([...torn.subarray(0, whole), ...next]),
      );
    }),
    { numRuns: 60 },
  );
});

Deno.test("LineFile.open() finds the last line feed before a long torn line", async () => {
  await using dir = await tempDir({ lines: `one\n${"x".repeat(300_000)}` });
  LineFile.open(dir.join("lines")).file[Symbol.dispose]();
  strictEqual(await Deno.readTextFile(dir.join("lines")), "one\n");
});

Deno.test("LineFile.open() makes a file for its owner alone", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using dir = await tempDir();
  using _file = LineFile.open(dir.join("lines")).file;
  strictEqual((Deno.statSync(dir.join("lines")).mode ?? 0) & 0o777, 0o600);
  throws(() => LineFile.open(dir.join("missing/lines")), BatchError);
});

Deno.test("LineFile.rewrite() leaves the file as it was where writing fails", async () => {
  await using dir = await tempDir({ lines: "old\n" });
  const path = dir.join("lines");
  await rejects(LineFile.rewrite(path, () => Promise.reject(new Error("no"))), /no/);
  strictEqual(await Deno.readTextFile(path), "old\n");
  await LineFile.rewrite(path, (file) => Promise.resolve(file.add("new")));
  strictEqual(await Deno.readTextFile(path), "new\n");
});

Deno.test("LineFile.append() leaves no half line on a full disk", {
  ignore: !await canMount(),
}, async () => {
  await using disk = await tinyDisk();
  const path = disk.join("lines");
  using file = LineFile.open(path).file;
  file.append("kept");
  throws(() => file.append("x".repeat(64 * 1024)), (error) => {
    strictEqual(error instanceof BatchError && /^Cannot write .+space/i.test(error.message), true);
    return true;
  });
  file.append("after");
  strictEqual(await Deno.readTextFile(path), "kept\nafter\n");
});
