import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { discreetAppend, keptText } from "../../agent/discretion.ts";
import type { NewRecord } from "../../agent/session/records.ts";
import { computer } from "../../tools/computer.ts";
import { readFile } from "../../tools/read_file.ts";

Deno.test("keptText() keeps nothing that a tool does not want kept", async (t) => {
  const cases: [name: string, tool: typeof computer | undefined, text: string, want: string][] = [
    [
      "a text",
      computer,
      '{"action":"type","text":"secret"}',
      '{"action":"type","text":"[6 characters]"}',
    ],
    ["what is no JSON", computer, '{"action":"type","text":"secr', "{}"],
    ["what is no object", computer, '"secret"', "{}"],
    ["all of a tool that does not mind", undefined, '{"text":"a"', '{"text":"a"'],
  ];
  for (const [name, tool, text, want] of cases) {
    await t.step(name, () => strictEqual(keptText(tool, text), want));
  }
});

Deno.test("discreetAppend() takes it out of answers and calls, and leaves all else", async () => {
  const kept: NewRecord[] = [];
  const append = discreetAppend((record) => {
    kept.push(record);
    // A cast: nobody looks at what it resolves to.
    return Promise.resolve(record as never);
  }, [computer, readFile]);
  const call = (name: string, text: string) => ({
    call_id: name,
    name,
    arguments: JSON.stringify({ action: "type", text }),
  });
  const answer = {
    type: "assistant" as const,
    content: "secret",
    model: "m",
    usage: { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 },
    finish: "tool_calls" as const,
  };
  await append({ ...answer, tool_calls: [call("computer", "secret"), call("read_file", "plain")] });
  await append({
    type: "tool_call",
    call_id: "1",
    name: "computer",
    arguments: { action: "type", text: "secret" },
  });
  deepStrictEqual(kept, [
    {
      ...answer,
      tool_calls: [call("computer", "[6 characters]"), call("read_file", "plain")],
    },
    {
      type: "tool_call",
      call_id: "1",
      name: "computer",
      arguments: { action: "type", text: "[6 characters]" },
    },
  ]);
});
