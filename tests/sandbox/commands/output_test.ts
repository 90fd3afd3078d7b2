import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { Capture } from "../../../sandbox/commands/capture.ts";
import { Output } from "../../../sandbox/commands/output.ts";
import { Spill, SPILL_AFTER_BYTES } from "../../../sandbox/commands/spill.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const byteLength = (text: string) => encode(text).length;

Deno.test("Capture", async (t) => {
  const cases: [name: string, limit: number, pieces: string[], want: object][] = [
    ["keeps all that fits", 8, ["ab", "cdef"], { head: "abcdef", tail: "", omitted: 0 }],
    ["joins head and tail where they meet", 8, ["abcdefgh"], {
      head: "abcdefgh",
      tail: "",
      omitted: 0,
    }],
    ["keeps head and tail", 8, ["abcdefghijkl"], { head: "abcd", tail: "ijkl", omitted: 4 }],
    ["moves the tail along", 8, ["abcd", "efgh", "ij", "kl"], {
      head: "abcd",
      tail: "ijkl",
      omitted: 4,
    }],
    ["tears no code point in head or tail", 8, ["abcüdefghijüklm"], {
      head: "abc",
      tail: "klm",
      omitted: 11,
    }],
    ["is empty without output", 8, [], { head: "", tail: "", omitted: 0 }],
  ];
  for (const [name, limit, pieces, want] of cases) {
    await t.step(name, () => {
      const capture = new Capture(limit);
      for (const piece of pieces) capture.write(encode(piece));
      deepStrictEqual(capture.result(1), { ...want, bytes: 1 });
    });
  }

  await t.step("head, tail and what is omitted add up for any text in any splitting", () => {
    const pieces = fc.array(fc.string({ unit: "grapheme", maxLength: 12 }));
    fc.assert(fc.property(pieces, fc.integer({ min: 8, max: 64 }), (pieces, limit) => {
      const capture = new Capture(limit);
      for (const piece of pieces) capture.write(encode(piece));
      const whole = pieces.join("");
      const { head, tail, omitted } = capture.result(0);
      strictEqual(byteLength(head) + byteLength(tail) + omitted, byteLength(whole));
      ok(byteLength(head) + byteLength(tail) <= limit);
      ok(whole.startsWith(head) && whole.endsWith(tail));
      ok(omitted > 0 || head === whole);
      ok(!(head + tail).includes("\uFFFD") || whole.includes("\uFFFD"));
    }));
  });
});

Deno.test("Output decodes characters and sequences across any border of chunks", () => {
  const text = "ü🎉\x1b[31mrot\x1b[0m\r\nEnde\n";
  const bytes = encode(text);
  const cuts = fc.array(fc.integer({ min: 0, max: bytes.length }));
  fc.assert(fc.property(cuts, (cuts) => {
    const output = new Output();
    const borders = [0, ...cuts.sort((a, b) => a - b), bytes.length];
    borders.slice(1).forEach((end, index) => {
      output.write("stdout", bytes.subarray(borders[index], end));
    });
    strictEqual(output.close().stdout.head, "ü🎉rot\r\nEnde\n");
  }));
});

Deno.test("Output replaces what is no UTF-8, and counts what was written", () => {
  const output = new Output();
  output.write("stderr", new Uint8Array([0x61, 0xff, 0, 0x62, 0xc3]));
  deepStrictEqual(output.close(), {
    stdout: { head: "", tail: "", bytes: 0, omitted: 0 },
    stderr: { head: "a\uFFFDb\uFFFD", tail: "", bytes: 5, omitted: 0 },
  });
});

Deno.test("Output spills both streams in the order in which they came, and shows them", async () => {
  await using dir = await tempDir();
  const seen: string[] = [];
  const output = new Output({
    spill: { folder: dir.path, name: "o.txt" },
    onOutput: (stream, text) => seen.push(`${stream} ${text.length}`),
  });
  const half = "x".repeat(SPILL_AFTER_BYTES / 2);
  output.write("stdout", encode(half));
  output.write("stderr", encode("\x1b[31mred"));
  output.write("stdout", encode(half));
  const { spill } = output.close();
  const want = `${half}red${half}`;
  deepStrictEqual(spill, { path: dir.join("o.txt"), bytes: want.length, of: want.length });
  strictEqual(await Deno.readTextFile(dir.join("o.txt")), want);
  deepStrictEqual(seen, [`stdout ${half.length}`, "stderr 3", `stdout ${half.length}`]);
});

Deno.test("Spill makes no file for little output", async () => {
  await using dir = await tempDir();
  const spill = new Spill({ folder: dir.path, name: "o.txt" });
  for (let index = 0; index < SPILL_AFTER_BYTES; index += 1024) spill.write(new Uint8Array(1024));
  strictEqual(spill.close(), undefined);
  deepStrictEqual([...Deno.readDirSync(dir.path)], []);
});

Deno.test("Spill holds at the most its limit, in a file of its own that only we may read", async () => {
  await using dir = await tempDir({ "o.txt": "earlier" });
  const spill = new Spill({ folder: dir.path, name: "o.txt", maxBytes: 60_000 });
  for (let index = 0; index < 4; index++) spill.write(new Uint8Array(40_000));
  const path = dir.join("o-2.txt");
  deepStrictEqual(spill.close(), { path, bytes: 60_000 });
  const { size, mode } = await Deno.stat(path);
  strictEqual(size, 60_000);
  strictEqual((mode ?? 0) & 0o777, 0o600);
  strictEqual(await Deno.readTextFile(dir.join("o.txt")), "earlier");
});

Deno.test("Spill is no reason to fail where nothing can be written", async () => {
  await using dir = await tempDir();
  const spill = new Spill({ folder: dir.join("missing"), name: "o.txt" });
  spill.write(new Uint8Array(SPILL_AFTER_BYTES + 1));
  spill.write(new Uint8Array(1));
  strictEqual(spill.close(), undefined);
});
