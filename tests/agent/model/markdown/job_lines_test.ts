import { deepStrictEqual } from "node:assert/strict";
import { splitJobLines, type Step } from "../../../../agent/model/markdown/job_lines.ts";
import { seen, TOOLS } from "./specs.ts";

const script = (script: string): Step => ({ kind: "script", script, background: false });
const job = (script: string): Step => ({ kind: "script", script, background: true });
const kill = (job: string): Step => ({ kind: "kill", job });
const LIST: Step = { kind: "list" };

Deno.test("splitJobLines()", async (t) => {
  const cases: [name: string, script: string, want: Step[]][] = [
    ["nothing", " \n", []],
    ["no line about jobs", "cd a\nls", [script("cd a\nls")]],
    ["in the background", "bg npm run dev -- --port 1", [job("npm run dev -- --port 1")]],
    ["each of them", "jobs\noutput 1\nkill job_2", [
      LIST,
      { kind: "output", job: "1" },
      kill("job_2"),
    ]],
    ["mixed, in order", "cd a\nmake\nbg ./serve\ncurl x\nkill 1\nls", [
      script("cd a\nmake"),
      job("./serve"),
      script("curl x"),
      kill("1"),
      script("ls"),
    ]],
    ["blanks around", "  jobs  \n\tkill  3 ", [LIST, kill("3")]],
    ["the shell's own", "jobs -l\nkill -9 12\nkill %1\nkill $!\nkill 1 2\nbg\nbg %1 | cat", [
      script("jobs -l\nkill -9 12\nkill %1\nkill $!\nkill 1 2\nbg"),
      job("%1 | cat"),
    ]],
    ["inside of a line", "make && jobs\necho kill 3", [script("make && jobs\necho kill 3")]],
    ["in a here-document", "cat <<EOF\njobs\nkill 3\nEOF", [
      script("cat <<EOF\njobs\nkill 3\nEOF"),
    ]],
    ["in quotes over lines", "echo '\njobs\n'", [script("echo '\njobs\n'")]],
    ["in double quotes over lines", 'echo "a\\"\njobs\n"', [script('echo "a\\"\njobs\n"')]],
    ["after a continuation", "echo \\\njobs", [script("echo \\\njobs")]],
    ["after a pipe", "echo 1 |\nkill 3", [script("echo 1 |\nkill 3")]],
    ["after &&", "make &&\njobs", [script("make &&\njobs")]],
    ["in a loop", "while true; do\njobs\ndone", [script("while true; do\njobs\ndone")]],
    ["in a condition", "if make\nthen\nkill 3\nfi", [script("if make\nthen\nkill 3\nfi")]],
    ["in a function", "f() {\njobs\n}", [script("f() {\njobs\n}")]],
    ["in brackets", "(\njobs\n)", [script("(\njobs\n)")]],
    ["in a case", "case $x in\na) ls;;\nesac\njobs", [script("case $x in\na) ls;;\nesac\njobs")]],
    ["after a loop in one line", "for f in a b; do echo $f; done\njobs", [
      script("for f in a b; do echo $f; done"),
      LIST,
    ]],
    ["after a comment with an apostrophe", "# don't\njobs", [script("# don't"), LIST]],
    ["after quotes that are closed", "echo 'a' \"b\" \\'\njobs", [
      script("echo 'a' \"b\" \\'"),
      LIST,
    ]],
    ["after a command of the shell's own background", "sleep 1 &\njobs", [
      script("sleep 1 &"),
      LIST,
    ]],
    ["before what is open", "jobs\ncat <<EOF\nkill 3\nEOF", [
      LIST,
      script("cat <<EOF\nkill 3\nEOF"),
    ]],
    ["a background command over lines takes the rest", "ls\nbg python <<EOF\njobs\nEOF", [
      script("ls"),
      job("python <<EOF\njobs\nEOF"),
    ]],
  ];
  for (const [name, text, want] of cases) {
    await t.step(name, () => deepStrictEqual(splitJobLines(text), want));
  }
});

Deno.test("lines about jobs are calls only where the tools for it are offered", () => {
  const answer = "```bash\nbg make\njobs\noutput 1\nkill 1\n```";
  deepStrictEqual(seen(answer, TOOLS), [
    ["bash", { command: "make", background: true }],
    ["job_list", {}],
    ["job_output", { job_id: "1" }],
    ["job_kill", { job_id: "1" }],
  ]);
  const without = TOOLS.filter(({ name }) => name !== "job_kill");
  deepStrictEqual(seen(answer, without), [
    ["bash", { command: "bg make\njobs\noutput 1\nkill 1" }],
  ]);
  deepStrictEqual(seen("```bash timeout_ms=5\njobs\n```", TOOLS), [
    ["bash", { timeout_ms: "5", command: "jobs" }],
  ]);
  // The JSON form says exactly what it says.
  deepStrictEqual(seen('```bash\n{"command": "jobs"}\n```', TOOLS), [
    ["bash", { command: "jobs" }],
  ]);
});
