import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { columnsOf, cutToWidth } from "../../../../agent/terminal/render/columns.ts";
import { elapsedText, runningText } from "../../../../agent/terminal/render/elapsed.ts";
import { breakSpans, wrapSpans } from "../../../../agent/terminal/render/spans.ts";
import { renderSpinner } from "../../../../agent/terminal/render/spinner.ts";
import {
  costText,
  countText,
  renderStatusLine,
  type Status,
} from "../../../../agent/terminal/render/status_line.ts";
import { renderTodos } from "../../../../agent/terminal/render/todo.ts";
import { ascii, named, plain, unmarked } from "./styles.ts";

Deno.test("elapsedText() and runningText()", () => {
  const cases: [ms: number, elapsed: string, running: string][] = [
    [-5, "0.0 s", "0 s"],
    [449, "0.4 s", "0 s"],
    [9_999, "9.9 s", "9 s"],
    [12_300, "12 s", "12 s"],
    [59_999, "59 s", "59 s"],
    [184_000, "3 min 04 s", "3 min 04 s"],
    [7_500_000, "2 h 05 min", "2 h 05 min"],
  ];
  for (const [ms, elapsed, running] of cases) {
    deepStrictEqual([elapsedText(ms), runningText(ms)], [elapsed, running]);
  }
});

Deno.test("renderSpinner()", () => {
  const at = (width: number, style = plain) =>
    renderSpinner({ tick: 11, elapsedMs: 184_000, what: "Thinking\nhard" }, { width, style });
  deepStrictEqual(at(80), "⠙ Thinking hard  3 min 04 s");
  deepStrictEqual(at(20), "⠙ Think…  3 min 04 s");
  deepStrictEqual(at(12), "⠙ 3 min 04 s");
  deepStrictEqual(at(40, ascii), "\\ Thinking hard  3 min 04 s");
});

Deno.test("renderTodos()", () => {
  const todos = [
    { content: "Read what\nis there", status: "completed" },
    { content: "Write the part that is long", status: "in_progress" },
    { content: "Rest", status: "pending" },
  ] as const;
  deepStrictEqual(renderTodos(todos, { width: 20, style: plain }), [
    "[x] Read what is",
    "    there",
    "[~] Write the part",
    "    that is long",
    "[ ] Rest",
  ]);
});

const STATUS: Status = {
  model: "openai/gpt-5.2-codex",
  tier: "1",
  profile: "workspace",
  contextTokens: 54_300,
  contextWindow: 128_000,
  inputTokens: 123_456,
  outputTokens: 9_876,
  costUsd: 0.1234,
};

Deno.test("renderStatusLine() says as much as there is room for", () => {
  const at = (width: number, status = STATUS) => renderStatusLine(status, { width, style: plain });
  const all =
    "openai/gpt-5.2-codex · tier 1 workspace · context 42% of 128k · 123k in 9.9k out · $0.1234";
  deepStrictEqual(at(120), all);
  deepStrictEqual(at(80), "gpt-5.2-codex · 1 workspace · 42% · 123k in 9.9k out · $0.1234");
  deepStrictEqual(at(40), "gpt-5.2-codex · 42% · $0.1234");
  deepStrictEqual(at(20), "gpt-5.2-c… · 42%");
});

Deno.test("renderStatusLine() says what it does not know", () => {
  const { contextTokens: _, ...fresh } = STATUS;
  const at = (status: Status) => renderStatusLine(status, { width: 120, style: ascii });
  deepStrictEqual(
    at({ ...STATUS, contextWindow: undefined, costUsd: undefined }),
    "openai/gpt-5.2-codex | tier 1 workspace | context 54.3k | 123k in 9.9k out | $?",
  );
  deepStrictEqual(
    at({ ...fresh, costUsd: 0 }),
    "openai/gpt-5.2-codex | tier 1 workspace | 123k in 9.9k out | $0.0000",
  );
});

Deno.test("renderStatusLine() warns of a context that is nearly full", () => {
  const at = (contextTokens: number) =>
    renderStatusLine({ ...STATUS, contextTokens }, { width: 40, style: named });
  ok(!/<(red|yellow)>/.test(at(90_000)), at(90_000));
  ok(at(100_000).includes("<yellow>78%</yellow>"), at(100_000));
  ok(at(120_000).includes("<red>94%</red>"), at(120_000));
});

Deno.test("countText() and costText()", () => {
  const counts: [count: number, text: string][] = [
    [0, "0"],
    [999, "999"],
    [1_000, "1k"],
    [12_345, "12.3k"],
    [128_000, "128k"],
    [999_499, "999k"],
    [999_500, "1M"],
    [1_234_567, "1.2M"],
  ];
  for (const [count, text] of counts) deepStrictEqual(countText(count), text);
  deepStrictEqual([0.0123, 0.99999, 12.349, undefined].map(costText), [
    "$0.0123",
    "$1.0000",
    "$12.35",
    "$?",
  ]);
});

Deno.test("one line is one line, at every width", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme", maxLength: 40 }),
      fc.integer({ min: 1, max: 120 }),
      fc.nat(2_000_000),
      fc.option(fc.nat(2_000_000), { nil: undefined }),
      (text, width, tokens, window) => {
        const view = { width, style: plain };
        const status = { ...STATUS, model: text, contextTokens: tokens, contextWindow: window };
        for (
          const line of [
            renderStatusLine(status, view),
            renderSpinner({ tick: tokens, elapsedMs: tokens, what: text }, view),
          ]
        ) {
          ok(columnsOf(line) <= Math.max(10, width), JSON.stringify(line));
          ok(!line.includes("\n"), JSON.stringify(line));
        }
      },
    ),
  );
});

Deno.test("cutToWidth() says where something is missing", () => {
  const cases: [line: string, width: number, unicode: boolean, want: string][] = [
    ["abcdef", 6, true, "abcdef"],
    ["abcdef", 5, true, "abcd…"],
    ["abcdef", 5, false, "ab..."],
    ["abc def", 5, true, "abc…"],
    ["漢字漢字", 5, true, "漢字…"],
    ["漢字漢字", 4, true, "漢…"],
    ["abcdef", 1, true, "…"],
    ["abcdef", 2, false, ".."],
  ];
  for (const [line, width, unicode, want] of cases) {
    deepStrictEqual(cutToWidth(line, width, unicode), want);
  }
});

Deno.test("wrapSpans() and breakSpans() keep to the width; what is broken loses nothing", () => {
  const paints = [undefined, (text: string) => `\x1b[1m${text}\x1b[22m`];
  const span = fc.record({
    text: fc.string({ unit: "grapheme", maxLength: 30 }),
    paint: fc.constantFrom(...paints),
  });
  fc.assert(
    // There are characters of 3 columns, as the notes of music that are made of three code points.
    fc.property(fc.array(span), fc.integer({ min: 3, max: 40 }), (spans, width) => {
      const text = spans.map((span) => span.text).join("");
      const broken = breakSpans(spans, width);
      deepStrictEqual(broken.map(unmarked).join(""), text);
      for (const line of [...broken, ...wrapSpans(spans, width)]) {
        ok(columnsOf(line) <= width, JSON.stringify(line));
      }
      const dense = (value: string) => value.replaceAll(" ", "");
      deepStrictEqual(dense(wrapSpans(spans, width).map(unmarked).join("")), dense(text));
    }),
  );
});
