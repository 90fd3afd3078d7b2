import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import type { Completion } from "../../../../agent/terminal/completion/completer.ts";
import { fileCompletion } from "../../../../agent/terminal/completion/file_completion.ts";
import {
  fileNames,
  type FileNamesPlace,
} from "../../../../agent/terminal/completion/file_names.ts";
import { bestMatches, MAX_PROPOSALS } from "../../../../agent/terminal/completion/fuzzy.ts";
import { promptCompletion } from "../../../../agent/terminal/completion/prompt_completion.ts";
import { mentionsIn } from "../../../../agent/terminal/mentions.ts";
import { deskWorld } from "../../../helpers/desk_world.ts";

const FILES = ["src/main.ts", "src/my notes.md", "README.md", 'odd"name', "tests/main_test.ts"];

/** The text with the first proposal put in; undefined where nothing is proposed. */
function completed(text: string, completion: Completion | undefined): string | undefined {
  if (!completion) return undefined;
  const { start, end, items } = completion;
  return text.slice(0, start) + items[0]?.value + text.slice(end);
}

Deno.test("fileCompletion()", async (t) => {
  const { complete } = fileCompletion({ list: () => Promise.resolve(FILES) });
  const cases: [text: string, want: string | undefined][] = [
    ["see @READ|", "see @README.md |"],
    ["see @smain|", "see @src/main.ts |"],
    ["see @notes| and go", 'see @"src/my notes.md" | and go'],
    ['see @"my n|', 'see @"src/my notes.md" |'],
    ['see @"my n|" and go', 'see @"src/my notes.md" | and go'],
    ["see @odd|", 'see @"odd\\"name" |'],
    ["(@READ|", "(@README.md |"],
    ["line one\n@READ|", "line one\n@README.md |"],
    ["me@READ|", undefined],
    ["see @README.md |", undefined],
    ["see @zzz|", undefined],
    ["see |", undefined],
    ["", undefined],
  ];
  for (const [marked, want] of cases) {
    await t.step(JSON.stringify(marked), async () => {
      const cursor = Math.max(0, marked.indexOf("|"));
      const text = marked.replace("|", "");
      strictEqual(completed(text, await complete(text, cursor)), want?.replace("|", ""));
    });
  }
  await t.step("an @ alone proposes all, and each proposal is a mention", async () => {
    const { items = [] } = await complete("@", 1) ?? {};
    deepStrictEqual(items.map(({ label }) => label), FILES);
    deepStrictEqual(items.map(({ value }) => mentionsIn(value)[0]?.name), FILES);
  });
});

Deno.test("bestMatches() proposes a bounded number, the best first", async () => {
  const many = Array.from({ length: 500 }, (_, i) => `folder${i}/file.ts`);
  strictEqual((await bestMatches("", many, String)).length, MAX_PROPOSALS);
  strictEqual((await bestMatches("file", many, String)).length, MAX_PROPOSALS);
  deepStrictEqual(
    (await bestMatches("main", ["m-a-i-n.ts", "lib/main.ts"], String))[0],
    "lib/main.ts",
  );
});

Deno.test("bestMatches() finds the likeliest among very many", async () => {
  // Each holds the letters of the word in their order, and one holds the word.
  const many = Array.from({ length: 30_000 }, (_, i) => `t/a/r/g/e/t/${i}.ts`);
  const [first] = await bestMatches("target", [...many, "zz/target.ts"], String);
  strictEqual(first, "zz/target.ts");
  deepStrictEqual(await bestMatches("absent", many, String), []);
});

Deno.test("fileNames() lists anew after some seconds, and meanwhile what it knows", async () => {
  let clock = 0;
  let walks = 0;
  const walked = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const place: FileNamesPlace = {
    started: { cwd: "/work" },
    files: {
      async walk() {
        const n = ++walks;
        await walked[n - 1]?.promise;
        const extent = { total: 2, stopped: false, unreadable: 0 };
        return { ok: true, paths: [`f${n}`, "/work/top"], ...extent };
      },
      stat: () =>
        Promise.resolve({
          ok: true,
          facts: { path: ".", real: "/work/sub", kind: "folder", size: 0, mtimeMs: 0, mode: 0 },
        }),
    },
  };
  const names = fileNames(() => place, () => clock);
  walked[0]?.resolve();
  deepStrictEqual(await names.list(), ["sub/f1", "top"]);
  clock += 2_000;
  await names.list();
  strictEqual(walks, 1);
  clock += 2_000;
  deepStrictEqual(await names.list(), ["sub/f1", "top"]);
  deepStrictEqual(await names.list(), ["sub/f1", "top"]);
  strictEqual(walks, 2);
  walked[1]?.resolve();
  await new Promise((resolve) => setTimeout(resolve));
  deepStrictEqual(await names.list(), ["sub/f2", "top"]);
});

Deno.test("promptCompletion()", async (t) => {
  const files = {
    "work/src/main.ts": "",
    "work/.gitignore": "dist/\n",
    "work/dist/main.js": "",
    "home/.config/cordon/commands/deploy.md": "---\ndescription: Ship it\n---\n",
    "home/.config/cordon/config.jsonc":
      '{ "providers": { "local": { "base_url": "http://127.0.0.1:9" } } }',
  };
  await using world = await deskWorld(files, [{ text: "ok" }]);
  const { complete } = promptCompletion(world.desk);
  const labels = async (text: string) =>
    (await complete(text, text.length))?.items.map(({ label }) => label);
  await t.step("a slash alone proposes commands, with what they do", async () => {
    const { items = [] } = await complete("/", 1) ?? {};
    deepStrictEqual(items[0], {
      value: "/model ",
      label: "/model [NAME]",
      description: "show the model, or go on with another",
    });
    ok(!items.some(({ label }) => label === "/exit"));
  });
  await t.step("sessions by name and by id, with what was said", async () => {
    await world.type("the first task");
    const { id } = world.seat.agent.session;
    await world.type("/rename blue");
    await world.type("/new");
    const { items = [] } = await complete("/resume bl", 10) ?? {};
    deepStrictEqual(items.map(({ value }) => value), ["blue"]);
    ok(items[0]?.description?.endsWith("the first task"), items[0]?.description);
    deepStrictEqual(await labels(`/resume ${id.slice(-4)}`), [id]);
  });
  const cases: [text: string, want: string[] | undefined][] = [
    ["/depl", ["/deploy"]],
    ["/profile e", ["egress", "workspace", "container"]],
    ["/model loc", ["local/"]],
    ["/cost x", undefined],
    ["//depl", undefined],
    ["say /depl", undefined],
    ["/src/", undefined],
    ["see @main", ["src/main.ts"]],
    ["/deploy @main", ["src/main.ts"]],
  ];
  for (const [text, want] of cases) {
    await t.step(text, async () => deepStrictEqual(await labels(text), want));
  }
});
