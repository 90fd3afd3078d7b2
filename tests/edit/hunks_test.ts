import { deepStrictEqual } from "node:assert/strict";
import { parseHunks } from "../../edit/hunk_grammar.ts";
import { applyHunks, sizeHint } from "../../edit/hunks.ts";
import { isRefusal } from "../../edit/refusal.ts";

/** A hunk as the model writes it, each part a text of whole lines. */
function hunk(old: string, fresh: string, signs = 7): string {
  const row = (sign: string) => sign.repeat(signs);
  return `${row("<")} ORIGINAL\n${old}${row("=")}\n${fresh}${row(">")} UPDATED\n`;
}

function outcome(file: string, patch: string): string | readonly [string, string] {
  const hunks = parseHunks(patch);
  const answer = isRefusal(hunks) ? hunks : applyHunks(file, hunks);
  return answer.ok ? [answer.text, answer.rung] : answer.reason;
}

type Row = readonly [
  name: string,
  file: string,
  patch: string,
  want: string | readonly [string, string],
];

function table(title: string, rows: readonly Row[]): void {
  Deno.test(title, async (t) => {
    for (const [name, file, patch, want] of rows) {
      await t.step(name, () => deepStrictEqual(outcome(file, patch), want));
    }
  });
}

table("parseHunks()", [
  [
    "markers with blanks behind them",
    "a\n",
    "<<<<<<< ORIGINAL  \na\n======= \nb\n>>>>>>> UPDATED\t",
    [
      "b\n",
      "exact",
    ],
  ],
  ["blank lines between hunks", "a\nb\n", `\n${hunk("a\n", "c\n")}\n\n${hunk("b\n", "d\n")}\n`, [
    "c\nd\n",
    "exact",
  ]],
  ["no hunk", "a\n", "\n", "malformed"],
  ["text before", "a\n", `Here:\n${hunk("a\n", "b\n")}`, "malformed"],
  ["text behind", "a\n", `${hunk("a\n", "b\n")}Done.\n`, "malformed"],
  ["cut off", "a\n", hunk("a\n", "b\n").slice(0, -5), "malformed"],
  [
    "cut off in the second hunk",
    "a\nb\n",
    hunk("a\n", "c\n") + hunk("b\n", "d\n").slice(0, -3),
    "malformed",
  ],
  ["no divider", "a\n", "<<<<<<< ORIGINAL\na\n>>>>>>> UPDATED\n", "malformed"],
  ["two dividers", "a\n", hunk("a\n=======\n", "b\n"), "malformed"],
  [
    "start marker inside",
    "a\n",
    "<<<<<<< ORIGINAL\na\n=======\nb\n" + hunk("c\n", "d\n"),
    "malformed",
  ],
  [
    "another word behind the start",
    "a\n",
    hunk("a\n", "b\n").replace("ORIGINAL", "SEARCH"),
    "malformed",
  ],
  ["indented marker is content", "a\n  =======\n", hunk("a\n  =======\n", "b\n"), ["b\n", "exact"]],
  ["six and eight signs are content", "======\n========\n", hunk("======\n========\n", "b\n"), [
    "b\n",
    "exact",
  ]],
  [
    "eight signs keep seven as content",
    "a\n=======\nb\n",
    hunk("a\n=======\nb\n", "c\n=======\n", 8),
    [
      "c\n=======\n",
      "exact",
    ],
  ],
  ["a whole conflict as content", hunk("a\n", "b\n"), hunk(hunk("a\n", "b\n"), "b\n", 9), [
    "b\n",
    "exact",
  ]],
  [
    "divider shorter than the start",
    "a\n",
    "<<<<<<<< ORIGINAL\na\n=======\nb\n>>>>>>>> UPDATED\n",
    "malformed",
  ],
]);

