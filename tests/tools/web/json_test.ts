import { deepStrictEqual, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { prettyJson } from "../../../tools/web/json.ts";

Deno.test("prettyJson()", async (t) => {
  const cases: [name: string, text: string, want: string | undefined][] = [
    [
      "entries have lines",
      '{"a":[1,{"b":null}]}',
      '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ]\n}',
    ],
    ["empty ones do not", '{"a":[ ],"b":{}}', '{\n  "a": [],\n  "b": {}\n}'],
    ["digits stay", "[12345678901234567890.10]", "[\n  12345678901234567890.10\n]"],
    ["strings stay", '["a, {\\"b\\": \\u00e9"]', '[\n  "a, {\\"b\\": \\u00e9"\n]'],
    ["a string of brackets is no empty list", '["[",1]', '[\n  "[",\n  1\n]'],
    ["keys that come twice stay", '{"a":1,"a":2}', '{\n  "a": 1,\n  "a": 2\n}'],
    ["a value alone", " 1 ", "1"],
    ["no JSON", "{a:1}", undefined],
    ["half of it", '{"a":', undefined],
    ["too deep", "[".repeat(65) + "]".repeat(65), undefined],
    ["so deep that a parser gives up", "[".repeat(1e6), undefined],
  ];
  for (const [name, text, want] of cases) {
    await t.step(name, () => strictEqual(prettyJson(text), want));
  }
});

Deno.test("prettyJson() writes what JSON.stringify() writes", () => {
  fc.assert(fc.property(fc.jsonValue({ maxDepth: 6 }), (value) => {
    strictEqual(prettyJson(JSON.stringify(value)), JSON.stringify(value, null, 2));
    deepStrictEqual(
      JSON.parse(prettyJson(JSON.stringify(value)) ?? ""),
      JSON.parse(JSON.stringify(value)),
    );
  }));
});
