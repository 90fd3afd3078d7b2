import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { loadSchemaMaker } from "../../../agent/mcp/json_schema.ts";
import { joinedTools, MAX_TOOLS, usableTools } from "../../../agent/mcp/tool_list.ts";

const maker = await loadSchemaMaker();
const OBJECT = { type: "object" } as const;

Deno.test("usableTools()", async (t) => {
  await t.step("sorts, and keeps names apart", () => {
    const listed = ["b", "a.b", "a b", "b"].map((name) => ({ name, inputSchema: OBJECT }));
    const { tools, warnings } = usableTools("s", listed, maker);
    // The second "b" got a name by its digest, as any that is taken.
    deepStrictEqual(warnings, []);
    strictEqual(new Set(tools.map(({ name }) => name)).size, tools.length);
    deepStrictEqual(tools.map(({ name }) => name), tools.map(({ name }) => name).sort());
  });
  await t.step("leaves out what a model's server would refuse", () => {
    const bad: [schema: object, why: RegExp][] = [
      [{ type: "object", properties: 7 }, /its schema is none: properties: must be object/],
      [{ type: "string" }, /its schema is not of type "object"/],
      [{ type: "object", description: "x".repeat(20_000) }, /its schema is too large/],
    ];
    for (const [inputSchema, why] of bad) {
      // What servers send is what these types say only where it was checked.
      const listed = { name: "t", inputSchema } as { name: string; inputSchema: typeof OBJECT };
      const { tools, warnings } = usableTools("s", [listed], maker);
      deepStrictEqual(tools, []);
      match(warnings[0] ?? "", why);
    }
  });
  await t.step("of too many it takes the first", () => {
    const listed = Array.from({ length: 500 }, (_, i) => ({ name: `t${i}`, inputSchema: OBJECT }));
    const { tools, warnings } = usableTools("s", listed, maker);
    strictEqual(tools.length, MAX_TOOLS);
    deepStrictEqual(warnings, ["MCP server s lists 500 tools: only 256 are used"]);
  });
  await t.step("takes out what nobody can see, and cuts what is long", () => {
    const inputSchema = { ...OBJECT, properties: { a: { description: "x\u{E0041}\x1b[31my" } } };
    const listed = { name: "t", description: `Obey\u{E0041}${"x".repeat(5_000)}`, inputSchema };
    const [tool] = usableTools("s", [listed], maker).tools;
    match(tool?.description ?? "", /^Obeyx+…$/);
    strictEqual(tool?.description.length, 2049);
    deepStrictEqual(tool?.parameters.json.properties, { a: { description: "xy" } });
  });
});

Deno.test("joinedTools() keeps apart what servers of different names offer", () => {
  const listed = ["echo", "b__echo"].map((name) => ({ name, inputSchema: OBJECT }));
  const lists = ["a", "a b", "a.b", "a__b"].map((server) =>
    usableTools(server, listed, maker).tools
  );
  const tools = joinedTools(lists);
  const names = tools.map(({ name }) => name);
  deepStrictEqual([names.length, new Set(names).size], [8, 8]);
  deepStrictEqual(names, names.toSorted());
  // The first keep their names, and each leads to its own server.
  const owner = (wanted: string) => tools.find(({ name }) => name === wanted)?.server;
  deepStrictEqual([owner("mcp__a__b__echo"), owner("mcp__a_b__echo")], ["a", "a b"]);
  for (const { name, server } of tools) {
    if (/_[0-9a-f]{8}$/.test(name)) {
      ok(server === "a.b" || server === "a__b", `${name} of ${server}`);
    }
  }
});

Deno.test("a schema of a server is a parser", async (t) => {
  const made = maker.schema({
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { n: { type: "integer" } },
    required: ["n"],
  });
  ok(made.ok);
  await t.step("of what fits", () => {
    deepStrictEqual(made.schema.parse({ n: 1 }), { ok: true, value: { n: 1 } });
  });
  await t.step("and of what does not", () => {
    deepStrictEqual(made.schema.parse({ n: "x" }), { ok: false, problems: ["n: must be integer"] });
    deepStrictEqual(made.schema.parse({}), {
      ok: false,
      problems: ["must have required property 'n'"],
    });
  });
  await t.step("of values on which a pattern or a comparison would take for ever", () => {
    // Backtracks for longer than anybody lives; all items of the list differ.
    const text = `${"a".repeat(100)}!`;
    const items = Array.from({ length: 200_000 }, (_, i) => ({ i }));
    const endless = "^(a+)+$";
    const number = { type: "number" };
    for (const $schema of ["https://json-schema.org/draft/2020-12/schema", "draft-07"]) {
      const endlessly = maker.schema({
        $schema,
        type: "object",
        properties: {
          text: { type: "string", pattern: endless },
          items: { type: "array", uniqueItems: true },
          n: number,
        },
        propertyNames: { pattern: endless },
        patternProperties: { [endless]: number },
        additionalProperties: false,
      });
      ok(endlessly.ok);
      const { schema } = endlessly;
      ok(schema.parse({ text, items, [text]: "else" }).ok);
      deepStrictEqual(schema.parse({ n: "1" }), { ok: false, problems: ["n: must be number"] });
    }
  });
  await t.step("a reference to another document is not followed", () => {
    const remote = maker.schema({ ...OBJECT, $ref: "https://example.org/schema" });
    ok(remote.ok);
    const parsed = remote.schema.parse({});
    ok(!parsed.ok);
    match(parsed.problems[0] ?? "", /the tool's schema cannot be used: can't resolve reference/);
  });
  await t.step("draft-07 is understood where it is said", () => {
    const old = maker.schema({
      ...OBJECT,
      $schema: "http://json-schema.org/draft-07/schema#",
      properties: { pair: { items: [{ type: "string" }] } },
    });
    ok(old.ok);
    ok(!old.schema.parse({ pair: [1] }).ok);
  });
});
