import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { BOTH_COMMANDS } from "../../../helpers/both_commands.ts";
import { hasProgram } from "../../../helpers/has_program.ts";
import { type CheckedWorld, checkedWorld } from "../world.ts";

const SERVER = await Deno.readTextFile(
  fileURLToPath(new URL("./language_server.py", import.meta.url)),
);

const ignore = !await hasProgram("python3");

/** A limit that no test is to meet, in seconds. */
const LONG = 100;

/** A workspace with a server that behaves in a certain way. */
function serverWorld(
  mode: string,
  more: Readonly<Record<string, unknown>> = {},
  kind = BOTH_COMMANDS.find(({ name }) => name === "process group"),
): Promise<CheckedWorld> {
  const lsp = ["python3", "server.py", mode];
  const diagnostics = [{ match: "*.ts", lsp, timeout: LONG, ...more }];
  return checkedWorld({ diagnostics }, { "server.py": SERVER, "a.ts": "old bug\n" }, kind);
}

const told = (...lines: string[]) => [
  `[new problems after this edit, by python3 server.py:]\n${lines.join("\n")}`,
];

/** How often the server was started. */
const starts = async (world: CheckedWorld) => (await world.read("starts")).length;

for (const kind of BOTH_COMMANDS) {
  // Who tells by itself is waited for until it is quiet, so that one of the two is enough for them.
  const modes = kind.name === "view" ? ["pull"] : ["pull", "push", "versions"];
  for (const mode of modes) {
    Deno.test({
      name: `a language server (${mode}) tells new problems alone, in a ${kind.name}`,
      ignore: ignore || kind.ignore,
      async fn() {
        const world = await serverWorld(mode, { settings: { fake: { a: 1 }, b: 2 } }, kind);
        await using _world = world;
        deepStrictEqual(await world.edit("a.ts", "fine\nold bug\na hint\n"), []);
        deepStrictEqual(
          await world.edit("a.ts", "a smell\n  new bug\nold bug\n"),
          told("a.ts:1:3: warning fake SMELL: a smell", "a.ts:2:7: error fake BUG: new bug"),
        );
        deepStrictEqual(
          await world.edit("b.ts", "a bug\n"),
          told("b.ts:1:3: error fake BUG: a bug"),
        );
        deepStrictEqual(await world.edit("a.ts", "fine\n"), []);
        strictEqual(await starts(world), 1);
        const answers = (await world.read("answers")).trim().split("\n").map((x) => JSON.parse(x));
        deepStrictEqual(answers, [
          { id: "c1", result: [{ a: 1 }, { fake: { a: 1 }, b: 2 }] },
          { id: "c2", error: { code: -32601, message: "fake/unknown" } },
        ]);
        strictEqual(await world.read("languages"), "typescript\ntypescript\n");
        await world.checks[Symbol.asyncDispose]();
        strictEqual(await world.read("exited"), "");
      },
    });
  }
}

Deno.test({
  name: "a language server that dies is started again, and not for ever",
  ignore,
  async fn(t) {
    await t.step("once", async () => {
      await using world = await serverWorld("dies-once");
      const why = "it ended with exit code 3";
      deepStrictEqual(await world.edit("a.ts", "bug\n"), [
        `[no diagnostics: python3 server.py: ${why}]`,
      ]);
      deepStrictEqual(await world.edit("a.ts", "bug\nanother bug\n"), [
        ...told("a.ts:2:9: error fake BUG: another bug"),
      ]);
      strictEqual(await starts(world), 2);
    });
    await t.step("always", async () => {
      await using world = await serverWorld("dies");
      const why = "[no diagnostics: python3 server.py: it ended with exit code 3";
      deepStrictEqual(await world.edit("a.ts", "1\n"), [`${why}]`]);
      deepStrictEqual(await world.edit("a.ts", "2\n"), []);
      deepStrictEqual(await world.edit("a.ts", "3\n"), [`${why}; it is not asked again]`]);
      deepStrictEqual(await world.edit("a.ts", "4\n"), []);
      strictEqual(await starts(world), 3);
    });
  },
});

Deno.test({
  name: "a language server that misbehaves is told, and holds nothing up",
  ignore,
  async fn(t) {
    const cases: [mode: string, timeout: number, why: RegExp][] = [
      ["deaf", 0.5, /it took more than 0\.5 s\]$/],
      ["silent", 0.5, /it took more than 0\.5 s\]$/],
      ["garbage", LONG, /it sent no message\]$/],
    ];
    for (const [mode, timeout, why] of cases) {
      await t.step(mode, async () => {
        await using world = await serverWorld(mode, { timeout });
        const notes = await world.edit("a.ts", "bug\n");
        match(notes.join("\n"), why);
        strictEqual(await world.read("a.ts"), "bug\n");
      });
    }
    await t.step("one that is not there", async () => {
      await using world = await serverWorld("pull", { lsp: ["no-such-server"] });
      match((await world.edit("a.ts", "bug\n")).join("\n"), /^\[no diagnostics: no-such-server: /);
    });
    await t.step("an interruption ends the waiting", async () => {
      await using world = await serverWorld("deaf");
      const stop = new AbortController();
      const editing = world.edit("a.ts", "bug\n", stop.signal);
      stop.abort();
      deepStrictEqual(await editing, []);
    });
  },
});

Deno.test({
  name: "Deno's own language server, confined where this machine can",
  ignore: !await hasProgram("deno"),
  async fn() {
    const kind = BOTH_COMMANDS.find(({ ignore }) => !ignore);
    const diagnostics = [{ match: "*.ts", lsp: ["deno", "lsp"], timeout: LONG }];
    const files = { "deno.json": "{}", "a.ts": "export const a: number = 1;\n" };
    await using world = await checkedWorld({ diagnostics }, files, kind);
    deepStrictEqual(await world.edit("a.ts", 'export const a: number = "1";\n'), [
      "[new problems after this edit, by deno lsp:]\na.ts:1:14: error deno-ts 2322: " +
      "Type 'string' is not assignable to type 'number'.",
    ]);
    deepStrictEqual(await world.edit("a.ts", "\nexport const a: number = 2;\n"), []);
  },
});
