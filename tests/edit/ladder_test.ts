import { deepStrictEqual } from "node:assert/strict";
import { replaceUnique } from "../../edit/ladder.ts";

/** What became of an edit: the text and the rung, or the reason. */
type Want = readonly [text: string, rung: string] | string;

type Row = readonly [name: string, file: string, old: string, fresh: string, want: Want];

function outcome(file: string, old: string, fresh: string, replaceAll: boolean): Want {
  const answer = replaceUnique(file, old, fresh, { replaceAll });
  return answer.ok ? [answer.text, answer.rung] : answer.reason;
}

function table(title: string, rows: readonly Row[], replaceAll = false): void {
  Deno.test(`replaceUnique(): ${title}`, async (t) => {
    for (const [name, file, old, fresh, want] of rows) {
      await t.step(name, () => deepStrictEqual(outcome(file, old, fresh, replaceAll), want));
    }
  });
}

table("exact", [
  ["one place", "a b\n", "b", "c", ["a c\n", "exact"]],
  ["replacement patterns are text", "a\n", "a", "$& $$ $1 $`", ["$& $$ $1 $`\n", "exact"]],
  ["two places", "b b\n", "b", "c", "ambiguous"],
  ["overlapping places", "aaa\n", "aa", "b", "ambiguous"],
  ["a longer word is a second place", "x = 10\nx = 100\n", "x = 10", "x = 11", "ambiguous"],
  ["nothing there", "a\n", "b", "c", "not_found"],
  ["empty old", "a\n", "", "c", "empty_old"],
  ["empty old in an empty file", "", "", "c\n", ["c\n", "exact"]],
  ["same old and new", "a\n", "a", "a", "no_change"],
  ["same old and new, not in the file", "a\n", "b", "b", "no_change"],
  ["does not cut a CRLF apart", "a\r\nb\r\n", "\nb", "\nc", ["a\r\nc\r\n", "line_ending"]],
  ["does not cut a CRLF apart, behind", "a\r\nb\r\n", "a\r", "c\r", "not_found"],
  ["does not cut a character apart", "x\u{1F600}y\n", "\uDE00", "z", "not_found"],
  ["trailing blanks are the edit", "a  \nb\n", "a  \n", "a\n", ["a\nb\n", "exact"]],
  ["no final line break is added", "a\nb", "b", "c", ["a\nc", "exact"]],
  ["a final line break is the edit", "a\nb", "b", "b\n", ["a\nb\n", "exact"]],
  ["a final line break goes", "a\nb\n", "b\n", "b", ["a\nb", "exact"]],
]);

table("line endings", [
  ["CRLF file", "a\r\nb\r\n", "a\nb", "a\nx\nb", ["a\r\nx\r\nb\r\n", "line_ending"]],
  ["CRLF arguments", "a\nb\n", "a\r\nb", "a\r\nc", ["a\nc\n", "line_ending"]],
  ["exact hit, new with CRLF", "a\n", "a", "b\r\nc", ["b\nc\n", "exact"]],
  ["exact hit in CRLF, new with LF", "a\r\nb\r\n", "b", "b\nc", ["a\r\nb\r\nc\r\n", "exact"]],
  ["no line ending to follow", "a", "a", "a\r\nb", ["a\r\nb", "exact"]],
  ["CRLF without final break", "a\r\nb", "b", "b\nc", ["a\r\nb\r\nc", "exact"]],
  ["only the style differs", "a\r\n", "a\n", "a\r\n", "no_change"],
  ["mixed: shared line keeps its break", "a\r\nb\nc\n", "a\nb", "a\nB", [
    "a\r\nB\nc\n",
    "line_ending",
  ]],
  ["mixed: new line follows the one above", "a\r\nb\n", "a\nb", "a\nx\nb", [
    "a\r\nx\r\nb\n",
    "line_ending",
  ]],
  ["mixed: paired lines keep their own", "a\r\nb\nc\n", "a\nb\n", "A\nB\n", [
    "A\r\nB\nc\n",
    "line_ending",
  ]],
  ["lone CR is content", "a\rb\nc\n", "a\nb", "x", "not_found"],
  ["U+2028 is content", "a\u2028b\n", "a\nb", "x", "not_found"],
  ["final break that the file lacks", "a\nb", "b\n", "c\n", ["a\nc", "line_ending"]],
  ["and a line more", "a\nb", "b\n", "b\nc\n", ["a\nb\nc", "line_ending"]],
  ["and a line less", "a\nb", "a\nb\n", "b\n", ["b", "line_ending"]],
  ["and all lines less", "a\nb", "a\nb\n", "", ["", "line_ending"]],
  ["and no line of it changes", "a\nb", "b\n", "b", "no_change"],
  ["final break that the file lacks, behind half a line", "a\nbcd", "cd\n", "x\n", [
    "a\nbx",
    "line_ending",
  ]],
  ["mixed: more lines follow the first that they replace", "a\r\nb\nc\n", "a\nb", "a\nx\ny", [
    "a\r\nx\ny\nc\n",
    "line_ending",
  ]],
  ["mixed: an insertion further down", "a\r\nb\nc\r\n", "a\nb\nc", "a\nb\nx\nc", [
    "a\r\nb\nx\nc\r\n",
    "line_ending",
  ]],
  ["byte order mark in old", "a\nb\n", "\uFEFFa", "\uFEFFc", ["c\nb\n", "line_ending"]],
  ["byte order mark in new only", "a\nb\n", "a", "\uFEFFc", ["c\nb\n", "exact"]],
  ["a mark inside the file is content", "x\uFEFFa\n", "\uFEFFa", "b", ["xb\n", "exact"]],
]);

