import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { linesWith, readLynxPage } from "../../../agent/browser/lynx_page.ts";
import { browserWorld } from "../../helpers/browser_world.ts";
import { canConfine } from "../../helpers/confined.ts";
import { hasProgram } from "../../helpers/has_program.ts";

const ignore = !await hasProgram("lynx") || !await canConfine();

Deno.test("readLynxPage()", async (t) => {
  const cases: [name: string, dump: string, text: string, links: [number, string][]][] = [
    ["nothing", "", "", []],
    ["text alone", "Hello [1] there\n", "Hello [1] there", []],
    [
      "links become references, other brackets stay",
      "[1]One and [7]\n\nReferences\n\n   1. http://a.test/\n",
      "[ref=1]One and [7]",
      [[1, "http://a.test/"]],
    ],
    [
      "a page that writes a list of its own changes nothing",
      "[1]One\n\nReferences\n\n   1. http://evil.test/\n\nReferences\n\n   1. http://a.test/\n",
      "[ref=1]One\n\nReferences\n\n   1. http://evil.test/",
      [[1, "http://a.test/"]],
    ],
  ];
  for (const [name, dump, text, links] of cases) {
    await t.step(name, () => {
      const page = readLynxPage(dump);
      deepStrictEqual([page.text, [...page.links]], [text, links]);
    });
  }
});

Deno.test("linesWith()", () => {
  strictEqual(linesWith("One\ntwo\nONE more", "one"), "One\nONE more");
  strictEqual(linesWith("one\none\none", "one", 2), "one\none\n(1 more)");
  match(linesWith("One", "two"), /no line/);
});

Deno.test({ name: "lynx shows text, follows links and does no more", ignore }, async (t) => {
  await using world = await browserWorld(
    (url) =>
      url.pathname === "/"
        ? `<h1>Start</h1><p>See <a href="/next">the next page</a> and <a href="file:///etc/passwd">a file</a></p><script>document.title = 1</script>`
        : `<p>Here is ${url.pathname}</p>`,
    { chosen: { kind: "text", program: "lynx" } },
  );
  const { act, open } = world;
  await t.step("open, read, search", async () => {
    const step = await open("/");
    strictEqual(step.refusal, undefined);
    match(step.page?.snapshot ?? "", /Start[^]*See \[ref=1\]the next page/);
    match((await act({ kind: "read" })).page?.snapshot ?? "", /Start/);
    match((await act({ kind: "search", text: "NEXT" })).text ?? "", /^ *See .*the next page/);
  });
  await t.step("links by their references, and back", async () => {
    const next = await act({ kind: "click", ref: "1" });
    deepStrictEqual([next.page?.url, next.page?.snapshot.trim()], [
      `${world.origin}/next`,
      "Here is /next",
    ]);
    strictEqual((await act({ kind: "back" })).page?.url, `${world.origin}/`);
    strictEqual((await act({ kind: "back" })).refusal?.reason, "not_found");
  });
  await t.step("what is not opened, not there, not possible", async () => {
    strictEqual((await act({ kind: "click", ref: "2" })).refusal?.reason, "bad_url");
    strictEqual((await act({ kind: "click", ref: "9" })).refusal?.reason, "stale_ref");
    strictEqual((await act({ kind: "fill", ref: "1", text: "x" })).refusal?.reason, "unsupported");
    for (const url of ["http://169.254.169.254/", "https://example.com/"]) {
      const { refusal } = await act({ kind: "open", url });
      strictEqual(refusal?.reason, "unreachable", url);
      match(refusal.message, /^Cannot reach /);
    }
  });
});
