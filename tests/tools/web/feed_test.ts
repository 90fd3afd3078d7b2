import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { readText } from "./documents.ts";

const RSS = `<?xml version="1.0"?>
<rss version="2.0" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel>
<title>News &amp; more</title><link>https://host.test/</link>
<item><title><![CDATA[One <b>bold</b>]]></title><link>/1</link><pubDate>Tue, 01 Dec 2026 00:00:00 GMT</pubDate>
<description>&lt;p&gt;First&lt;/p&gt;</description></item>
<item><guid>https://host.test/2</guid><dc:date>2026-12-02</dc:date></item>
<item><title>Three</title><guid isPermaLink="false">https://host.test/no</guid></item>
</channel></rss>`;

const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Atoms</title>
<entry><title type="html">A &lt;i&gt;b&lt;/i&gt;</title><link rel="self" href="/self"/><link href="/a"/>
<updated>2026-01-01T00:00:00Z</updated><summary>S</summary></entry></feed>`;

const RDF =
  `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><channel><title>Old</title></channel>
<item><title>I</title><link>https://host.test/i</link></item></rdf:RDF>`;

const JSON_FEED = JSON.stringify({
  version: "https://jsonfeed.org/version/1.1",
  title: "J",
  items: [
    { id: "1", url: "https://host.test/j", content_html: "<p>x</p>", date_published: "2026" },
    { id: 2 },
  ],
});

Deno.test("feeds become their entries, with dates and links", async (t) => {
  const cases: [name: string, text: string, type: string, want: string][] = [
    [
      "RSS",
      RSS,
      "application/rss+xml",
      [
        "# News & more",
        "3 entries",
        "## [One bold](https://host.test/1)",
        "Tue, 01 Dec 2026 00:00:00 GMT",
        "First",
        "## [(no title)](https://host.test/2)",
        "2026-12-02",
        "## Three",
      ].join("\n\n"),
    ],
    [
      "Atom",
      ATOM,
      "application/xml",
      [
        "# Atoms",
        "1 entries",
        "## [A b](https://host.test/a)",
        "2026-01-01T00:00:00Z",
        "S",
      ].join("\n\n"),
    ],
    ["RDF", RDF, "text/xml", "# Old\n\n1 entries\n\n## [I](https://host.test/i)"],
    [
      "a JSON feed",
      JSON_FEED,
      "application/json",
      [
        "# J",
        "2 entries",
        "## [(no title)](https://host.test/j)",
        "2026",
        "x",
        "## (no title)",
      ].join("\n\n"),
    ],
  ];
  for (const [name, text, type, want] of cases) {
    await t.step(name, async () => {
      const read = await readText(text, type);
      ok(read.ok && read.kind === "feed");
      strictEqual(read.text, want);
    });
  }
});

Deno.test("other XML and JSON is shown as it is, and a long summary is not", async () => {
  const xml = await readText("<a><b/></a>", "application/xml");
  deepStrictEqual(xml, {
    ok: true,
    kind: "text",
    text: "<a><b/></a>",
    notes: [],
    charset: "utf-8",
  });
  const json = await readText(
    '{"version":"https://jsonfeed.org/version/1","items":1}',
    "application/json",
  );
  strictEqual(json.ok && json.kind, "json");
  const long = await readText(
    `<rss><channel><item><title>t</title><description>${
      "x".repeat(900)
    }</description></item></channel></rss>`,
    "application/rss+xml",
  );
  match(long.ok ? long.text : "", /\n\nx{500}…$/);
});