table("trailing blanks and blank lines", [
  ["file has them on a kept line", "a \nb\n", "a\nb", "a\nB", ["a \nB\n", "trailing_blanks"]],
  ["old has them", "a\nb\n", "a\t\nb", "a\nB", ["a\nB\n", "trailing_blanks"]],
  ["on a changed line as given", "a \nb\n", "a\nb", "A\nb", ["A\nb\n", "trailing_blanks"]],
  ["part of a line is no line", "ab \nc\n", "b\nc", "x", "not_found"],
  ["two places", "a \nb\na\t\nb\n", "a\nb", "x", "ambiguous"],
  ["what the file has already", "a  \nb\n", "a\nb", "a  \nb", "no_change"],
  ["blank line with blanks", "a\n  \nb\n", "a\n\nb", "a\n\nc", ["a\n  \nc\n", "blank_lines"]],
  ["blank line padded in old", "a\n\nb\n", "a\n  \nb", "a\n  \nc", ["a\n\nc\n", "blank_lines"]],
  ["one blank line more in the file", "a\n\n\nb\n", "a\n\nb", "c", "not_found"],
  ["one blank line less in the file", "a\nb\n", "a\n\nb", "c", "not_found"],
  ["other lines of the same hash", "v7pwu \nb\n", "ve5fa\nb", "c", "not_found"],
  ["no-break space is no blank", "a\u00A0\nb\n", "a\nb", "c", "not_found"],
  ["byte order mark is no blank", "a\uFEFF\nb\n", "a\nb", "c", "not_found"],
  ["exact place wins over a padded twin", "a\nb\n-\na \nb\n", "a\nb", "c", [
    "c\n-\na \nb\n",
    "exact",
  ]],
]);

table("uniform indentation", [
  ["added", "{\n  a\n    b\n}\n", "a\n  b", "a\n  c\n    d", [
    "{\n  a\n    c\n      d\n}\n",
    "indentation",
  ]],
  ["removed", "a\n  b\n", "  a\n    b", "  a\n    c", ["a\n  c\n", "indentation"]],
  ["removed, new line off it", "a\n  b\n", "  a\n    b", "  a\nc", "not_found"],
  ["tabs for spaces", "\ta\n\t\tb\n", "  a\n    b", "  a\n    b\n      c", [
    "\ta\n\t\tb\n\t\t\tc\n",
    "indentation",
  ]],
  ["spaces for tabs", "    a\n        b\n", "\ta\n\t\tb", "\ta\n\t\tc", [
    "    a\n        c\n",
    "indentation",
  ]],
  ["one space is no tab", "\t\ta\n", "  a\n", "  b\n", "not_found"],
  ["half a tab in new", "\ta\n\t\tb\n", "    a\n        b", "    a\n      c", "not_found"],
  [
    "aligned comment under tabs",
    "\t/*\n\t * a\n\t */\n",
    "    /*\n     * a\n     */",
    "    /*\n     * b\n     */",
    [
      "\t/*\n\t * b\n\t */\n",
      "indentation",
    ],
  ],
  ["blank lines have none", "  a\n\n  b\n", "a\n\nb", "a\n\nc\n\nd", [
    "  a\n\n  c\n\n  d\n",
    "indentation",
  ]],
  ["not uniform", "a\n  b\nc\n", "a\n  b\n  c", "x", "not_found"],
  ["tab and spaces mixed without a rule", "\ta\n    b\n", "  a\n  b", "x", "not_found"],
  ["two places", "  a\n  b\n    a\n    b\n", "a\nb", "c", "ambiguous"],
  ["with CRLF and trailing blanks", "  a \r\n  b\r\n", "a\nb", "a\nc", [
    "  a \r\n  c\r\n",
    "indentation",
  ]],
]);

