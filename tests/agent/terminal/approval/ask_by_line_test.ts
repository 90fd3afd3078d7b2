import { deepStrictEqual, match, ok } from "node:assert/strict";
import type { Question } from "../../../../agent/gate/approver.ts";
import { askByLine } from "../../../../agent/terminal/approval/ask_by_line.ts";
import { answerOf, questionLines } from "../../../../agent/terminal/approval/ask_person.ts";
import { editableText } from "../../../../agent/terminal/approval/editable.ts";
import { editText } from "../../../../agent/terminal/approval/edit_text.ts";
import { styleFor } from "../../../../agent/terminal/style.ts";

const STYLE = styleFor({ flag: "never", isTerminal: true, env: () => undefined });

const QUESTION: Question = {
  callId: "1",
  tool: "bash",
  arguments: '{"command":"make","timeout_ms":5}',
  reason: "so",
  editable: true,
};

/** Asks with a person who types these lines; their editor answers `edited`. */
async function ask(lines: readonly (string | undefined)[], edited?: string, question = QUESTION) {
  const left = [...lines];
  const shown: string[] = [];
  const approve = askByLine({
    readLine: () => Promise.resolve(left.shift()),
    write: (text) => shown.push(text),
    style: STYLE,
    width: () => 80,
    edit: () => Promise.resolve(edited),
  });
  const decision = await approve(question, new AbortController().signal);
  return { decision, left, shown: shown.join("") };
}

Deno.test("askByLine()", async (t) => {
  await t.step("takes the first answer", async () => {
    const { decision, left } = await ask(["y", "n"]);
    deepStrictEqual([decision, left], [{ decision: "allow", by: "person" }, ["n"]]);
  });
  await t.step("asks again what is no answer", async () => {
    const { decision, shown } = await ask(["y or rather not", ""]);
    deepStrictEqual(decision, { decision: "deny", by: "person" });
    match(shown, /Answer with one of the letters above/);
  });
  await t.step("an edit gives the arguments with the new text", async () => {
    const { decision } = await ask(["e"], "make -n");
    const args = '{"command":"make -n","timeout_ms":5}';
    deepStrictEqual(decision, { decision: "edit", by: "person", arguments: args });
  });
  await t.step("an edit that changes nothing, or is given up, leaves the question", async () => {
    deepStrictEqual((await ask(["e", "n"], "make")).decision, { decision: "deny", by: "person" });
    deepStrictEqual((await ask(["e", "y"])).decision, { decision: "allow", by: "person" });
  });
  await t.step("what was folded is shown", async () => {
    const command = Array.from({ length: 90 }, (_, i) => `echo ${i}`).join("\n");
    const question = { ...QUESTION, arguments: JSON.stringify({ command }) };
    const { shown } = await ask(["f", "n"], undefined, question);
    ok(shown.includes("… 66 more lines …") && shown.includes("  | echo 50\n"), shown);
  });
  await t.step("a question whose signal is raised is withdrawn", async () => {
    const approve = askByLine({
      readLine: () => Promise.resolve("y"),
      write() {},
      style: STYLE,
      width: () => 80,
      edit: () => Promise.resolve(undefined),
    });
    const decision = await approve(QUESTION, AbortSignal.abort());
    deepStrictEqual(decision, { decision: "deny", by: "silence" });
  });
});

Deno.test("editableText()", async (t) => {
  const cases: [args: Record<string, unknown>, label: string, text: string, joined: string][] = [
    [{ command: "ls", x: 1 }, "command", "ls", '{"command":"new","x":1}'],
    [{ code: "1" }, "code", "1", '{"code":"new"}'],
    [{ path: "a" }, "arguments", '{\n  "path": "a"\n}', "new"],
    [{ command: 5 }, "arguments", '{\n  "command": 5\n}', "new"],
  ];
  for (const [args, label, text, joined] of cases) {
    await t.step(JSON.stringify(args), () => {
      const editable = editableText(JSON.stringify(args));
      deepStrictEqual([editable.label, editable.text, editable.join("new")], [label, text, joined]);
    });
  }
});

Deno.test("editText() takes the line, the editor, or says why it can do neither", async (t) => {
  type Row = [text: string, label: string, hasEditor: boolean, asked: string];
  const rows: Row[] = [
    ["ls -l", "command", true, "line command: ls -l"],
    ["ls -l", "command", false, "line command: ls -l"],
    ["ls\npwd", "command", true, "editor command"],
    ["ls\npwd", "command", false, "told"],
    ['{\n "a": 1\n}', "arguments", true, "editor arguments.json"],
    ['{\n "a": 1\n}', "arguments", false, 'line arguments: {"a":1}'],
    // A carriage return would press Enter, an ESC any key.
    ["ls\r", "command", false, "told"],
    ["ls\x1b[A", "command", true, "editor command"],
    ["ls\u202e", "command", false, "told"],
  ];
  for (const [text, label, hasEditor, want] of rows) {
    await t.step(`${JSON.stringify(text)}, ${hasEditor ? "an" : "no"} editor`, async () => {
      const asked: string[] = [];
      const edit = editText({
        readLine(prompt, _, options) {
          asked.push(`line ${prompt}${options?.initial}`);
          return Promise.resolve("new");
        },
        write: (line) => asked.push(line.startsWith("Set EDITOR") ? "told" : line),
        ...(hasEditor && {
          outside(_: string, name: string) {
            asked.push(`editor ${name}`);
            return Promise.resolve("new\n");
          },
        }),
      });
      const edited = await edit(text, label, new AbortController().signal);
      deepStrictEqual([asked, edited], [[want], want === "told" ? undefined : "new"]);
    });
  }
});

Deno.test("answerOf() and questionLines()", async (t) => {
  const question = { question: "Which\nport?\x1b", options: ["80", "8080"], default: "80" };
  deepStrictEqual(questionLines(question), [
    "Which",
    "port?<U+001B>",
    "  1 80",
    "  2 8080",
    "  Enter: 80",
  ]);
  const cases: [line: string, want: string | undefined][] = [
    ["2", "8080"],
    ["", "80"],
    ["3", "3"],
    ["0", "0"],
    [" another one ", "another one"],
  ];
  for (const [line, want] of cases) {
    await t.step(`"${line}"`, () => deepStrictEqual(answerOf(line, question), want));
  }
  deepStrictEqual(answerOf("", { question: "?" }), undefined);
});
