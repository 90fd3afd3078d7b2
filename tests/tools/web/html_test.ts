import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { pageOf } from "./documents.ts";

/** Sentences enough for a page to have a main part. */
const PROSE = "<p>" + "A sentence of the article, with a comma, and with words. ".repeat(12) +
  "</p>";

Deno.test("a page becomes Markdown", async (t) => {
  const cases: [name: string, body: string, want: string][] = [
    [
      "headings and marks",
      "<h2>A</h2><p><b>b</b> <i>i</i> <del>d</del> <code>c_d</code></p>",
      "## A\n\n**b** *i* ~~d~~ `c_d`",
    ],
    ["names keep their underscores", "<p>snake_case *star* [x]</p>", "snake_case *star* [x]"],
    ["links are made absolute", '<a href="../x?a=1#b">l</a>', "[l](https://host.test/x?a=1#b)"],
    ["places in the page", '<a href="#here">l</a>', "[l](https://host.test/dir/page#here)"],
    ["links that lead nowhere", '<a href="javascript:alert(1)">l</a> <a name=x>m</a>', "l m"],
    ["pictures", '<img src="/i.png" alt=" a\n b ">', "![a b](https://host.test/i.png)"],
    [
      "pictures that come late",
      '<img src="data:image/gif;base64,x" data-src="/big.png">',
      "![](https://host.test/big.png)",
    ],
    [
      "lists in lists",
      "<ul><li>a<ol start=3><li>b<li>c</ol><li>d</ul>",
      "- a\n  3. b\n  4. c\n- d",
    ],
    [
      "code with its language",
      '<pre><code class="hljs language-ts">a &lt; b\n  c</code></pre>',
      "```ts\na < b\n  c\n```",
    ],
    [
      "the language as GitHub says it",
      '<div class="highlight highlight-source-js"><pre>x</pre></div>',
      "```js\nx\n```",
    ],
    ["code with fences in it", "<pre>```\na\n```</pre>", "````\n```\na\n```\n````"],
    ["code whose lines are elements", "<pre>a<br>b</pre>", "```\na\nb\n```"],
    [
      "a table",
      "<table><tr><th>A<th>B</tr><tr><td>1|2<td>x<br>y</table>",
      "| A | B |\n| --- | --- |\n| 1\\|2 | x y |",
    ],
    [
      "a table with parts and a wide cell",
      "<table><caption>C</caption><thead><tr><td colspan=2>A</thead><tbody><tr><td>1<td>2</tbody></table>",
      "C\n\n| A | |\n| --- | --- |\n| 1 | 2 |",
    ],
    [
      "a table with tall cells",
      "<table><tr><th>A<th>B<th>C<tr><td rowspan=2>1 <b>x</b><td>2<td rowspan=3>3<tr><td>4<tr><td>5<td>6<tr><td>7<td>8<td>9</table>",
      "| A | B | C |\n| --- | --- | --- |\n| 1 **x** | 2 | 3 |\n| 1 x | 4 | 3 |\n| 5 | 6 | 3 |\n| 7 | 8 | 9 |",
    ],
    [
      "a tall and wide cell, within its section",
      "<table><thead><tr><th>A<th>B<th>C</thead><tbody><tr><td rowspan=9 colspan=2>1<td>2<tr><td>3</tbody><tbody><tr><td>4<td>5<td>6</tbody></table>",
      "| A | B | C |\n| --- | --- | --- |\n| 1 | | 2 |\n| 1 | | 3 |\n| 4 | 5 | 6 |",
    ],
    [
      "what is tall and long is said once",
      `<table><tr><td rowspan=2>${"x".repeat(101)}<td>2<tr><td>3</table>`,
      `| ${"x".repeat(101)} | 2 |\n| --- | --- |\n|  | 3 |`,
    ],
    [
      "numbers beside code",
      "<table><tr><td class=linenos><pre>1</pre><td><pre>a</table>",
      "```\na\n```",
    ],
    [
      "what is raised",
      "10<sup>6</sup> x<sup>n + 1</sup> 1<sup>st</sup> a<sup></sup> b<sup><a href=#n>2</a></sup>",
      "10^6 x^(n + 1) 1st a b[2](https://host.test/dir/page#n)",
    ],
    [
      "headings without what links to them",
      '<h2>A<a class=anchor href="#a">#</a></h2><h2><a href="#b">B</a> <a href="#b">¶</a></h2>',
      "## A\n\n## [B](https://host.test/dir/page#b)",
    ],
    [
      "tabs that are not in front",
      "<div role=tabpanel>a</div><div role=tabpanel hidden>b</div><p hidden=until-found>c",
      "a\n\nb\n\nc",
    ],
    [
      "formulas",
      "<p>a <math><mi>x</mi><annotation encoding=application/x-tex>x^2</annotation></math> b <math alttext='{y}'></math> <math><mi>z</mi></math>",
      "a $x^2$ b ${y}$ z",
    ],
    ["a table that lays out", "<table><tr><td><h2>A</h2><td>b</tr></table>", "## A\n\nb"],
    [
      "nothing of what nobody reads",
      "<script>x</script><style>y</style><p hidden>h</p><svg><text>t</text></svg><p>z",
      "z",
    ],
    ["characters", "<p>&lt;b&gt; &amp;amp; &#x1f600;", "<b> &amp; 😀"],
    ["paragraphs that are not closed", "<p>a<p>b", "a\n\nb"],
    ["a page without any mark", "just text", "just text"],
  ];
  for (const [name, body, want] of cases) {
    await t.step(name, async () => strictEqual((await pageOf(body)).text, want));
  }
});

