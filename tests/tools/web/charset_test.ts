import { deepStrictEqual, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { decodeDocument } from "../../../tools/web/charset.ts";

function bytes(...parts: (string | number[])[]): Uint8Array {
  return Uint8Array.from(
    parts.flatMap((part) =>
      typeof part === "string" ? Array.from(part, (char) => char.charCodeAt(0)) : part
    ),
  );
}

Deno.test("decodeDocument()", async (t) => {
  const cases: [
    name: string,
    bytes: Uint8Array,
    contentType: string | undefined,
    want: [text: string, charset: string],
  ][] = [
    ["a mark goes before the header", bytes([0xef, 0xbb, 0xbf], "a"), "text/html; charset=koi8-r", [
      "a",
      "utf-8",
    ]],
    ["UTF-16 by its mark", bytes([0xff, 0xfe], "a\0b\0"), undefined, ["ab", "utf-16le"]],
    ["and the other way round", bytes([0xfe, 0xff], "\0a\0b"), undefined, ["ab", "utf-16be"]],
    ["the header", bytes([0xcf]), "text/html; charset=koi8-r", ["о", "koi8-r"]],
    ["in quotes", bytes([0xe9]), 'text/html; a=b; Charset="ISO-8859-1"', ["é", "windows-1252"]],
    [
      "the header goes before the page",
      bytes("<meta charset=koi8-r>", [0xe9]),
      "text/html;charset=latin1",
      ["<meta charset=koi8-r>é", "windows-1252"],
    ],
    ["a meta", bytes("<meta charset='shift_jis'>", [0x82, 0xa0]), "text/html", [
      "<meta charset='shift_jis'>あ",
      "shift_jis",
    ]],
    [
      "an old meta",
      bytes('<meta http-equiv=x content="text/html; charset=gb2312">', [0xc4, 0xe3]),
      "text/html",
      ['<meta http-equiv=x content="text/html; charset=gb2312">你', "gbk"],
    ],
    [
      "an XML declaration",
      bytes('<?xml version="1.0" encoding="iso-8859-2"?>', [0xb1]),
      "text/xml",
      ['<?xml version="1.0" encoding="iso-8859-2"?>ą', "iso-8859-2"],
    ],
    [
      "a meta that cannot be true",
      bytes("<meta charset=utf-16>", [0xc3, 0xa9]),
      undefined,
      ["<meta charset=utf-16>é", "utf-8"],
    ],
    [
      "a header that says Latin-1 of UTF-8",
      bytes([0xc3, 0xa9], "x"),
      "text/html; charset=ISO-8859-1",
      ["éx", "utf-8"],
    ],
    [
      "a page that does",
      bytes("<meta charset=latin1>", [0xc3, 0xa9]),
      undefined,
      ["<meta charset=latin1>é", "utf-8"],
    ],
    ["Latin-1 that could be half of UTF-8", bytes("caf", [0xe9]), "a/b;charset=latin1", [
      "café",
      "windows-1252",
    ]],
    ["what is ASCII stays what it is said to be", bytes("a"), "a/b;charset=latin1", [
      "a",
      "windows-1252",
    ]],
    ["an encoding that nobody knows", bytes([0xc3, 0xa9]), "text/html; charset=klingon", [
      "é",
      "utf-8",
    ]],
    ["UTF-8 by a look", bytes([0xc3, 0xa9]), undefined, ["é", "utf-8"]],
    ["also where its end is cut off", bytes([0xc3, 0xa9, 0xc3]), undefined, ["é\ufffd", "utf-8"]],
    ["else what browsers take", bytes([0xe9], "A", [0x80]), undefined, ["éA€", "windows-1252"]],
    ["nothing", bytes(), undefined, ["", "utf-8"]],
  ];
  for (const [name, input, contentType, [text, charset]] of cases) {
    await t.step(name, () => {
      deepStrictEqual(decodeDocument(input, contentType), { text, charset });
    });
  }
});

Deno.test("decodeDocument() reads any UTF-8 as it was written, and no bytes are too odd for it", () => {
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), (text) => {
    const plain = text.replaceAll(/[<\ufeff]/g, "");
    strictEqual(decodeDocument(new TextEncoder().encode(plain)).text, plain);
  }));
  fc.assert(fc.property(fc.uint8Array({ maxLength: 2000 }), fc.string(), (input, type) => {
    strictEqual(typeof decodeDocument(input, type).text, "string");
  }));
});
