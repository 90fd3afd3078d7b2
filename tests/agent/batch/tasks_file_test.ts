import { deepStrictEqual, match, rejects, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { surveyTasks, tasksIn } from "../../../agent/batch/tasks_file.ts";
import { MAX_LINE_CHARS } from "../../../agent/children/lines.ts";
import { ConfigurationError } from "../../../agent/json_file.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

async function promptsOf(path: string): Promise<string[]> {
  const prompts: string[] = [];
  for await (const { prompt } of tasksIn({ path, name: "t" })) prompts.push(prompt);
  return prompts;
}

Deno.test("tasksIn() reads every task in order, however the lines end", async () => {
  await using dir = await tempDir();
  const path = dir.join("tasks.jsonl");
  const prompt = fc.string({ minLength: 1 }).filter((text) => /\S/.test(text));
  const ending = fc.constantFrom("\n", "\r\n", "\n\n", "\n \t\n");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(prompt, ending), { maxLength: 20 }),
      fc.boolean(),
      async (tasks, lastIsWhole) => {
        const text = tasks.map(([prompt, ending], at) => {
          const isLast = at === tasks.length - 1;
          return JSON.stringify({ prompt }) + (isLast && !lastIsWhole ? "" : ending);
        }).join("");
        await Deno.writeTextFile(path, `\ufeff${text}`);
        deepStrictEqual(await promptsOf(path), tasks.map(([prompt]) => prompt));
      },
    ),
    { numRuns: 50 },
  );
});

Deno.test("surveyTasks() counts tasks, and keeps a digest of each", async () => {
  await using dir = await tempDir({
    "t.jsonl": '{"prompt":"x"}\n\n{"prompt":"y","id":"b","zzz":1}\n{"prompt":"z","zzz":2}\n',
  });
  const seen: string[] = [];
  const file = { path: dir.join("t.jsonl"), name: "t.jsonl" };
  const survey = await surveyTasks(file, ({ id, line }) => void seen.push(`${id}@${line}`));
  deepStrictEqual([survey.count, [...survey.digests.keys()]], [3, ["0", "b", "2"]]);
  deepStrictEqual(seen, ["0@1", "b@3", "2@4"]);
  // A key is told once, and not for each of a thousand lines.
  deepStrictEqual(survey.warnings, [
    'Unknown key "zzz" in "t.jsonl" (line 3, column 30) is passed over',
  ]);
});

Deno.test("surveyTasks() refuses a file that is none", async (t) => {
  const cases: readonly [name: string, text: string | undefined, message: RegExp][] = [
    ["missing", undefined, /^Cannot read "t": there is no such file$/],
    ["empty", "", /^Cannot use "t": there is no task in it$/],
    ["blank", " \n\n", /^Cannot use "t": there is no task in it$/],
    [
      "two of one id",
      '{"prompt":"x","id":"a"}\n{"prompt":"y"}\n{"prompt":"z","id":"a"}\n',
      /^Cannot use "t": the tasks of lines 1 and 3 have the same id "a"$/,
    ],
    ["an id like another's index", '{"prompt":"x"}\n{"prompt":"y","id":0}', /lines 1 and 2/],
    [
      "a line that is too long",
      `{"prompt":"x"}\n{"prompt":"${"x".repeat(MAX_LINE_CHARS)}"}`,
      /^Cannot read "t": line 2 has over 4194304 characters, keep long texts in files of their own$/,
    ],
    ["a mistake in the last line", `${'{"prompt":"x"}\n'.repeat(99)}{`, /line 100/],
  ];
  for (const [name, text, message] of cases) {
    await t.step(name, async () => {
      await using dir = await tempDir(text === undefined ? {} : { t: text });
      const survey = surveyTasks({ path: dir.join("t"), name: "t" }, () => {});
      await rejects(survey, (error) => {
        match(String(error instanceof ConfigurationError && error.message), message);
        return true;
      });
    });
  }
});

Deno.test("tasksIn() reads no more than it is asked for", async () => {
  await using dir = await tempDir();
  const path = dir.join("tasks.jsonl");
  // The mistake lies far beyond what a reader takes at once.
  const line = `${JSON.stringify({ prompt: "x".repeat(1000) })}\n`;
  await Deno.writeTextFile(path, `${line.repeat(5_000)}no task`);
  const reader = tasksIn({ path, name: "t" });
  strictEqual((await reader.next()).value?.id, "0");
  strictEqual((await reader.next()).value?.id, "1");
  deepStrictEqual(await reader.return(undefined), { done: true, value: undefined });
});
