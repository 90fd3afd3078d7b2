import { deepStrictEqual, ok } from "node:assert/strict";
import { z } from "zod";
import { readArguments } from "../../../agent/calls/arguments.ts";
import { schema } from "../../../tools/schema.ts";

const parameters = schema(z.strictObject({
  path: z.string(),
  old_string: z.string().optional(),
  limit: z.int().optional(),
  replace_all: z.boolean().optional(),
  patches: z.array(z.object({ path: z.string() })).optional(),
}));

Deno.test("readArguments() understands", async (t) => {
  const cases: [name: string, raw: string, value: unknown, notes: string[]][] = [
    ["the names as they are", '{"path":"a"}', { path: "a" }, []],
    ["other names", '{"file_path":"a"}', { path: "a" }, ["file_path is path"]],
    ["camel case", '{"path":"a","oldString":"x"}', { path: "a", old_string: "x" }, [
      "oldString is old_string",
    ]],
    ["camel case of other names", '{"filePath":"a"}', { path: "a" }, ["filePath is path"]],
    ["numbers as text", '{"path":"a","limit":"12"}', { path: "a", limit: 12 }, []],
    ["booleans as text", '{"path":"a","replace_all":"true"}', { path: "a", replace_all: true }, []],
    ["a list as JSON text", '{"path":"a","patches":"[{\\"path\\":\\"b\\"}]"}', {
      path: "a",
      patches: [{ path: "b" }],
    }, []],
    ["text that looks like a number where text is wanted", '{"path":"12"}', { path: "12" }, []],
  ];
  for (const [name, raw, value, notes] of cases) {
    await t.step(name, () => {
      deepStrictEqual(readArguments(raw, parameters), { ok: true, value, notes });
    });
  }
});

Deno.test("readArguments() refuses", async (t) => {
  const cases: [name: string, raw: string, problem: RegExp][] = [
    ["text that is no JSON", '{"path":"a', /not JSON/],
    ["a list", '["a"]', /must be a JSON object/],
    ["null", "null", /must be a JSON object/],
    ["nothing where something is required", "", /path/],
    ["an unknown name, with a guess", '{"path":"a","limt":3}', /did you mean limit for limt/],
    ["a wrong type", '{"path":3}', /path: .*string/],
    ["a list as broken JSON text", '{"path":"a","patches":"[{path"}', /patches: .*array/],
    ["both spellings at once", '{"path":"a","file_path":"b"}', /file_path/],
  ];
  for (const [name, raw, problem] of cases) {
    await t.step(name, () => {
      const read = readArguments(raw, parameters);
      ok(!read.ok && problem.test(read.problem), JSON.stringify(read));
    });
  }
});

Deno.test("readArguments() takes no text as no arguments where none are required", () => {
  const none = schema(z.strictObject({}));
  deepStrictEqual(readArguments("", none), { ok: true, value: {}, notes: [] });
});
