import { deepStrictEqual, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { expandCommand, wordsOf } from "../../../../agent/terminal/slash/user/expand.ts";

Deno.test("expandCommand()", async (t) => {
  const cases: [name: string, body: string, argument: string, want: string][] = [
    ["all of it", "Fix $ARGUMENTS now", "a  b", "Fix a  b now"],
    ["words", "$2 before $1", "one two three", "two before one"],
    ["a word that is missing is empty", "<$1><$2>", "one", "<one><>"],
    ["words in quotes", "$1|$2|$3", `"a b" 'c "d"' e\\ f`, `a b|c "d"|e f`],
    ["a dollar", "costs $$5, $$1, $$ARGUMENTS", "", "costs $5, $1, $ARGUMENTS"],
    ["an odd run of dollars", "$$$1", "x", "$x"],
    ["other names are text", "$HOME ${1} $0 $ARGUMENTSX $", "", "$HOME ${1} $0 $ARGUMENTSX $"],
    ["a digit ends the name", "$10", "x", "x0"],
    ["what is put in is not read again", "$1", "$ARGUMENTS", "$ARGUMENTS"],
    ["nor are patterns of replace", "$ARGUMENTS", "$& $' $`", "$& $' $`"],
    ["an argument that nothing takes follows", "Review\n", "this", "Review\n\nthis"],
    ["a dollar takes no argument", "5 $$", "this", "5 $\n\nthis"],
    ["nothing", "Review", "", "Review"],
  ];
  for (const [name, body, argument, want] of cases) {
    await t.step(name, () => strictEqual(expandCommand(body, argument), want));
  }
});

Deno.test("expandCommand() puts in any argument as it is", () => {
  fc.assert(fc.property(fc.string(), (argument) => {
    strictEqual(expandCommand("<$ARGUMENTS>", argument), `<${argument}>`);
  }));
});

Deno.test("wordsOf()", async (t) => {
  const cases: [argument: string, want: string[]][] = [
    ["", []],
    ["  a\tb\n c ", ["a", "b", "c"]],
    [`a"b c"d "e"f`, [`a"b`, `c"d`, `"e"f`]],
    [`""`, [""]],
    [`"a\\"b" 'c\\d'`, [`a"b`, "c\\d"]],
    ["it's Bob's", ["it's", "Bob's"]],
    [`"open end`, [`"open`, "end"]],
    ["a\\ b\\c \\", ["a b\\c", "\\"]],
  ];
  for (const [argument, want] of cases) {
    await t.step(JSON.stringify(argument), () => deepStrictEqual(wordsOf(argument), want));
  }
});