table("typographic characters", [
  ["quotes in the file", "say “a”\n", 'say "a"', 'say "b"', ["say “b”\n", "typography"]],
  ["quotes in old", 'say "a"\n', "say “a”", "say “b”", ['say "b"\n', "typography"]],
  ["dash and no-break space", "1–2\u00A0km\n", "1-2 km", "1-2 miles", [
    "1–2\u00A0miles\n",
    "typography",
  ]],
  ["minus", "a − b\n", "a - b", "a - c", ["a − c\n", "typography"]],
  ["the other quote is the edit", "“a”\n", '"a"', "'a'", ["'a'\n", "typography"]],
  ["kept line keeps its quotes", "it’s\nb\n", "it's\nb", "it's\nc", ["it’s\nc\n", "typography"]],
  ["lines in unequal number", "“a”\nb\n", '"a"\nb', '"a" and\nx\nb', [
    "“a” and\nx\nb\n",
    "typography",
  ]],
  ["with indentation and trailing blanks", "  “a” \n  b\n", '"a"\nb', '"a"\nc', [
    "  “a” \n  c\n",
    "typography",
  ]],
  ["changed line with both", "\t“a” b\n\tc\n", '    "a" b\n    c', '    "a" d\n    c', [
    "\t“a” d\n\tc\n",
    "typography",
  ]],
  ["a character takes part in one end only", "“\n", '"', '""', ['“"\n', "typography"]],
  ["the file has it already", "“a”\n", '"a"', "“a”", "no_change"],
  ["two places", "“a”\n‘a’\n„a”\n", '"a"', "b", "ambiguous"],
  ["full width is other text", "ａ＂\n", 'a"', "b", "not_found"],
  ["ellipsis is other text", "wait…\n", "wait...", "b", "not_found"],
  ["decomposed letter is other text", "cafe\u0301 x\n", "caf\u00E9 x", "b", "not_found"],
  ["zero width is other text", "a\u200Bb\n", "ab", "c", "not_found"],
  ["case is other text", "Abc\n", "abc", "d", "not_found"],
  ["inner blanks are text", "a  b\n", "a b", "c", "not_found"],
]);

table("transport", [
  ["outer newlines", "a\nb\n", "\na\n", "\nc\n", ["c\nb\n", "transport"]],
  ["outer newlines on one side only", "a\nb\n", "\na", "c", "not_found"],
  ["outer newlines inside a line", "xa\nb\n", "\na\n\n", "\nc\n\n", "not_found"],
  ["gutter with tabs", "a\nb\n", "     1\ta\n     2\tb", "     1\ta\n     2\tc", [
    "a\nc\n",
    "transport",
  ]],
  ["gutter with arrows", "a\n  b\n", "1→a\n2→  b\n", "1→a\n2→  c\n", ["a\n  c\n", "transport"]],
  ["gutter with colon and space", "a\n\nb\n", "7: a\n8:\n9: b", "7: a\n8:\n9: c", [
    "a\n\nc\n",
    "transport",
  ]],
  ["gutter in old only", "a\nb\n", "1|a\n2|b", "c", ["c\n", "transport"]],
  ["gutter in a part of new", "a\nb\n", "1|a\n2|b", "1|a\nc", "not_found"],
  ["gutter, deletion", "a\nb\nc\n", "1|a\n2|b\n", "", ["c\n", "transport"]],
  ["gutter not consecutive", "a\nb\n", "1|a\n3|b", "1|a\n3|c", "not_found"],
  ["gutter of another kind in new", "a\nb\n", "1|a\n2|b", "1: a\n2: c", "not_found"],
  ["gutter with two separators", "a\nb\n", "1|a\n2:b", "x", "not_found"],
  ["gutter in front of half a line", "xa\n", "1|a", "1|b", "not_found"],
  ["gutter, two places", "a\na\n", "2|a", "2|b", "ambiguous"],
  ["gutter in CRLF", "a\r\nb\r\n", "1|a\n2|b", "1|a\n2|c", ["a\r\nc\r\n", "transport"]],
  ["numbers that are text", "1: a\n2: b\n", "2: b", "2: c", ["1: a\n2: c\n", "exact"]],
  ["fence", "a\nb\n", "```js\na\n```", "```js\nc\n```\n", ["c\nb\n", "transport"]],
  ["fence around nothing", "a\nb\n", "```\na\n```", "```\n```", ["b\n", "transport"]],
  ["fence on old only", "a\nb\n", "```\na\n```", "c", "not_found"],
  ["fence in the file", "```js\na\n```\n", "```js\na\n```", "```js\nb\n```", [
    "```js\nb\n```\n",
    "exact",
  ]],
  ["backslash n and t", "a\n\tb\n", "a\\n\\tb", "a\\n\\tc", ["a\n\tc\n", "transport"]],
  ["backslash quotes", 'f("a")\n', 'f(\\"a\\")', 'f(\\"b\\")', ['f("b")\n', "transport"]],
  ["two levels in the file", 'f("\\n")\n', 'f(\\"\\\\n\\")', 'f(\\"\\\\t\\")', [
    'f("\\t")\n',
    "transport",
  ]],
  ["other backslashes in new", 'f("a")\n', 'f(\\"a\\")', 'f(\\"\\d\\")', "not_found"],
  ["line break for backslash n", 'f("a\\nb")\n', 'f("a\nb")', "x", "not_found"],
  ["html", "a < b && c\n", "a &lt; b &amp;&amp; c", "a &gt; b", ["a > b\n", "transport"]],
  ["html on mixed text", "<a> & b\n", "&lt;a> &amp; b", "x", "not_found"],
  ["html with raw text in new", "a < b\n", "a &lt; b", "a < c", "not_found"],
  ["html is the text", "a &lt; b\n", "a &lt; b", "a &gt; b", ["a &gt; b\n", "exact"]],
  ["raw text for html in the file", "a &lt; b\n", "a < b", "x", "not_found"],
]);

