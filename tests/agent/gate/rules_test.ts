import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { offersFor } from "../../../agent/gate/offers.ts";
import { prefixOf } from "../../../agent/gate/prefix.ts";
import {
  type Binding,
  covers,
  type Deed,
  exactBinding,
  newRules,
  type Rule,
  ruleFor,
  rulesOf,
  ruleText,
} from "../../../agent/gate/rules.ts";
import type { ApprovalRecord } from "../../../agent/session/records.ts";

const TEST: Deed = {
  kind: "command",
  command: "npm test",
  tool: "bash",
  cwd: "/w",
  words: ["npm", "test"],
};
const WRITE: Deed = { kind: "write", path: "/w/a" };
const HOST: Deed = { kind: "host", host: "a.example", port: 443 };
const FOREIGN: Deed = { kind: "foreign", server: "s", tool: "t" };
const SERVER: Binding = { kind: "foreign", server: "s" };
const LOOK: Deed = { kind: "screen", act: "look" };
const PREFIX: Binding = { kind: "prefix", words: ["npm", "test"], tool: "bash", cwd: "/w" };

Deno.test("covers()", async (t) => {
  const exact = exactBinding(TEST);
  const never: Binding = { kind: "command", command: "npm test" };
  const { words: _, ...unproven } = TEST;
  const cases: [name: string, binding: Binding, deed: Deed, want: boolean][] = [
    ["the same command", exact, TEST, true],
    ["another text", exact, { ...TEST, command: "npm test " }, false],
    ["another folder", exact, { ...TEST, cwd: "/w/sub" }, false],
    ["another tool", exact, { ...TEST, tool: "tmux" }, false],
    ["a never: in any folder, by any tool", never, { ...TEST, cwd: "/", tool: "tmux" }, true],
    ["a never: another text", never, { ...TEST, command: "npm tests" }, false],
    ["a prefix: more words", PREFIX, { ...TEST, words: ["npm", "test", "-w"] }, true],
    ["a prefix: itself", PREFIX, TEST, true],
    ["a prefix: half of a word", PREFIX, { ...TEST, words: ["npm", "tests"] }, false],
    ["a prefix: fewer words", PREFIX, { ...TEST, words: ["npm"] }, false],
    ["a prefix: not proven to be one command", PREFIX, unproven, false],
    ["a prefix: another folder", PREFIX, { ...TEST, cwd: "/w/sub" }, false],
    ["a prefix: another tool", PREFIX, { ...TEST, tool: "tmux" }, false],
    ["the same file", exactBinding(WRITE), WRITE, true],
    ["another file", exactBinding(WRITE), { kind: "write", path: "/w/a/b" }, false],
    ["the same host", exactBinding(HOST), HOST, true],
    ["another port", exactBinding(HOST), { ...HOST, port: 80 }, false],
    ["a host below", exactBinding(HOST), { ...HOST, host: "b.a.example" }, false],
    ["the same foreign tool", exactBinding(FOREIGN), FOREIGN, true],
    ["another foreign tool", exactBinding(FOREIGN), { ...FOREIGN, tool: "u" }, false],
    ["that of another server", exactBinding(FOREIGN), { ...FOREIGN, server: "x" }, false],
    ["every tool of a server", SERVER, { ...FOREIGN, tool: "u" }, true],
    ["of another server none", SERVER, { ...FOREIGN, server: "x" }, false],
    ["looking at the screen", exactBinding(LOOK), LOOK, true],
    ["acting there", exactBinding(LOOK), { kind: "screen", act: "act" }, false],
    ["another kind", exactBinding(WRITE), TEST, false],
  ];
  for (const [name, binding, deed, want] of cases) {
    await t.step(name, () => strictEqual(covers(binding, deed), want));
  }
});

Deno.test("ruleFor() goes by the last word, and a yes from inside stays inside", () => {
  const rule = (decision: Rule["decision"], confined: boolean): Rule => {
    return { decision, confined, binding: exactBinding(TEST) };
  };
  const decide = (rules: Rule[], confined: boolean) => ruleFor(rules, TEST, confined)?.decision;
  strictEqual(decide([rule("allow", false), rule("deny", false)], false), "deny");
  strictEqual(decide([rule("deny", false), rule("allow", false)], false), "allow");
  strictEqual(decide([rule("allow", true)], true), "allow");
  strictEqual(decide([rule("allow", true)], false), undefined);
  strictEqual(decide([rule("allow", false)], true), "allow");
  strictEqual(decide([rule("deny", true)], false), "deny");
  strictEqual(decide([], false), undefined);
});

