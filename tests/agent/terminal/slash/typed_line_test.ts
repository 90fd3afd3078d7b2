import { deepStrictEqual } from "node:assert/strict";
import { readTypedLine, type TypedLine } from "../../../../agent/terminal/slash/typed_line.ts";

Deno.test("readTypedLine()", async (t) => {
  const cases: [line: string, want: TypedLine][] = [
    ["/help", { kind: "command", name: "help", argument: "" }],
    ["/model  gpt 5 ", { kind: "command", name: "model", argument: "gpt 5" }],
    ["/a:b-c x\ny\n", { kind: "command", name: "a:b-c", argument: "x\ny" }],
    ["/prüfe\tdas", { kind: "command", name: "prüfe", argument: "das" }],
    ["/x /etc/passwd", { kind: "command", name: "x", argument: "/etc/passwd" }],
    ["/", { kind: "list" }],
    ["/  ", { kind: "list" }],
    ["//", { kind: "prompt", text: "/" }],
    ["//help", { kind: "prompt", text: "/help" }],
    ["///", { kind: "prompt", text: "//" }],
    ["/etc/passwd is", { kind: "prompt", text: "/etc/passwd is" }],
    ["/home/x", { kind: "prompt", text: "/home/x" }],
    ["/usr.", { kind: "prompt", text: "/usr." }],
    ["/a:", { kind: "prompt", text: "/a:" }],
    ["/-x", { kind: "prompt", text: "/-x" }],
    ["/ x", { kind: "prompt", text: "/ x" }],
    [" /help", { kind: "prompt", text: " /help" }],
    ["see /help", { kind: "prompt", text: "see /help" }],
    ["!ls -l", { kind: "shell", command: "ls -l" }],
    ["! echo a\necho b ", { kind: "shell", command: "echo a\necho b" }],
    ["!", { kind: "prompt", text: "!" }],
    ["!  ", { kind: "prompt", text: "!  " }],
    ["wow!", { kind: "prompt", text: "wow!" }],
    ["", { kind: "prompt", text: "" }],
  ];
  for (const [line, want] of cases) {
    await t.step(JSON.stringify(line), () => deepStrictEqual(readTypedLine(line), want));
  }
});
