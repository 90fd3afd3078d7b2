import { match, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { clip } from "../../../agent/compaction/clip.ts";
import { transcript } from "../../../agent/compaction/transcript.ts";
import type { Message } from "../../../agent/messages.ts";
import { text } from "../../../tools/tool.ts";
import { assistant, user } from "../model/asking.ts";

const read = { callId: "c1", name: "read_file", arguments: '{"path":"a.ts"}' };
const got = (words: string, isError = false): Message => ({
  ...{ role: "tool", callId: "c1", name: "read_file", isError },
  content: [text(words)],
});

Deno.test("transcript()", async (t) => {
  const messages = [
    user("mend it"),
    assistant({ text: "I look.", toolCalls: [read] }),
    got("x".repeat(30_000)),
    got("no such file", true),
    { role: "user" as const, content: [{ type: "image" as const, blob: "a.png", mediaType: "" }] },
  ];
  await t.step("is the conversation in words", () => {
    strictEqual(
      transcript(messages.toSpliced(2, 1), 10_000, { summary: false }),
      "## The person\nmend it\n\n## The agent\nI look.\nCall of read_file: " +
        '{"path":"a.ts"}\n\n## Result of read_file (an error)\nno such file\n\n' +
        "## The person\n[image a.png]",
    );
  });
  await t.step("clips results first, and harder where there is less room", () => {
    const sizes = [20_000, 5_000, 1_200].map((room) => {
      const shown = transcript(messages, room, { summary: false });
      ok(shown.includes("mend it") && shown.includes("I look.") && shown.includes("no such file"));
      ok(shown.length <= room);
      return shown.length;
    });
    ok(sizes[0] !== undefined && sizes[0] > 8_000);
  });
  await t.step("keeps an earlier summary whole as long as it fits", () => {
    const many = [user("S".repeat(900)), ...Array(20).fill(got("x".repeat(500)))];
    ok(transcript(many, 4_000, { summary: true }).includes("S".repeat(900)));
    ok(transcript(many, 500, { summary: true }).length < 600);
  });
});

Deno.test("clip() keeps within its limit and breaks no character", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 200 }), fc.nat(100), (words, limit) => {
      const clipped = clip(words, limit);
      if (words.length <= limit) return strictEqual(clipped, words);
      match(clipped, /\[… \d+ characters …\]/u);
      ok(clipped.length <= limit + 40);
      ok(clipped.isWellFormed());
    }),
  );
  strictEqual(clip("0123456789", 6), "0123[… 4 characters …]89");
});
