import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { fencedText, locationsOf, titleOf } from "../../../agent/acp/call_content.ts";
import { kindOf } from "../../../agent/acp/call_kind.ts";
import { builtinTools } from "../../../tools/mod.ts";

const named = (path: string) => `/project/${path}`;

Deno.test("titleOf() says what a call is about, on one line", () => {
  const cases: [tool: string, args: unknown, want: string][] = [
    ["bash", { command: "npm test" }, "npm test"],
    ["bash", { command: "cat <<E\none\nE" }, "cat <<E (+2 lines)"],
    ["read_file", { path: "a.txt" }, "read_file a.txt"],
    ["grep", { pattern: "x", path: "src" }, "grep x in src"],
    ["todo_write", { todos: [] }, "todo_write"],
    ["bash", "no JSON", "no JSON"],
    ["bash", null, "bash"],
    ["bash", { command: "a\u001b[31mb\u202ec" }, "ab<U+202E>c"],
  ];
  for (const [tool, args, want] of cases) strictEqual(titleOf(tool, args), want);
  ok(titleOf("bash", { command: "x".repeat(10_000) }).length < 400);
});

Deno.test("locationsOf() finds the files of file tools, and of these alone", () => {
  const cases: [tool: string, args: unknown, want: object[]][] = [
    ["read_file", { path: "a", offset: 7 }, [{ path: "/project/a", line: 7 }]],
    ["read_file", { paths: ["a", "b"] }, [{ path: "/project/a" }, { path: "/project/b" }]],
    ["patch_many", { patches: [{ path: "a" }, {}, 3] }, [{ path: "/project/a" }]],
    ["read_file", { path: 3, paths: "a" }, []],
    ["read_file", "no object", []],
    ["bash", { path: "a" }, []],
  ];
  for (const [tool, args, want] of cases) deepStrictEqual(locationsOf(tool, args, named), want);
});

Deno.test("fencedText() is longer than any fence in the text", () => {
  strictEqual(fencedText("a\n"), "```\na\n```");
  strictEqual(fencedText("````\na"), "`````\n````\na\n`````");
  strictEqual(fencedText(""), "```\n\n```");
});

Deno.test("kindOf() sorts our tools, and no other", () => {
  const tools = builtinTools({ bashTimeoutMs: undefined }).map(({ name }) => name);
  const others = tools.filter((name) => kindOf(name) === "other");
  deepStrictEqual(others.filter((name) => !name.startsWith("subagent")), ["ask_user", "computer"]);
  for (const name of ["mcp__x__read_file", "constructor", "__proto__", ""]) {
    strictEqual(kindOf(name), "other");
  }
});
