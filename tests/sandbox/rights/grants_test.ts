import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  covers,
  grantsOf,
  isInside,
  type Kind,
  type RightFlags,
} from "../../../sandbox/rights/grants.ts";

const DEFAULTS = { workspace: "/w", state: "/s", providers: ["api.test:443"] };
const everything = () => true;

Deno.test("covers()", async (t) => {
  const cases: [kind: Kind, extent: "all" | string[], value: string | undefined, want: boolean][] =
    [
      ["read", "all", "/etc", true],
      ["read", "all", undefined, true],
      ["read", ["/w"], undefined, false],
      ["read", ["/w"], "/w", true],
      ["read", ["/w"], "/w/a/b", true],
      ["read", ["/w"], "/w2", false],
      ["read", ["/w"], "/w/../etc", false],
      ["write", ["/"], "/etc", true],
      ["run", ["bash"], "bash", true],
      ["run", ["bash"], "sh", false],
      ["env", ["CORDON_*"], "CORDON_MODEL", true],
      ["env", ["CORDON_*"], "CORDO", false],
      ["env", ["HOME"], "HOME2", false],
      ["net", ["a.test"], "a.test:443", true],
      ["net", ["a.test:443"], "a.test:80", false],
      ["net", ["a.test:443"], "A.TEST:443", true],
      ["net", ["a.test"], "b.a.test:443", false],
      ["net", ["*.a.test"], "b.a.test:443", true],
      ["net", ["*.a.test"], "a.test:443", true],
      ["net", ["*.a.test"], "xa.test:443", false],
      ["net", ["[::1]:80"], "[::1]:80", true],
      ["net", ["[::1]"], "[::1]:80", true],
      ["sys", ["hostname"], "uid", false],
    ];
  for (const [kind, extent, value, want] of cases) {
    await t.step(`${kind} ${extent} ${want ? "covers" : "does not cover"} ${value}`, () => {
      strictEqual(covers(kind, extent, value), want);
    });
  }
});

Deno.test("grantsOf()", async (t) => {
  const cases: [name: string, flags: RightFlags, kind: Kind, value: string, want: boolean][] = [
    ["grants the workspace without flags", { allow: {}, deny: {} }, "write", "/w/a", true],
    ["grants the state without flags", { allow: {}, deny: {} }, "read", "/s/x", true],
    ["grants nothing else without flags", { allow: {}, deny: {} }, "read", "/etc", false],
    ["grants the provider without flags", { allow: {}, deny: {} }, "net", "api.test:443", true],
    ["one flag replaces all defaults", { allow: { read: ["/w"] }, deny: {} }, "write", "/w", false],
    ["and the provider too", { allow: { read: ["/w"] }, deny: {} }, "net", "api.test:443", false],
    [
      "a denial beats a grant",
      { allow: { read: "all" }, deny: { read: ["/w/x"] } },
      "read",
      "/w/x/y",
      false,
    ],
    [
      "and leaves the rest",
      { allow: { read: "all" }, deny: { read: ["/w/x"] } },
      "read",
      "/w/z",
      true,
    ],
    ["a denial alone keeps the defaults", { allow: {}, deny: { run: "all" } }, "read", "/w", true],
    ["and takes the whole kind", { allow: {}, deny: { run: "all" } }, "run", "bash", false],
  ];
  for (const [name, flags, kind, value, want] of cases) {
    await t.step(name, () => {
      strictEqual(grantsOf(flags, DEFAULTS, everything).allows(kind, value), want);
    });
  }
  await t.step("the runtime has the last word", () => {
    const asked: string[] = [];
    const grants = grantsOf({ allow: { run: "all" }, deny: {} }, DEFAULTS, (kind, value) => {
      asked.push(`${kind} ${value}`);
      return false;
    });
    strictEqual(grants.allows("run", "bash"), false);
    deepStrictEqual(asked, ["run bash"]);
  });
});

Deno.test("isInside() compares whole names", () => {
  strictEqual(isInside("/a/b", "/a"), true);
  strictEqual(isInside("/a", "/a"), true);
  strictEqual(isInside("/ab", "/a"), false);
  strictEqual(isInside("/a", "/a/b"), false);
});
