import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { callsIn, parseAnswer } from "../../../../agent/model/markdown/parse.ts";
import { escapeResult } from "../../../../agent/model/markdown/results.ts";
import { writeCall } from "../../../../agent/model/markdown/write_call.ts";
import { readArguments } from "../../../../agent/calls/arguments.ts";
import { builtinTools } from "../../../../tools/mod.ts";
import { TOOLS, WITHOUT_JOBS } from "./specs.ts";

/** Lines that make a fence parser stumble, and any others. */
const line = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.constantFrom(
      "```bash",
      "```",
      "````",
      "`````save a.md",
      "```save 'a b.md'",
      "~~~py",
      "~~~",
      "~~~~",
      "   ```read",
      "    ```",
      "```js",
      "> ```bash",
      "<think>",
      "</think>",
      '<tool_result call="1">',
      "<<<<<<< ORIGINAL",
      "=======",
      ">>>>>>> UPDATED",
      "=== PATH: a ===",
      '{"command": "ls"}',
      "bg sleep 1",
      "kill 3",
      "cat <<EOF",
      "",
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 12 }) },
);
const answer = fc
  .tuple(fc.array(line, { maxLength: 14 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([lines, end, open]) => lines.join(end) + (open ? "" : end));
const tools = fc.constantFrom(TOOLS, WITHOUT_JOBS, []);

Deno.test("parseAnswer() never throws and loses no character", () => {
  fc.assert(fc.property(answer, tools, fc.boolean(), (text, offered, cut) => {
    strictEqual(parseAnswer(text, offered, cut).map((part) => part.text).join(""), text);
  }));
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    strictEqual(parseAnswer(text, TOOLS).map((part) => part.text).join(""), text);
  }));
});

Deno.test("parseAnswer() runs no call of a cut answer but those of the whole one", () => {
  fc.assert(
    fc.property(answer, tools, (text, offered) => {
      const whole = runnable(text, offered, false);
      for (let at = 0; at <= text.length; at++) {
        const cut = runnable(text.slice(0, at), offered, true);
        // A call that the rest puts in doubt is not among those of the whole answer.
        const known = new Set([...whole, ...closedBlocks(text)]);
        for (const call of cut) ok(known.has(call), `cut at ${at}: ${call}`);
      }
    }),
    { numRuns: 200 },
  );
});

/** The calls that may run, each as the block that it was read from. */
function runnable(text: string, offered: typeof TOOLS, cut: boolean): string[] {
  return parseAnswer(text, offered, cut)
    .filter(({ calls }) => calls.length > 0 && calls.every(({ problem }) => problem === undefined))
    .map((part) => part.text.trimEnd());
}

/** Blocks of the whole answer that are closed, in doubt or not. */
function closedBlocks(text: string): string[] {
  return parseAnswer(text, TOOLS)
    .filter(({ calls }) => calls.length > 0)
    .filter(({ calls }) => !calls.some(({ problem }) => problem?.includes("no closing fence")))
    .map((part) => part.text.trimEnd());
}

const value = fc.oneof(fc.string({ unit: "grapheme" }), answer);

Deno.test("writeCall() is read back as the same call", () => {
  const schemas = builtinTools({ bashTimeoutMs: undefined });
  const calls = fc.oneof(
    fc.record({ name: fc.constant("bash"), args: fc.record({ command: value }) }),
    fc.record({
      name: fc.constant("write_file"),
      args: fc.record({ path: value, content: value }),
    }),
    fc.record({
      name: fc.constant("read_file"),
      args: fc.record({ path: value, offset: fc.nat(), limit: fc.nat() }),
    }),
    fc.record({ name: fc.constant("read_file"), args: fc.record({ paths: fc.array(value) }) }),
    fc.record({
      name: fc.constant("grep"),
      args: fc.record({ pattern: value, path: value, ignore_case: fc.boolean() }),
    }),
    fc.record({ name: fc.constant("patch"), args: fc.record({ path: value, patch: value }) }),
    fc.record({
      name: fc.constant("edit_file"),
      args: fc.record({ path: value, old_string: value, new_string: value }),
    }),
    fc.record({ name: fc.constant("patch_many"), args: fc.record({ patch: value }) }),
    fc.record({ name: fc.constant("gone"), args: fc.dictionary(fc.string(), fc.jsonValue()) }),
  );
  fc.assert(fc.property(calls, ({ name, args }) => {
    const block = writeCall({ name, arguments: JSON.stringify(args) }, TOOLS);
    const offered = name === "gone" ? [{ name, description: "", parameters: {} }] : TOOLS;
    const [call, ...others] = callsIn(parseAnswer(block, offered));
    strictEqual(others.length, 0);
    strictEqual(call?.problem, undefined);
    strictEqual(call?.name, name);
    const { parameters } = schemas.find((tool) => tool.name === name) ?? {};
    const read = (raw: string) => parameters ? readArguments(raw, parameters) : JSON.parse(raw);
    deepStrictEqual(read(call.arguments), read(JSON.stringify(args)));
  }));
});

Deno.test("escapeResult() leaves no delimiter and changes nothing else", () => {
  const part = fc.constantFrom("<", "/", "tool_result", "TOOL_RESULT", " ", "\n", ">", "&lt;", "x");
  fc.assert(fc.property(fc.array(part).map((parts) => parts.join("")), (text) => {
    const escaped = escapeResult(text);
    ok(!/<\s*\/?\s*tool_result/i.test(escaped));
    strictEqual(escaped.replaceAll("&lt;", "<"), text.replaceAll("&lt;", "<"));
  }));
});
