import { strictEqual } from "node:assert/strict";
import { describeTools } from "../../../../agent/model/markdown/describe.ts";
import { callsIn, parseAnswer } from "../../../../agent/model/markdown/parse.ts";
import { writeCall } from "../../../../agent/model/markdown/write_call.ts";
import { readArguments } from "../../../../agent/calls/arguments.ts";
import { builtinTools } from "../../../../tools/mod.ts";
import { BUILTIN, TOOLS, WITHOUT_JOBS } from "./specs.ts";

Deno.test("writeCall() takes a tool's own form where that holds the call", async (t) => {
  const cases: [name: string, tool: string, args: unknown, want: string][] = [
    ["a command", "bash", { command: "ls" }, "```bash\nls\n```\n"],
    [
      "further parameters",
      "bash",
      { command: "ls", timeout_ms: 5, description: "a b" },
      [
        '```bash timeout_ms=5 description="a b"',
        "ls",
        "```\n",
      ].join("\n"),
    ],
    ["a file", "write_file", { path: "my a", content: "x\n" }, '```write_file "my a"\nx\n```\n'],
    [
      "longer fences than those inside",
      "write_file",
      { path: "a", content: "````\nx\n```\n" },
      "`````write_file a\n````\nx\n```\n`````\n",
    ],
    [
      "a file without a last line break needs JSON",
      "write_file",
      { path: "a", content: "x" },
      '```write_file\n{"path":"a","content":"x"}\n```\n',
    ],
    ["a file to read", "read_file", { path: "a", limit: 5 }, "```read_file path=a limit=5\n```\n"],
    ["several need JSON", "read_file", { paths: ["a"] }, '```read_file\n{"paths":["a"]}\n```\n'],
    ["no parameters", "list_dir", {}, "```list_dir\n```\n"],
    ["a tool that is not offered", "gone", { a: [1] }, '```gone\n{"a":[1]}\n```\n'],
  ];
  for (const [name, tool, args, want] of cases) {
    await t.step(name, () => {
      strictEqual(writeCall({ name: tool, arguments: JSON.stringify(args) }, TOOLS), want);
    });
  }
  await t.step("arguments that are no JSON go back as they were", () => {
    const raw = '{"command": "```';
    strictEqual(
      writeCall({ name: "bash", arguments: raw }, TOOLS),
      `\`\`\`\`bash\n${raw}\n\`\`\`\`\n`,
    );
  });
});

Deno.test("describeTools() shows an example of each tool that its parameters accept", async (t) => {
  const tools = builtinTools({ bashTimeoutMs: undefined });
  for (const { name, parameters } of tools) {
    await t.step(name, () => {
      const own = BUILTIN.filter((tool) => tool.name === name);
      const [section = ""] = describeTools(own).split("\n\n").slice(-1);
      const calls = callsIn(parseAnswer(section, own));
      strictEqual(calls.length, 1, section);
      strictEqual(calls[0]?.problem, undefined);
      const read = readArguments(calls[0]?.arguments ?? "", parameters);
      strictEqual(read.ok || read.problem, true);
    });
  }
});

Deno.test("describeTools() tells of lines about jobs only where the tools for it are offered", () => {
  strictEqual(describeTools(TOOLS).includes("`output N`"), true);
  strictEqual(describeTools(WITHOUT_JOBS).includes("`output N`"), false);
  strictEqual(describeTools([]), "");
});