table("replaceAll", [
  ["not overlapping, from the left", "aaaa\n", "aa", "b", ["bb\n", "exact"]],
  ["one place", "a\n", "a", "$$", ["$$\n", "exact"]],
  ["none", "a\n", "b", "c", "not_found"],
  ["only the first rung with hits", "a\nb\n-\na \nb\n", "a\nb", "c", [
    "c\n-\na \nb\n",
    "exact",
  ]],
  ["each hit with its indentation", "  a\n  b\n\ta\n\tb\n", "a\nb\n", "c\nd\n", [
    "  c\n  d\n\tc\n\td\n",
    "indentation",
  ]],
  ["CRLF", "a\r\nb\r\na\r\nb\r\n", "a\nb\n", "c\n", ["c\r\nc\r\n", "line_ending"]],
  ["lines that overlap are taken once", "a \na \na \n", "a\na\n", "b\n", [
    "b\na \n",
    "trailing_blanks",
  ]],
], true);

table("placeholders", [
  ["only in new", "a\nb\n", "a\nb", "a\n# ...", "placeholder"],
  ["html comment", "a\nb\n", "a", "<!-- ... rest of the page ... -->", "placeholder"],
  ["one sign", "a\nb\n", "a", "// … unchanged", "placeholder"],
  ["close to the dots", "a\nb\n", "a", "  //...existing code...", "placeholder"],
  ["in old as well, and in the file", "# ...\na\n", "# ...\na", "# ...\nb", [
    "# ...\nb\n",
    "exact",
  ]],
  ["in old as well, not in the file", "a\nb\nc\n", "a\n# ...\nc", "a\n# ...\nd", "not_found"],
  ["prose with dots", "a\n", "a", "// loading...\na", ["// loading...\na\n", "exact"]],
  ["spread in a comment", "a\n", "a", "// ...args go on\na", ["// ...args go on\na\n", "exact"]],
  ["two dots", "a\n", "a", "# .. x\na", ["# .. x\na\n", "exact"]],
  ["a row of dots", "a\n", "a", "# .....\na", ["# .....\na\n", "exact"]],
  ["Python's ellipsis", "a\n", "a", "def f():\n    ...", ["def f():\n    ...\n", "exact"]],
]);

Deno.test("replaceUnique() names the places of an ambiguous text", () => {
  const file = "a\n".repeat(12);
  const answer = replaceUnique(file, "a", "b");
  deepStrictEqual(answer, {
    ok: false,
    reason: "ambiguous",
    detail: "old text fits 12 places",
    places: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10],
    count: 12,
    old: "a",
  });
});

Deno.test("replaceUnique() tells changes as ranges of the original", () => {
  const answer = replaceUnique("x\r\na \r\nb\r\n", "a\nb\n", "a\nc\nd\n");
  deepStrictEqual(answer, {
    ok: true,
    text: "x\r\na \r\nc\r\nd\r\n",
    rung: "trailing_blanks",
    changes: [{ start: 7, end: 10, text: "c\r\nd\r\n" }],
    count: 1,
  });
});

Deno.test("replaceUnique() stays tolerant up to its size, and exact above", () => {
  const line = "x".repeat(1023) + "\n";
  const big = line.repeat(21 * 1024) + "a \nb\r\n";
  deepStrictEqual(outcome(big, "a\nb", "c", false), "not_found");
  deepStrictEqual(replaceUnique(big, "a \nb\n", "c\n").ok, true);
});

Deno.test("replaceUnique() refuses text too repetitive to be compared everywhere", () => {
  const old = "x\n".repeat(100);
  deepStrictEqual(outcome("  x\n".repeat(1_000), old, "y\n", false), "ambiguous");
  deepStrictEqual(outcome("  x\n".repeat(30_000), old, "y\n", false), "not_found");
});
