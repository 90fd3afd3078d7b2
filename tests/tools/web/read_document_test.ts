import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { readDocument } from "../../../tools/web/read_document.ts";
import { pdfOf, readText } from "./documents.ts";

const URL_OF_ALL = "https://host.test/";

Deno.test("the text of a PDF, page by page", async (t) => {
  await t.step("with its title", async () => {
    const read = await readDocument(pdfOf([["One", "two"], []], "The title"), { url: URL_OF_ALL });
    deepStrictEqual(read, {
      ok: true,
      kind: "pdf",
      title: "The title",
      text: "## Page 1\n\nOne\ntwo\n\n## Page 2\n\n(no text)",
      notes: [],
    });
  });
  await t.step("pages that may be pictures are told of", async () => {
    const read = await readDocument(pdfOf([[]]), { url: URL_OF_ALL });
    match(read.ok ? read.notes.join() : "", /^none of its pages holds text/);
  });
  await t.step("the beginning of one is none", async () => {
    const read = await readDocument(pdfOf([["a"]]).subarray(0, 200), {
      url: URL_OF_ALL,
      cut: true,
    });
    ok(!read.ok && read.reason === "broken");
    match(read.message, /^it is a PDF longer than the 200 bytes/);
  });
  await t.step("nor is what only begins like one", async () => {
    const bytes = new TextEncoder().encode("%PDF-1.4\nnonsense");
    await rejects(readDocument(bytes, { url: URL_OF_ALL }), { name: "InvalidPDFException" });
  });
});

Deno.test("other documents", async (t) => {
  const cases: [name: string, text: string, type: string, want: [kind: string, text: string]][] = [
    ["text", "a\r\n  b", "text/plain", ["text", "a\r\n  b"]],
    ["JSON", '{"a":1}', "application/json", ["json", '{\n  "a": 1\n}']],
    ["no JSON", "{a", "application/json", ["json", "{a"]],
    ["Markdown", "# a <b>", "text/markdown", ["text", "# a <b>"]],
  ];
  for (const [name, text, type, [kind, want]] of cases) {
    await t.step(name, async () => {
      const read = await readText(text, type);
      deepStrictEqual(read.ok && [read.kind, read.text], [kind, want]);
    });
  }
  await t.step("raw: the source of a page", async () => {
    const read = await readText("<p>a</p>", "text/html", { raw: true });
    strictEqual(read.ok && read.text, "<p>a</p>");
  });
  await t.step("what is no text is told", async () => {
    const zip = await readDocument(new TextEncoder().encode("PK\x03\x04\0\0"), { url: URL_OF_ALL });
    deepStrictEqual(zip, {
      ok: false,
      reason: "binary",
      message: "it is no text: ZIP archive, 6 bytes",
    });
  });
});

Deno.test("an issue and a gist of GitHub, as its interface has them", async (t) => {
  const at = { created_at: "2026-01-01T00:00:00Z" };
  await t.step("an issue with its comments", async () => {
    const issue = {
      title: "It breaks",
      number: 7,
      state: "closed",
      state_reason: "completed",
      user: { login: "ann" },
      body: "Help",
      comments: 2,
      labels: [{ name: "bug" }],
      ...at,
    };
    const text = JSON.stringify({ issue, comments: [{ user: null, body: null, ...at }] });
    const read = await readText(text, "application/json", { form: "github_issue" });
    deepStrictEqual(read, {
      ok: true,
      kind: "github",
      title: "It breaks",
      text: [
        "# It breaks",
        "Issue #7, closed, completed, labels: bug",
        "## Opened by ann, 2026-01-01T00:00:00Z",
        "Help",
        "## Comment by ghost, 2026-01-01T00:00:00Z",
        "(no text)",
      ].join("\n\n"),
      notes: ["1 later comments are not shown"],
      charset: "utf-8",
    });
  });
  await t.step("a pull request that was merged", async () => {
    const issue = {
      title: "P",
      number: 8,
      state: "closed",
      user: { login: "b" },
      pull_request: { merged_at: "2026" },
      ...at,
    };
    const read = await readText(JSON.stringify({ issue, comments: [] }), "application/json", {
      form: "github_issue",
    });
    match(read.ok ? read.text : "", /^# P\n\nPull request #8, merged\n/);
  });
  await t.step("a gist with fences in it", async () => {
    const files = { "a.md": { filename: "a.md", language: "Markdown", content: "```\nx\n```" } };
    const read = await readText(
      JSON.stringify({ description: "", owner: { login: "c" }, files, ...at }),
      "application/json",
      { form: "github_gist" },
    );
    strictEqual(
      read.ok && read.text,
      "# a.md\n\nGist by c, 2026-01-01T00:00:00Z\n\n## a.md\n\n````markdown\n```\nx\n```\n````",
    );
  });
  await t.step("something else is no issue", async () => {
    await rejects(readText("{}", "application/json", { form: "github_issue" }), {
      name: "ZodError",
    });
  });
});
