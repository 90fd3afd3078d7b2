import { deepStrictEqual, rejects } from "node:assert/strict";
import { createModel } from "../../../agent/model/connect.ts";
import type { Model, ModelRequest } from "../../../agent/model/model.ts";
import { providerFor } from "../../../agent/model/provider.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { assistant, request } from "./asking.ts";

const never = new AbortController().signal;

function scripted(path: string): Model {
  return createModel({
    name: `scripted:${path}`,
    provider: providerFor(),
    loadBlob: () => Promise.reject(new Deno.errors.NotFound()),
    readText: (file) => Deno.readTextFile(file),
  });
}

async function answerOf(model: Model, asked: ModelRequest = request()) {
  const last = (await Array.fromAsync(model.ask(asked, never))).at(-1);
  return last?.type === "answer" ? last.message : undefined;
}

Deno.test("a scripted model plays a turn for each request", async () => {
  await using dir = await tempDir({
    "script.json": JSON.stringify({
      turns: [
        {
          text: "Looking",
          tool_calls: [{ name: "bash", arguments: { command: "ls" } }, {
            name: "bash",
            arguments: '{"command": "l',
          }],
        },
        { tool_calls: [{ name: "list_dir" }] },
        { text: "Done" },
      ],
    }),
  });
  const name = `scripted:${dir.join("script.json")}`;
  const usage = { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  const model = scripted(dir.join("script.json"));
  const first = assistant({
    text: "Looking",
    toolCalls: [
      { callId: "call_1", name: "bash", arguments: '{"command":"ls"}' },
      { callId: "call_2", name: "bash", arguments: '{"command": "l' },
    ],
    model: name,
    usage,
    finish: "tool_calls",
  });
  deepStrictEqual(await Array.fromAsync(model.ask(request(), never)), [
    { type: "text_delta", text: "Looking" },
    { type: "tool_call_start", name: "bash" },
    { type: "tool_call_start", name: "bash" },
    { type: "answer", message: first },
  ]);
  deepStrictEqual((await answerOf(model))?.toolCalls, [
    { callId: "call_3", name: "list_dir", arguments: "{}" },
  ]);
  deepStrictEqual(await answerOf(model), assistant({ text: "Done", model: name, usage }));
  await rejects(answerOf(model), {
    kind: "configuration",
    message: `Cannot play "${dir.join("script.json")}": it has 3 turns and was asked for one more`,
  });
});

Deno.test("a scripted model counts calls on from a resumed session", async () => {
  await using dir = await tempDir({ "s.json": '{"turns":[{"tool_calls":[{"name":"bash"}]}]}' });
  // A summary stands for the calls before it, and other servers have ids of other kinds.
  const old = assistant({
    toolCalls: ["call_7", "call_abc", "toolu_9"].map((callId) => (
      { callId, name: "bash", arguments: "{}" }
    )),
  });
  const answer = await answerOf(scripted(dir.join("s.json")), request(old));
  deepStrictEqual(answer?.toolCalls.map(({ callId }) => callId), ["call_8"]);
});

Deno.test("a scripted model stops when asked to", async () => {
  await using dir = await tempDir({ "s.json": '{"turns":[{"text":"a"}]}' });
  const asked = scripted(dir.join("s.json")).ask(request(), AbortSignal.abort());
  await rejects(Array.fromAsync(asked), { name: "AbortError" });
});

Deno.test("a scripted model refuses", async (t) => {
  const cases: [name: string, text: string, why: string][] = [
    ["an empty file", " \n", "it is empty"],
    ["a script without turns", '{"turns":[]}', "it has no turns"],
    ["a list", "[]", 'it is no object with a list "turns"'],
    ["another object", '{"turn":[]}', 'it is no object with a list "turns"'],
    [
      "a torn file",
      '{"turns":[\n  {"text": "a"',
      "bad JSON at line 2, column 15 (close brace expected)",
    ],
    [
      "a comma too many",
      '{"turns":[{"text":"a"},]}',
      "bad JSON at line 1, column 24 (value expected)",
    ],
    ["a comment", '// x\n{"turns":[]}', "bad JSON at line 1, column 1 (invalid comment token)"],
    ["two values", '{"turns":[]} {}', "bad JSON at line 1, column 14 (end of file expected)"],
    ["a turn that is text", '{"turns":["a"]}', "turns[0] is no object"],
    ["text that is a number", '{"turns":[{"text":1}]}', "turns[0].text is no string"],
    ["calls that are no list", '{"turns":[{"tool_calls":{}}]}', "turns[0].tool_calls is no list"],
    [
      "a call without a name",
      '{"turns":[{"text":"a"},{"tool_calls":[{"arguments":{}}]}]}',
      'turns[1].tool_calls[0] is no object with a "name"',
    ],
    [
      "arguments that are a list",
      '{"turns":[{"tool_calls":[{"name":"a","arguments":[]}]}]}',
      "turns[0].tool_calls[0].arguments is no object and no string",
    ],
  ];
  for (const [name, text, why] of cases) {
    await t.step(name, async () => {
      await using dir = await tempDir({ "s.json": text });
      const path = dir.join("s.json");
      await rejects(answerOf(scripted(path)), {
        kind: "configuration",
        message: `Cannot play "${path}": ${why}`,
      });
    });
  }
  await t.step("a file that is not there", async () => {
    await using dir = await tempDir();
    const path = dir.join("none.json");
    await rejects(answerOf(scripted(path)), {
      kind: "configuration",
      message: `Cannot play "${path}": there is no such file`,
    });
  });
  await t.step("a name without a file", async () => {
    await rejects(answerOf(scripted("")), { kind: "configuration" });
  });
  await t.step("nothing where a mark of byte order comes first", async () => {
    await using dir = await tempDir({ "s.json": '\uFEFF{"turns":[{"text":"a"}]}' });
    deepStrictEqual((await answerOf(scripted(dir.join("s.json"))))?.text, "a");
  });
});
