import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { parseSurvey } from "../../../sandbox/view/machine_facts.ts";
import { surveyArguments } from "../../../sandbox/view/survey_script.ts";

/** What the script prints: names and values, each ended by NUL. */
function printed(...pairs: [name: string, value: string][]): string {
  return pairs.flat().map((field) => `${field}\0`).join("");
}

Deno.test("parseSurvey()", async (t) => {
  await t.step("reads every kind of fact", () => {
    const facts = parseSurvey(printed(
      ["root", "yes"],
      ["system-link", "bin"],
      ["system-folder", "/lib32"],
      ["configuration", "/etc/ssl/certs"],
      ["proc", "/proc/keys"],
      ["home", "/root"],
      ["state", "/state"],
      ["present-folder", "/root/.pyenv"],
      ["present-file", "/data/file"],
      ["identity", "user.name\nA\nB"],
      ["identity", "user.email\na@b"],
      ["workspace", "/ws\nx"],
      ["owned", "yes"],
      ["repository", "/ws\nx/.git"],
      ["store-trusted", "/main/.git"],
      ["around", "/outer"],
      ["auto-run-folder", "/ws\nx/.git/hooks"],
      ["auto-run-file", "/ws\nx/.envrc"],
      ["end", "yes"],
    ));
    deepStrictEqual(facts, {
      root: true,
      workspace: "/ws\nx",
      workspaceOwned: true,
      home: "/root",
      state: "/state",
      systemFolders: ["/lib32"],
      systemLinks: ["bin"],
      configuration: ["/etc/ssl/certs"],
      procFiles: ["/proc/keys"],
      present: [{ path: "/root/.pyenv", folder: true }, { path: "/data/file", folder: false }],
      repositories: ["/ws\nx/.git"],
      autoRun: [
        { path: "/ws\nx/.git/hooks", folder: true },
        { path: "/ws\nx/.envrc", folder: false },
      ],
      store: { path: "/main/.git", trusted: true },
      around: "/outer",
      identity: { name: "A\nB", email: "a@b" },
    });
  });

  await t.step("a store that does not point back is not trusted", () => {
    const facts = parseSurvey(printed(["workspace", "/ws"], ["store", "/o/.git"], ["end", "yes"]));
    deepStrictEqual(facts?.store, { path: "/o/.git", trusted: false });
  });

  const broken: [name: string, output: string][] = [
    ["nothing", ""],
    ["no end: what comes after could be what must be protected", printed(["workspace", "/ws"])],
    ["no workspace", printed(["end", "yes"])],
  ];
  for (const [name, output] of broken) {
    await t.step(name, () => strictEqual(parseSurvey(output), undefined));
  }
});

Deno.test("surveyArguments() tells wanted paths and writable folders apart by number", () => {
  const [workspace, home, state, configuration, count, , ...paths] = surveyArguments({
    ...{ workspace: "/ws", home: undefined, state: "/s", configuration: "/s/etc" },
    ...{ wanted: ["/a", "/b"], writable: ["/w"] },
  });
  deepStrictEqual([workspace, home, state, configuration, count], ["/ws", "", "/s", "/s/etc", "2"]);
  deepStrictEqual(paths, ["/a", "/b", "/w"]);
});