Deno.test("a page's main part is shown, and all of it where none is found", async (t) => {
  await t.step("the article without what is around it", async () => {
    const page = await pageOf(
      "<html><head><title> T  t </title><meta property='article:published_time' content='2026-01-02'>" +
        `<meta name=author content='Ann'></head><body><nav><a href=/>Home</a></nav><article>${PROSE}</article>` +
        `<footer>Imprint</footer></body></html>`,
    );
    match(page.text, /^A sentence/);
    doesNotMatch(page.text, /Home|Imprint/);
    deepStrictEqual([page.title, page.byline, page.published], ["T t", "Ann", "2026-01-02"]);
    deepStrictEqual(page.notes, []);
  });
  await t.step("a part that is less than most of the page is told of", async () => {
    const menu = `<div class=sidebar>${
      "<a href=/x>some entry of a long menu</a>".repeat(60)
    }</div>`;
    const { notes } = await pageOf(`<body>${menu}<article>${PROSE}</article></body>`);
    match(notes.join(), /^the main part alone, \d+ of \d+ characters; raw=true/);
  });
  await t.step("a page of links has no main part", async () => {
    const { text } = await pageOf(
      "<title>t</title><ul><li><a href=/a>a</a><li><a href=/b>b</a></ul>",
    );
    strictEqual(text, "- [a](https://host.test/a)\n- [b](https://host.test/b)");
  });
  await t.step("its base counts, for its own places it does not", async () => {
    const { text } = await pageOf('<base href="//cdn.test/b/"><a href=x>l</a> <a href="#y">m</a>');
    strictEqual(text, "[l](https://cdn.test/b/x) [m](https://host.test/dir/page#y)");
  });
});

Deno.test("a page is whole however it is framed", async (t) => {
  const cases: [name: string, html: string][] = [
    ["as it should be", "<html><head><title>T</title></head><body><p>a<p>b</body></html>"],
    ["no head", "<html><title>T</title><body><p>a<p>b</body></html>"],
    ["a script before the head", "<html><script>x</script><head><title>T</title><body><p>a<p>b"],
    ["no body", "<!doctype html><html><head><title>T</title></head><p>a<p>b</html>"],
    ["neither", "<!doctype html><html><title>T</title><p>a<p>b</html>"],
    ["no html", "<head><title>T</title></head><body class=x><p>a<p>b</body>"],
    ["two bodies", "<html><title>T</title><body><p>a</body><body><p>b</body></html>"],
    ["more after the end", "<html><head><title>T</title><body><p>a</body></html><p>b"],
    ["two pages", "<html><head><title>T</title><body>a</html><HTML lang=en><BODY><p>b</html>"],
    ["text before it", "a<!doctype html><html><title>T</title><body><p>b"],
  ];
  for (const [name, html] of cases) {
    await t.step(name, async () => {
      const { title, text } = await pageOf(html);
      deepStrictEqual([title, text], ["T", "a\n\nb"]);
    });
  }
  await t.step("an element whose name begins like them is none of them", async () => {
    strictEqual((await pageOf("<p>a</p><body-text>b</body-text>")).text, "a\n\nb");
  });
});

Deno.test("odd pages are read, too", async (t) => {
  const cases: [name: string, html: string, want: RegExp][] = [
    ["nothing", "", /^$/],
    ["a comment", "<!-- x -->", /^$/],
    ["half a mark", "<p>a</p><", /^a/],
    ["frames", "<frameset><frame src=x></frameset>", /^$/],
    ["deep ones lose their marks", `${"<div>".repeat(3000)}deep <b>x</b>`, /^deep x$/],
    ["an attribute without end", `<a href="${"x".repeat(100_000)}`, /^/],
    [
      "many cells",
      `<table>${"<tr><td>a<td>b".repeat(2000)}</table>`,
      /^\| a \| b \|\n\| --- \| --- \|\n/,
    ],
    [
      "cells as tall as towers",
      `<table>${"<tr><td rowspan=9999>a<td>b<td>c".repeat(3000)}</table>`,
      /^\| a \| b \| c \|\n\| --- \| --- \| --- \|\n\| a \| a \| b \|/,
    ],
    [
      "a cell as wide as the sea",
      "<table><tr><td colspan=999999999>a<td>b</table>",
      /^\| a (\| )+/,
    ],
  ];
  for (const [name, html, want] of cases) {
    await t.step(name, async () => match((await pageOf(html)).text, want));
  }
  await t.step("deep ones are told of", async () => {
    deepStrictEqual((await pageOf("<div>".repeat(600) + "x")).notes, [
      "nested too deep for Markdown",
    ]);
  });
  await t.step("any marks in any order", async () => {
    const marks =
      "<html>,<body>,</body>,<p>,</p>,<table>,<tr>,<td>,</table>,<pre>,<code>,<a href=x>,</a>,<ul>,<li>,<br>,<svg>,<img src=y>,<script>,</script>,text,<,&amp;,\n"
        .split(",");
    const pages = fc.array(fc.constantFrom(...marks), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(pages, async (parts) => ok((await pageOf(parts.join(""))).ok)),
      { numRuns: 60 },
    );
  });
});
