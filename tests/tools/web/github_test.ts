import { deepStrictEqual } from "node:assert/strict";
import { type GithubForm, githubForm } from "../../../tools/web/github.ts";

function issue(path: string): GithubForm {
  const url = `https://api.github.com/repos/${path}`;
  return { kind: "issue", urls: [url, `${url}/comments?per_page=100`] };
}

Deno.test("githubForm()", async (t) => {
  const cases: [url: string, want: GithubForm | undefined][] = [
    ["https://github.com/o/r/blob/main/src/a%20b.ts#L3", {
      kind: "raw",
      url: "https://raw.githubusercontent.com/o/r/main/src/a%20b.ts",
    }],
    ["https://www.github.com/o/r/raw/v1.0/README.md?raw=true", {
      kind: "raw",
      url: "https://raw.githubusercontent.com/o/r/v1.0/README.md",
    }],
    ["https://github.com/o/r/issues/7#issuecomment-1", issue("o/r/issues/7")],
    ["https://github.com/o/r/pull/8/", issue("o/r/issues/8")],
    ["https://github.com/o/r/pull/8/files", undefined],
    ["https://github.com/o/r/issues", undefined],
    ["https://github.com/o/r/issues/new", undefined],
    ["https://github.com/o/r/blob/main/", undefined],
    ["https://github.com/o/r", undefined],
    ["https://github.com/", undefined],
    ["https://gist.github.com/o/0123456789abcdef", {
      kind: "gist",
      url: "https://api.github.com/gists/0123456789abcdef",
    }],
    ["https://gist.github.com/o/0123456789abcdef/raw", undefined],
    ["https://raw.githubusercontent.com/o/r/main/a", undefined],
    ["http://github.com/o/r/issues/7", undefined],
    ["https://github.com:444/o/r/issues/7", undefined],
    ["https://github.com.evil.test/o/r/issues/7", undefined],
    ["no address", undefined],
  ];
  for (const [url, want] of cases) {
    await t.step(url, () => deepStrictEqual(githubForm(url), want));
  }
});
