import { ok, strictEqual } from "node:assert/strict";
import { summaryText } from "../../../agent/compaction/kept_facts.ts";
import { text } from "../../../tools/tool.ts";

const saying = (...words: string[]) =>
  words.map((word) => ({ content: [text(word)], index: undefined }));

Deno.test("summaryText()", async (t) => {
  const touched = { changed: ["a.ts", "b.ts"], read: ["c.ts"] };
  await t.step("puts what we know around what the model says", () => {
    strictEqual(
      summaryText("The model's words.", {
        conversation: {
          touched,
          said: [
            ...saying("the task", "also this"),
            { content: [text("kept as it is")], index: 7 },
          ],
        },
        cut: 7,
        jobs: [{ id: "2", command: "npm test" }],
        children: [{ id: "c3", role: "explore", description: "find the parser" }],
        maxCharacters: 2_000,
      }).split("\n\n").slice(1).join("\n\n"),
      [
        "# What the person said first\nthe task",
        "# What the person said since\n- also this",
        "# Summary\nThe model's words.",
        "# Files changed so far\na.ts, b.ts",
        "# Files read so far\nc.ts",
        "# Jobs that ran when this was written\njob 2: npm test",
        "# Sub-agents that worked when this was written\nc3: explore, find the parser",
      ].join("\n\n"),
    );
  });
  await t.step("leaves out what there is not, and what is kept", () => {
    const words = summaryText("S", {
      conversation: {
        touched: { changed: [], read: [] },
        said: [{ content: [text("kept")], index: 3 }],
      },
      ...{ cut: 2, jobs: [], children: [], maxCharacters: 2_000 },
    });
    strictEqual(words.split("\n\n").slice(1).join("\n\n"), "# Summary\nS");
  });
  await t.step("is bounded, the first task and the latest of all else shown", () => {
    const many = Array.from({ length: 500 }, (_, i) => `word or file number ${i}`);
    const words = summaryText("S", {
      conversation: {
        touched: { changed: many, read: many.map((name) => `${name}.ts`) },
        said: saying(`the task ${"t".repeat(9_000)}`, ...many),
      },
      cut: 1,
      jobs: many.map((command, i) => ({ id: String(i), command })),
      children: many.map((description, i) => ({ id: `c${i}`, role: "explore", description })),
      maxCharacters: 2_000,
    });
    ok(words.length < 2_800, `${words.length} characters`);
    ok(words.includes("the task ttt") && words.includes("- word or file number 499"));
    ok(words.includes("word or file number 499, ") || words.includes("number 499\n\n"));
    ok(words.includes(" earlier]"));
  });
});
