import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import {
  archiveEnd,
  type ArchiveFile,
  archiveMembers,
  concat,
} from "../../scripts/compile/archive.ts";
import { tempDir } from "../helpers/temp_dir.ts";

Deno.test("archiveMembers() writes what tar reads", async () => {
  const long = `${"folder/".repeat(18)}${"f".repeat(90)}`;
  const files: ArchiveFile[] = [
    { name: "empty", content: new Uint8Array() },
    { name: "program", content: new Uint8Array([0, 255, 10]), executable: true },
    { name: "a/日本語", content: new Uint8Array(512).fill(7) },
    { name: long, content: new Uint8Array(513).fill(8) },
  ];
  // Members written apart and joined are one archive.
  const bytes = concat([
    archiveMembers(files.slice(0, 2)),
    archiveMembers(files.slice(2)),
    archiveEnd(),
  ]);
  await using dir = await tempDir({ "x.tar": bytes, "out/": "" });
  const { success, stderr } = await new Deno.Command("tar", {
    args: ["-xof", dir.join("x.tar"), "-C", dir.join("out")],
  }).output();
  deepStrictEqual([success, new TextDecoder().decode(stderr)], [true, ""]);
  for (const { name, content, executable = false } of files) {
    deepStrictEqual(await Deno.readFile(dir.join("out", name)), content);
    const { mode, mtime } = await Deno.stat(dir.join("out", name));
    strictEqual((mode ?? 0) & 0o777, executable ? 0o700 : 0o600);
    strictEqual(mtime?.toISOString(), "2000-01-01T00:00:00.000Z");
  }
});

Deno.test("archiveMembers() refuses a name that no header holds", () => {
  throws(
    () => archiveMembers([{ name: "f".repeat(101), content: new Uint8Array() }]),
    RangeError,
  );
});
