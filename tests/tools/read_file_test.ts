import { deepStrictEqual, rejects } from "node:assert/strict";
import { readFile } from "../../tools/read_file.ts";
import { callTool, fileHouse } from "../helpers/file_tools.ts";

const bytes = (...values: (number | string)[]) =>
  Uint8Array.from(
    values.flatMap((value) =>
      typeof value === "number" ? [value] : [...new TextEncoder().encode(value)]
    ),
  );

const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => {
    const line = from + index;
    return `${String(line).padStart(6)}\tline ${line}`;
  }).join("\n");

const lines = (count: number) =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

Deno.test("read_file shows text as numbered rows", async (t) => {
  type Case = [name: string, content: string | Uint8Array, args: object, want: string];
  const cases: Case[] = [
    ["rows", "one\n\tthree\n", {}, "     1\tone\n     2\t\tthree"],
    ["no final line break", "one\ntwo", {}, "     1\tone\n     2\ttwo"],
    ["CRLF", "one\r\ntwo\r\n", {}, "     1\tone\n     2\ttwo"],
    ["byte order mark", "\uFEFFone", {}, "     1\tone"],
    ["empty", "", {}, "[empty file]"],
    ["one empty line", "\n", {}, "     1\t"],
    [
      "a window",
      lines(9),
      { offset: 3, limit: 2 },
      `${numbers(3, 4)}\n[lines 3-4 of 9; continue with offset=5]`,
    ],
    [
      "the last window",
      lines(9),
      { offset: 8, limit: 5 },
      `${numbers(8, 9)}\n[lines 8-9 of 9, the last]`,
    ],
    ["offset 0 is the first line", lines(1), { offset: 0 }, numbers(1, 1)],
    ["past the end", lines(2), { offset: 5 }, "[offset 5 is past the end: the file has 2 lines]"],
    [
      "2000 lines at once",
      lines(2_500),
      { limit: 9_000 },
      `${numbers(1, 2_000)}\n[lines 1-2000 of 2500; continue with offset=2001]`,
    ],
  ];
  for (const [name, content, args, want] of cases) {
    await t.step(name, async () => {
      await using house = await fileHouse({ "a": content });
      deepStrictEqual((await callTool(readFile, { path: "a", ...args }, house)).text, want);
    });
  }
  await t.step("the value", async () => {
    await using house = await fileHouse({ "a": "one\ntwo\nthree\n" });
    deepStrictEqual((await callTool(readFile, { path: "./a", limit: 1, offset: 2 }, house)).value, {
      ok: true,
      kind: "text",
      path: "a",
      offset: 2,
      lines: 1,
      total_lines: 3,
      truncated: true,
      text: "two",
      cut_lines: 0,
    });
  });
});

Deno.test("read_file keeps an answer within 50 KB", async (t) => {
  await t.step("by fewer lines", async () => {
    await using house = await fileHouse({ "a": `${"é".repeat(499)}\n`.repeat(200) });
    const { value, text } = await callTool(readFile, { path: "a" }, house);
    // 998 bytes and a line break each: 51 of them are under 51,200 bytes, 52 are not.
    deepStrictEqual("lines" in value && value.lines, 51);
    deepStrictEqual(text.endsWith("\n[lines 1-51 of 200; continue with offset=52]"), true);
  });
  await t.step("by cutting a line of 5 MB", async () => {
    await using house = await fileHouse({ "a": `${"x".repeat(5_000_000)}\nnext\n` });
    const { text } = await callTool(readFile, { path: "a" }, house);
    deepStrictEqual(
      text,
      `     1\t${"x".repeat(2_000)}… [line cut: 5000000 characters]\n     2\tnext\n` +
        "[lines cut at 2000 characters: 1; search them with grep]",
    );
  });
  await t.step("shared by several paths", async () => {
    const long = "x".repeat(99) + "\n";
    await using house = await fileHouse({ "a": long.repeat(400), "b": long.repeat(400), "c": "c" });
    const { text } = await callTool(readFile, { paths: ["a", "b", "c"] }, house);
    deepStrictEqual(text.length < 60_000, true);
    deepStrictEqual(
      text.split("\n").at(-1),
      "[not read: too_large: c is left out, as the files before it fill this answer: read it by itself]",
    );
  });
});

