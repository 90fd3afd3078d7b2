import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import type { Captured } from "../../sandbox/commands/commands.ts";
import { formatBytes, SHOWN_BYTES, truncateOutput } from "../../tools/truncate.ts";

function captured(head: string, tail = "", omitted = 0): Captured {
  return { head, tail, omitted, bytes: 0 };
}

Deno.test("truncateOutput()", async (t) => {
  const cases: [string, Captured, Captured, number, object][] = [
    ["shows all that fits", captured("abc"), captured("de"), 5, { stdout: "abc", stderr: "de" }],
    [
      "cuts one stream in the middle",
      captured("0123456789abcdef"),
      captured(""),
      8,
      {
        stdout: "0123\n[… 8 bytes left out …]\ncdef",
        stderr: "",
        truncated: { shown: 8, total: 16 },
      },
    ],
    [
      "gives a long stream what a short one does not need",
      captured("0123456789abcdef"),
      captured("xy"),
      10,
      {
        stdout: "0123\n[… 8 bytes left out …]\ncdef",
        stderr: "xy",
        truncated: { shown: 10, total: 18 },
      },
    ],
    [
      "halves the room between two long streams",
      captured("0123456789"),
      captured("abcdefghij"),
      8,
      {
        stdout: "01\n[… 6 bytes left out …]\n89",
        stderr: "ab\n[… 6 bytes left out …]\nij",
        truncated: { shown: 8, total: 20 },
      },
    ],
    [
      "counts what was not kept in memory",
      captured("ab\n", "yz\n", 1000),
      captured(""),
      6,
      {
        stdout: "ab\n[… 1000 bytes left out …]\nyz\n",
        stderr: "",
        truncated: { shown: 6, total: 1006 },
      },
    ],
    [
      "cuts at the ends of lines",
      captured("a\nbcdefgh\nij"),
      captured(""),
      8,
      { stdout: "a\n[… 8 bytes left out …]\nij", stderr: "", truncated: { shown: 4, total: 12 } },
    ],
  ];
  for (const [name, stdout, stderr, limit, want] of cases) {
    await t.step(name, () => deepStrictEqual(truncateOutput(stdout, stderr, limit), want));
  }

  await t.step("shows at the most its limit, and tears no character", () => {
    const texts = fc.string({ unit: "grapheme", maxLength: 200 });
    const limits = fc.integer({ min: 16, max: 300 });
    fc.assert(fc.property(texts, texts, limits, (out, err, limit) => {
      const shown = truncateOutput(captured(out), captured(err), limit);
      const total = new TextEncoder().encode(out + err).length;
      ok((shown.truncated?.shown ?? total) <= limit);
      strictEqual(shown.truncated === undefined, total <= limit);
      ok(shown.stdout.isWellFormed() && shown.stderr.isWellFormed());
      const isMarked = (shown.stdout + shown.stderr).includes("\uFFFD");
      ok(!isMarked || (out + err).includes("\uFFFD"));
    }));
  });

  await t.step("shows 50 KB by itself", () => {
    strictEqual(
      truncateOutput(captured("x".repeat(SHOWN_BYTES)), captured("")).truncated,
      undefined,
    );
    deepStrictEqual(truncateOutput(captured("x".repeat(SHOWN_BYTES + 1)), captured("")).truncated, {
      shown: SHOWN_BYTES,
      total: SHOWN_BYTES + 1,
    });
  });
});

Deno.test("formatBytes()", async (t) => {
  const cases: [number, string][] = [
    [0, "0 bytes"],
    [1023, "1023 bytes"],
    [1024, "1 KB"],
    [1536, "1.5 KB"],
    [50 * 1024, "50 KB"],
    [3.1 * 1024 * 1024, "3.1 MB"],
    [64 * 1024 * 1024, "64 MB"],
    [1024 * 1024 - 1, "1 MB"],
    [5 * 1024 ** 3, "5 GB"],
  ];
  for (const [bytes, want] of cases) {
    await t.step(want, () => strictEqual(formatBytes(bytes), want));
  }
});
