import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import fc from "fast-check";
import { readTask, TASK_KEYS } from "../../../agent/batch/task.ts";
import { ConfigurationError } from "../../../agent/json_file.ts";

const PLACE = { file: "tasks.jsonl", line: 7, index: 4 };

Deno.test("readTask() reads a line", async (t) => {
  const cases: readonly [name: string, line: string, want: object][] = [
    ["a prompt alone has its index for an id", '{"prompt":"x"}', { id: "4", prompt: "x" }],
    ["an id that is a number", '{"id":12,"prompt":"x"}', { id: "12", prompt: "x" }],
    [
      "everything",
      JSON.stringify({
        id: "a/b ü",
        prompt: "do\nit",
        cwd: "sub",
        model: "m",
        tools: ["bash"],
        schema: { type: "object" },
        max_turns: 3,
        timeout: 1.5,
      }),
      {
        id: "a/b ü",
        prompt: "do\nit",
        cwd: "sub",
        model: "m",
        tools: ["bash"],
        schema: '{"type":"object"}',
        maxTurns: 3,
        timeoutMs: 1500,
      },
    ],
    ["a schema that is true", '{"prompt":"x","schema":true}', {
      id: "4",
      prompt: "x",
      schema: "true",
    }],
  ];
  for (const [name, line, want] of cases) {
    await t.step(name, () => {
      const { task: { digest, ...task }, unknown } = readTask(line, PLACE);
      deepStrictEqual([task, unknown], [{ ...want, index: 4, line: 7 }, []]);
      match(digest, /^[0-9a-f]{12}$/);
    });
  }
});

Deno.test("readTask() names line and column of a mistake", async (t) => {
  const cases: readonly [name: string, line: string, message: RegExp][] = [
    ["no JSON", '{"prompt": x}', /^Cannot read "tasks\.jsonl": .+ at line 7, column 12; each line/],
    ["a comment", '{"prompt":"x"} // why', /at line 7, column 16/],
    ["a comma too many", '{"prompt":"x",}', /at line 7, column 15/],
    ["no object", "[1]", /the task is wrong \(line 7, column 1\)/],
    ["no prompt", '{"id":"a"}', /^Cannot use "tasks\.jsonl": prompt is wrong \(line 7, column 1\)/],
    [
      "an empty prompt",
      '{"prompt":" \\n"}',
      /prompt is wrong \(line 7, column 11\): it says nothing/,
    ],
    ["an id of two lines", '{"prompt":"x","id":"a\\nb"}', /id is wrong \(line 7, column 20\)/],
    ["no turns", '{"prompt":"x","max_turns":0}', /max_turns is wrong \(line 7, column 27\)/],
    ["a time too long", '{"prompt":"x","timeout":1e9}', /timeout is wrong \(line 7, column 25\)/],
    [
      "a tool that is no text",
      '{"prompt":"x","tools":["a",1]}',
      /tools\.1 is wrong \(line 7, column 28\)/,
    ],
  ];
  for (const [name, line, message] of cases) {
    await t.step(name, () => {
      throws(() => readTask(line, PLACE), (error) => {
        match(String(error instanceof ConfigurationError && error.message), message);
        return true;
      });
    });
  }
});

Deno.test("readTask() tells a key that nobody knows, and the nearest that is known", () => {
  const { unknown } = readTask('{"prompt":"x","promt":"y","colour":1}', PLACE);
  deepStrictEqual(unknown, [
    {
      key: "promt",
      warning: 'Unknown key "promt" in "tasks.jsonl" (line 7, column 23) is passed over, ' +
        'did you mean "prompt"',
    },
    {
      key: "colour",
      warning: 'Unknown key "colour" in "tasks.jsonl" (line 7, column 36) is passed over',
    },
  ]);
});

Deno.test("readTask() gives the same digest to the same task alone", () => {
  const digest = (line: string) => readTask(line, PLACE).task.digest;
  strictEqual(digest('{"prompt":"x"}'), digest(' {"prompt":"x"}\r'));
  fc.assert(fc.property(fc.string(), fc.string(), (a, b) => {
    const [one, other] = [a, b].map((text) => digest(JSON.stringify({ prompt: `p${text}` })));
    strictEqual(one === other, a === b);
  }));
});

Deno.test("docs/scale tells every key of a task, and no other", () => {
  const page = Deno.readTextFileSync(new URL("../../../docs/scale/README.md", import.meta.url));
  const [table = ""] = page.split("## Where tasks work");
  const told = [...table.matchAll(/^\| `(\w+)` +\|/gm)].map(([, key]) => key);
  deepStrictEqual(told.sort(), [...TASK_KEYS].sort());
});