Deno.test("read_file says what is no text", async (t) => {
  const png = bytes(0x89, "PNG\r\n", 0x1a, "\n", 0, 0, 0, 13, "IHDR", 0, 0, 1, 0, 0, 0, 0, 0x80, 8);
  const jpeg = bytes(0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc0, 0, 11, 8, 0, 5, 0, 7, 3, 0, 0);
  const cases: [name: string, content: Uint8Array, want: string][] = [
    ["PNG", png, "[PNG image of 256 x 128 pixels, 25 bytes: not shown as text]"],
    ["JPEG", jpeg, "[JPEG image of 7 x 5 pixels, 20 bytes: not shown as text]"],
    ["a cut JPEG", jpeg.subarray(0, 9), "[JPEG image, 9 bytes: not shown as text]"],
    [
      "GIF",
      bytes("GIF89a", 2, 0, 3, 0, 0),
      "[GIF image of 2 x 3 pixels, 11 bytes: not shown as text]",
    ],
    ["WebP", bytes("RIFF", 1, 0, 0, 0, "WEBPVP8 "), "[WebP image, 16 bytes: not shown as text]"],
    ["gzip", bytes(0x1f, 0x8b, 8, 0, 0), "[gzip archive, 5 bytes: not shown as text]"],
    ["other", bytes(1, 2, 0, 3), "[binary file, 4 bytes: not shown as text]"],
    [
      "UTF-16",
      bytes(0xff, 0xfe, 65, 0),
      "encoding: a is not UTF-8 but UTF-16LE text (byte order mark): convert it with iconv to read it",
    ],
    [
      "Latin-1",
      bytes("caf", 0xe9),
      "encoding: a is not UTF-8 but bytes that are not valid UTF-8: convert it with iconv to read it",
    ],
    ["text that begins like a PDF", bytes("%PDF- is a sign"), "     1\t%PDF- is a sign"],
  ];
  for (const [name, content, want] of cases) {
    await t.step(name, async () => {
      await using house = await fileHouse({ "a": content });
      deepStrictEqual((await callTool(readFile, { path: "a" }, house)).text, want);
    });
  }
  await t.step("too large", async () => {
    await using house = await fileHouse({ "a": "" });
    await Deno.truncate(house.join("a"), 64 * 1024 * 1024 + 1);
    deepStrictEqual(
      (await callTool(readFile, { path: "a" }, house)).text,
      "too_large: a has 67108865 bytes, more than the 67108864 that are read at once: " +
        "read a part of it by bash, as sed -n 1,200p",
    );
  });
});

Deno.test("read_file answers what it may not or cannot read", async (t) => {
  await using house = await fileHouse({ "src/config.json": "{}", "src/app.ts": "" });
  const outside = house.dir.join("outside");
  await Deno.symlink(outside, house.join("out"));
  const cases: [path: string, want: string][] = [
    [
      "../outside",
      `denied: path traversal: ../outside resolves to ${outside}, outside the workspace`,
    ],
    ["out", `denied: path traversal: out resolves to ${outside}, outside the workspace`],
    ["src/confg.json", "not_a_file: src/confg.json is not there; did you mean src/config.json?"],
    ["src/App.ts", "not_a_file: src/App.ts is not there; did you mean src/app.ts?"],
    ["src/other", "not_a_file: src/other is not there"],
    ["nowhere/a", "not_a_file: nowhere/a is not there"],
    ["", "not_a_file: the path is empty: give a name"],
  ];
  for (const [path, want] of cases) {
    await t.step(path, async () => {
      deepStrictEqual((await callTool(readFile, { path }, house)).text, want);
    });
  }
  await t.step("the value", async () => {
    deepStrictEqual((await callTool(readFile, { path: "no" }, house)).value, {
      ok: false,
      reason: "not_a_file",
      path: "no",
      message: "no is not there",
    });
  });
});

Deno.test("read_file lists a folder, reads several paths, and a spill", async () => {
  await using house = await fileHouse({ "a": "one\n", "sub/b": "two" });
  deepStrictEqual((await callTool(readFile, { path: "sub" }, house)).text, "     1\tb (3 bytes)");
  deepStrictEqual(
    (await callTool(readFile, { paths: ["a", "no", "sub"] }, house)).text,
    "a:\n     1\tone\n\n[not read: not_a_file: no is not there]\n\nsub:\n     1\tb (3 bytes)",
  );
  const spill = await house.context.store.save("spill.txt", new TextEncoder().encode("kept"));
  deepStrictEqual((await callTool(readFile, { path: spill }, house)).text, "     1\tkept");
});

Deno.test("read_file takes a path or paths, and touches them", async () => {
  await using house = await fileHouse({});
  await rejects(callTool(readFile, {}, house), /give either path or paths/);
  await rejects(
    callTool(readFile, { path: "a", paths: ["b"] }, house),
    /give either path or paths/,
  );
  deepStrictEqual(await readFile.plan({ paths: ["a", "b"] }, house.context), {
    touches: [{ kind: "read", path: "a" }, { kind: "read", path: "b" }],
  });
});
