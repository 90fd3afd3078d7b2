import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { htmlOf } from "../../../agent/export/html.ts";
import { jsonOf } from "../../../agent/export/json.ts";
import { markdownOf } from "../../../agent/export/markdown.ts";
import { type Entry, type Transcript, transcriptOf } from "../../../agent/export/transcript.ts";
import type { HeaderRecord, LogRecord } from "../../../agent/session/records.ts";

const TIME = "2026-12-01T10:15:30.000Z";
const HEADER: HeaderRecord = {
  type: "header",
  format: 1,
  id: "20261201-101530-7f3a",
  parent: null,
  time: TIME,
  cwd: "/work",
  created: TIME,
  version: "1.2.3",
};
const USAGE = { input_tokens: 0, cached_input_tokens: 0, output_tokens: 0, reasoning_tokens: 0 };

Deno.test("transcriptOf() joins calls with their results, in the order of the calls", async () => {
  const { entries, name } = await transcript([
    said("Look"),
    answered("", [["a", "bash", '{"command":"ls"}'], ["b", "grep", "{"]], "Hm"),
    // The second call is done first, and one result belongs to no call.
    { type: "tool_result", call_id: "b", is_error: true, text: "Error: no", blobs: [] },
    { type: "tool_result", call_id: "x", is_error: false, text: "lost", blobs: [] },
    {
      type: "tool_result",
      call_id: "a",
      is_error: false,
      text: "a.png",
      blobs: [{ name: "a.png", media_type: "image/png" }, { name: "spill.txt" }],
    },
    { type: "name", name: "Old" },
    answered("", [["c", "bash", "{}"]]),
    { type: "compaction", replaces_to: "r1", summary: "In short" },
    { type: "name", name: "New" },
    { type: "of_the_future", what: "?" },
    said("And now"),
    { type: "end", reason: "turn_limit" },
  ]);
  const image = {
    kind: "image" as const,
    name: "a.png",
    mediaType: "image/png",
    bytes: new Uint8Array([1]),
  };
  const want: Entry[] = [
    { kind: "person", n: 1, parts: [{ kind: "text", text: "Look" }] },
    { kind: "answer", model: "m", text: "", reasoning: "Hm" },
    {
      kind: "call",
      tool: "bash",
      arguments: '{"command":"ls"}',
      result: { isError: false, text: "a.png", images: [image] },
    },
    {
      kind: "call",
      tool: "grep",
      arguments: "{",
      result: { isError: true, text: "Error: no", images: [] },
    },
    { kind: "call", tool: "bash", arguments: "{}", result: undefined },
    { kind: "summary", text: "In short" },
    { kind: "person", n: 2, parts: [{ kind: "text", text: "And now" }] },
    { kind: "end", reason: "turn_limit" },
  ];
  deepStrictEqual(entries, want);
  strictEqual(name, "New");
});

Deno.test("an image that is gone, or could hold a script, is named and not shown", async (t) => {
  const cases: [name: string, mediaType: string, shown: boolean][] = [
    ["a.png", "image/png", true],
    ["gone.png", "image/png", false],
    ["a.svg", "image/svg+xml", false],
    ['a.png"onerror="x', 'image/png"onerror="x', false],
  ];
  for (const [blob, mediaType, shown] of cases) {
    await t.step(`${blob} ${mediaType}`, async () => {
      const html = htmlOf(await transcript([image(blob, mediaType)]));
      strictEqual(html.includes("<img "), shown);
      ok(!html.includes('"onerror'));
    });
  }
});

Deno.test("htmlOf() shows any text as text", async () => {
  await fc.assert(fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
    const tags = (html: string) => html.match(/<[^>]*>/g);
    const plain = htmlOf(await everywhere("x"));
    deepStrictEqual(tags(htmlOf(await everywhere(`x${text}`))), tags(plain));
  }));
});

Deno.test("markdownOf() keeps results in blocks that they cannot end", async () => {
  const lines = fc.array(fc.constantFrom("`", "``", "```", "````", "`````x", "a", "", "\n"));
  await fc.assert(fc.asyncProperty(lines, async (parts) => {
    const text = parts.join("");
    const markdown = markdownOf(
      await transcript([
        answered("", [["a", "bash", "{}"]]),
        { type: "tool_result", call_id: "a", is_error: false, text: `${text}.`, blobs: [] },
        said("after"),
      ]),
    );
    deepStrictEqual(blocksOf(markdown), ["{}", `${text}.`]);
    ok(markdown.endsWith("## 1. Person\n\nafter\n"));
  }));
});

Deno.test("jsonOf() is one line that holds every record as it is", async () => {
  await fc.assert(fc.asyncProperty(fc.string({ unit: "binary" }), async (text) => {
    const records = stamped([said(text), { type: "of_the_future", what: text }]);
    const log = { header: HEADER, records, wholeBytes: 0 };
    const json = jsonOf(log, await transcriptOf(log, load));
    strictEqual(json.indexOf("\n"), json.length - 1);
    deepStrictEqual(JSON.parse(json).records, records);
  }));
});

/** The fenced blocks, as CommonMark reads them: one ends at a line of at least as many marks. */
function blocksOf(markdown: string): string[] {
  const blocks: string[] = [];
  let open: { marks: string; lines: string[] } | undefined;
  for (const line of markdown.split("\n")) {
    const marks = /^(`{3,})\w*$/.exec(line)?.[1];
    if (!open) {
      if (marks) open = { marks, lines: [] };
    } else if (marks === line && marks.length >= open.marks.length) {
      blocks.push(open.lines.join("\n"));
      open = undefined;
    } else open.lines.push(line);
  }
  return blocks;
}

/** A record without its stamp, of this version or a later one. */
type Unstamped = Readonly<Record<string, unknown>> & { readonly type: string };

function said(text: string): Unstamped {
  return { type: "user", content: [{ type: "text", text }] };
}

function image(blob: string, mediaType: string): Unstamped {
  return { type: "user", content: [{ type: "image", blob, media_type: mediaType }] };
}

function answered(
  content: string,
  calls: readonly (readonly [id: string, name: string, args: string])[],
  reasoning?: string,
): Unstamped {
  return {
    type: "assistant",
    content,
    tool_calls: calls.map(([call_id, name, args]) => ({ call_id, name, arguments: args })),
    ...(reasoning !== undefined && { reasoning: { text: reasoning, wire: "chat" } }),
    model: "m",
    usage: USAGE,
    finish: "stop",
  };
}

/** A session that has the text in every place that an export shows. */
function everywhere(text: string): Promise<Transcript> {
  return transcript([
    { type: "name", name: text },
    said(text),
    image(`gone${text}`, "image/png"),
    { ...answered(text, [["a", text, text]], text), model: text },
    { type: "tool_result", call_id: "a", is_error: true, text, blobs: [] },
    { type: "compaction", replaces_to: "r1", summary: text },
    { type: "end", reason: text },
  ]);
}

function transcript(records: readonly Unstamped[]): Promise<Transcript> {
  return transcriptOf({ header: HEADER, records: stamped(records), wholeBytes: 0 }, load);
}

function stamped(records: readonly Unstamped[]): LogRecord[] {
  return records.map((record, i) => ({
    id: `r${i + 1}`,
    parent: i === 0 ? HEADER.id : `r${i}`,
    time: TIME,
    ...record,
  }));
}

function load(name: string): Promise<Uint8Array | undefined> {
  return Promise.resolve(name.startsWith("gone") ? undefined : new Uint8Array([1]));
}