Deno.test("rulesOf() reads what an approval keeps, and passes over what it cannot read", () => {
  const rules = newRules("allow", [exactBinding(TEST), PREFIX, exactBinding(HOST)], true);
  const record: ApprovalRecord = {
    type: "approval",
    id: "1",
    parent: "0",
    time: "2026-01-01T00:00:00Z",
    call_id: "c",
    decision: "allow",
    by: "person",
    scope: "session",
  };
  const stored = JSON.parse(JSON.stringify([...rules, { binding: { kind: "moon" } }, 7, null]));
  deepStrictEqual(rulesOf([{ ...record, rules: stored }, record]), rules);
});

Deno.test("newRules() makes a never of any folder and tool", () => {
  deepStrictEqual(newRules("deny", [exactBinding(TEST), exactBinding(WRITE)], false), [
    { decision: "deny", binding: { kind: "command", command: "npm test" }, confined: false },
    { decision: "deny", binding: { kind: "write", path: "/w/a" }, confined: false },
  ]);
});

Deno.test("ruleText()", () => {
  const bindings = [exactBinding(TEST), PREFIX, exactBinding(WRITE), exactBinding(HOST)];
  deepStrictEqual(newRules("allow", bindings, true).map(ruleText), [
    '"npm test" by bash in /w is allowed inside the view',
    '"npm test …" by bash in /w is allowed inside the view',
    "writing /w/a is allowed inside the view",
    "reaching a.example:443 is allowed inside the view",
  ]);
  deepStrictEqual(newRules("deny", [exactBinding(TEST)], true).map(ruleText), [
    '"npm test" is refused',
  ]);
});

Deno.test("offersFor()", () => {
  const what = (...deeds: (Deed | undefined)[]) => offersFor(deeds).map(({ what }) => what);
  deepStrictEqual(what(TEST), [
    "exactly this command",
    'every command that begins with "npm test"',
  ]);
  deepStrictEqual(offersFor([TEST])[1]?.bindings, [PREFIX]);
  deepStrictEqual(what({ ...TEST, words: ["make"] }), ["exactly this command"]);
  deepStrictEqual(what(TEST, TEST), ["exactly this command"]);
  deepStrictEqual(what(WRITE), ["writing this file"]);
  deepStrictEqual(what(WRITE, { kind: "write", path: "/w/b" }), ["writing these 2 files"]);
  deepStrictEqual(offersFor([WRITE, TEST]).map(({ bindings }) => bindings.length), [2]);
  deepStrictEqual(what(HOST), ["reaching a.example:443"]);
  deepStrictEqual(what(FOREIGN), [
    "this tool, with any arguments",
    'every tool of the MCP server "s"',
  ]);
  deepStrictEqual(offersFor([FOREIGN])[1]?.bindings, [SERVER]);
  // A rule would let the whole call pass for the part that is known.
  deepStrictEqual(what(WRITE, undefined), []);
  deepStrictEqual(what(), []);
});

Deno.test("prefixOf()", async (t) => {
  const cases: [command: string, want: string | undefined][] = [
    ["npm test -- -w", "npm test"],
    ["cargo build --release", "cargo build"],
    ["git commit -m x", "git commit"],
    ["npm run build -- -x", "npm run build"],
    ["deno task test", "deno task test"],
    ["make lint", "make lint"],
    ["npm", undefined],
    ["npm run", undefined],
    ["npm run ./x", undefined],
    ["npm exec x", undefined],
    ["docker run ubuntu", undefined],
    ["cargo run", undefined],
    ["git config alias.x !rm", undefined],
    ["git -C x push", undefined],
    ["make -C x", undefined],
    ["pytest tests/a_test.py", undefined],
    ["./npm test", undefined],
    ["../npm test", undefined],
    [". test", undefined],
    ["bash test", undefined],
    ["python3 test", undefined],
    ["sudo npm", undefined],
    ["find test", undefined],
    ["eval test", undefined],
    ["cp a b", undefined],
    ["touch a", undefined],
    ["git submodule foreach", undefined],
  ];
  for (const [command, want] of cases) {
    await t.step(command, () => strictEqual(prefixOf(command.split(" "))?.join(" "), want));
  }
});
