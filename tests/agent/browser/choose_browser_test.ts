import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { chooseBrowser, type ChosenBrowser } from "../../../agent/browser/choose_browser.ts";
import { whyNoBrowser, whyNoPages } from "../../../agent/browser/no_browser.ts";

Deno.test("chooseBrowser()", async (t) => {
  const cases: [
    name: string,
    settings: Parameters<typeof chooseBrowser>[0],
    there: string[],
    want: ChosenBrowser | undefined,
  ][] = [
    ["nothing is there", {}, [], undefined],
    ["the first of those that run scripts", {}, ["lynx", "microsoft-edge", "google-chrome"], {
      kind: "own",
      program: "google-chrome",
    }],
    ["lynx is better than nothing", {}, ["lynx"], { kind: "text", program: "lynx" }],
    ["a person's program, looked for by nobody", { path: "/opt/b" }, ["chromium"], {
      kind: "own",
      program: "/opt/b",
    }],
    ["a person's own browser goes before", { path: "/opt/b", cdp: "http://127.0.0.1:9222" }, [], {
      kind: "attached",
      address: "http://127.0.0.1:9222",
    }],
  ];
  for (const [name, settings, there, want] of cases) {
    await t.step(name, () => {
      deepStrictEqual(chooseBrowser(settings, (program) => there.includes(program)), want);
    });
  }
});

Deno.test("whyNoPages()", () => {
  const own = { kind: "own", program: "chromium" } as const;
  strictEqual(whyNoPages(own, () => true), undefined);
  strictEqual(whyNoPages(own, (kind) => kind !== "env"), "--allow-env");
  match(whyNoPages({ kind: "text", program: "lynx" }, () => true) ?? "", /^lynx runs no scripts/);
});

Deno.test("whyNoBrowser()", () => {
  const own = { kind: "own", program: "chromium" } as const;
  strictEqual(whyNoBrowser(own, () => true), undefined);
  match(whyNoBrowser(undefined, () => true) ?? "", /apt-get install chromium/);
  strictEqual(whyNoBrowser(own, (kind) => kind !== "env"), "--allow-env");
  strictEqual(
    whyNoBrowser(own, (_, value) => value !== "osRelease"),
    "--allow-sys=homedir,osRelease",
  );
  strictEqual(whyNoBrowser({ kind: "text", program: "lynx" }, () => false), undefined);
});
