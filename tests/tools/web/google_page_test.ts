import { deepStrictEqual } from "node:assert/strict";
import { googleHits } from "../../../tools/web/google_page.ts";

const URL_OF_PAGE = "https://www.google.com/search?q=deno+2";

function read(html: string, url = URL_OF_PAGE): unknown {
  return JSON.parse(googleHits(html, url));
}

Deno.test("googleHits() takes headings in links, and neither advertisements nor Google's own", async () => {
  const html = await Deno.readTextFile(
    new URL("../../fixtures/search/google.html", import.meta.url),
  );
  deepStrictEqual(read(html), {
    kind: "hits",
    hits: [
      {
        title: "One page",
        url: "https://one.test/a?b=1",
        snippet: "3 Jan 2026 — First snippet of it",
      },
      { title: "Two", url: "https://two.test/", snippet: "Second text" },
      { title: "Three", url: "https://docs.google.com/three", snippet: "" },
    ],
  });
});

Deno.test("googleHits() tells pages that are none of hits", async (t) => {
  const field = '<form><textarea name="q"></textarea></form>';
  const hit = '<a href="https://a.test/"><h3>A</h3></a>';
  const consent =
    '<form action="https://consent.google.com/save" method="post"><button>Accept</button></form>';
  const none = { kind: "hits", hits: [] };
  const cases: [name: string, html: string, url: string, want: unknown][] = [
    ["nothing was found", `${field}<p>did not match any documents`, URL_OF_PAGE, none],
    ["no page of hits", "<p>Sign in", URL_OF_PAGE, { kind: "other" }],
    ["an empty page", "", URL_OF_PAGE, { kind: "other" }],
    ["consent by its address", "<p>Before", "https://consent.google.com/m?continue=x", {
      kind: "consent",
    }],
    ["consent by its form", consent, URL_OF_PAGE, { kind: "consent" }],
    ["hits below the question", consent + hit, URL_OF_PAGE, {
      kind: "hits",
      hits: [{ title: "A", url: "https://a.test/", snippet: "" }],
    }],
    ["captcha by its address", "<p>traffic", "https://www.google.com/sorry/index?q=x", {
      kind: "captcha",
    }],
    [
      "captcha by its form",
      '<form id="captcha-form"><input type="hidden" name="q"><div class="g-recaptcha"></div></form>',
      URL_OF_PAGE,
      { kind: "captcha" },
    ],
    ["a hit without an address", `${field}<a href="http://["><h3>A</h3></a>`, URL_OF_PAGE, none],
  ];
  for (const [name, html, url, want] of cases) {
    await t.step(name, () => deepStrictEqual(read(html, url), want));
  }
});