table("applyHunks()", [
  ["whole lines only", "xa\na\n", hunk("a\n", "b\n"), ["xa\nb\n", "exact"]],
  ["part of a line is no line", "xa\n", hunk("a\n", "b\n"), "not_found"],
  ["deletion takes the break", "a\nb\n", hunk("a\n", ""), ["b\n", "exact"]],
  ["one empty line stays one", "a\nb\n", hunk("a\n", "\n"), ["\nb\n", "exact"]],
  ["last line without break", "a\nb", hunk("b\n", "c\nd\n"), ["a\nc\nd", "line_ending"]],
  ["deletion of it", "a\nb", hunk("b\n", ""), ["a\n", "line_ending"]],
  ["all lines deleted", "a\nb\n", hunk("a\nb\n", ""), ["", "exact"]],
  ["CRLF", "a\r\nb\r\n", hunk("b\n", "c\nd\n"), ["a\r\nc\r\nd\r\n", "line_ending"]],
  ["CRLF in the patch", "a\n", hunk("a\n", "b\n").replaceAll("\n", "\r\n"), ["b\n", "exact"]],
  ["all located in the original", "a\nb\n", hunk("a\n", "b\n") + hunk("b\n", "a\n"), [
    "b\na\n",
    "exact",
  ]],
  ["any order", "a\nb\n", hunk("b\n", "d\n") + hunk("a\n", "c\n"), ["c\nd\n", "exact"]],
  ["twins with other breaks", "a\r\nb\na\n", hunk("a\n", "c\n"), "ambiguous"],
  ["a blank line that is not there", "a\nb\n", hunk("a\n\n", "c\n\n"), "not_found"],
  ["line numbers", "a\nb\n", hunk("1| a\n2| b\n", "1| a\n2| c\n"), ["a\nc\n", "transport"]],
  ["overlap", "a\nb\nc\n", hunk("a\nb\n", "x\nb\n") + hunk("b\nc\n", "b\ny\n"), "overlap"],
  ["side by side is no overlap", "a\nb\n", hunk("a\n", "") + hunk("b\n", "c\n"), ["c\n", "exact"]],
  ["the same hunk twice", "a\nb\n", hunk("a\n", "c\n") + hunk("a\n", "c\n"), "overlap"],
  ["one that changes nothing", "a\nb\n", hunk("a\n", "c\n") + hunk("b\n", "b\n"), "no_change"],
  [
    "one that writes what is there",
    "a\n“b”\n",
    hunk("a\n", "c\n") + hunk('"b"\n', "“b”\n"),
    "no_change",
  ],
  ["two that undo one another", "a\nb\n", hunk("a\n", "") + hunk("b\n", "a\nb\n"), "no_change"],
  ["last line of an open end deleted", "a\nb", hunk("a\nb\n", "a\n"), ["a\n", "line_ending"]],
  ["empty old part", "a\n", hunk("", "b\n"), "malformed"],
  ["empty old part in an empty file", "", hunk("", "b\n"), ["b\n", "exact"]],
  ["blank old part in an empty file", "", hunk("\n", "b\n"), ["b\n", "exact"]],
  ["other indentation", "  a\n", hunk("a\n", "b\n"), ["  b\n", "indentation"]],
  ["rungs of several hunks", "a\n“b”\n", hunk("a\n", "c\n") + hunk('"b"\n', '"d"\n'), [
    "c\n“d”\n",
    "typography",
  ]],
]);

table("applyHunks() with omission comments", [
  ["stand for what is there", "f {\n a\n b\n}\n", hunk("f {\n // ...\n}\n", "g {\n // ...\n}\n"), [
    "g {\n a\n b\n}\n",
    "exact",
  ]],
  [
    "with other words behind the dots",
    "a\nx\nb\n",
    hunk("a\n# ... one\nb\n", "a\n# ... two\nc\n"),
    [
      "a\nx\nc\n",
      "exact",
    ],
  ],
  ["at both ends", "a\nb\nc\n", hunk("# ...\nb\n# ...\n", "# ...\nd\n# ...\n"), [
    "a\nd\nc\n",
    "exact",
  ]],
  ["a piece deleted", "a\nx\nb\n", hunk("a\n# ...\nb\n", "a\n# ...\n"), ["a\nx\n", "exact"]],
  ["a piece that is not unique", "a\na\nb\n", hunk("a\n# ...\nb\n", "c\n# ...\nb\n"), "ambiguous"],
  ["a kept piece with twins", "}\na\nx\n}\n}\n", hunk("a\n# ...\n}\n", "c\n# ...\n}\n"), [
    "}\nc\nx\n}\n}\n",
    "exact",
  ]],
  ["a kept piece above only", "b\na\nx\n", hunk("a\n# ...\nb\n", "c\n# ...\nb\n"), "not_found"],
  ["a kept piece that is not there", "a\nx\n", hunk("a\n# ...\nb\n", "c\n# ...\nb\n"), "not_found"],
  ["pieces in another order", "b\nx\na\n", hunk("a\n# ...\nb\n", "c\n# ...\nb\n"), "not_found"],
  [
    "changed pieces in another order",
    "b\nx\na\n",
    hunk("a\n# ...\nb\n", "c\n# ...\nd\n"),
    "not_found",
  ],
  ["new lines without old beside them", "a\nb\n", hunk("# ...\nb\n", "c\n# ...\nb\n"), "empty_old"],
  ["counts differ", "a\nx\nb\n", hunk("a\n# ...\nb\n", "# ...\na\n# ...\nb\n"), "placeholder"],
  ["only in new", "a\nb\n", hunk("a\n", "# ...\n"), "placeholder"],
  ["only in old", "a\nx\nb\n", hunk("a\n# ...\nb\n", "c\n"), "not_found"],
  ["in the file itself", "a\n# ...\nb\n", hunk("a\n# ...\nb\n", "a\n# ...\nc\n"), [
    "a\n# ...\nc\n",
    "exact",
  ]],
  ["nothing changes", "a\nx\nb\n", hunk("a\n# ... y\nb\n", "a\n# ...\nb\n"), "no_change"],
]);

Deno.test("applyHunks() names the hunk that failed", () => {
  const hunks = parseHunks(hunk("a\n", "x\n") + hunk("q\n", "y\n") + hunk("b\n", "z\n"));
  deepStrictEqual(isRefusal(hunks) ? hunks : applyHunks("a\nb\n", hunks), {
    ok: false,
    reason: "not_found",
    detail: "",
    old: "q\n",
    fresh: "y\n",
    hunk: { index: 2, count: 3, fitting: 2 },
  });
});

Deno.test("sizeHint() speaks of patches over 1 000 characters that outgrow the file", () => {
  deepStrictEqual(sizeHint("x".repeat(1_001), "short") === undefined, false);
  deepStrictEqual(sizeHint("x".repeat(1_000), "short"), undefined);
  deepStrictEqual(sizeHint("x".repeat(1_001), "y".repeat(1_001)), undefined);
});
