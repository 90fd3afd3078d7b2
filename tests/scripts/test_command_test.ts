import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { ROOT } from "../../scripts/compile/contents.ts";
import { testArguments } from "../../scripts/test/arguments.ts";
import {
  failureLines,
  readReport,
  readTotals,
  type Totals,
  totalsLine,
} from "../../scripts/test/report.ts";
import { shardsOf } from "../../scripts/test/shards.ts";
import { tempDir } from "../helpers/temp_dir.ts";

Deno.test("readTotals()", async (t) => {
  const cases: [name: string, output: string, want: Totals | undefined][] = [
    ["plain", "ok | 3 passed | 0 failed (1s)\n", { passed: 3, failed: 0, skipped: 0 }],
    [
      "steps count, in colour",
      "\x1b[0m\x1b[31mFAILED\x1b[0m | 2 passed (1 step) | 1 failed (4 steps) | 5 ignored (6 steps) (9ms)\n",
      { passed: 3, failed: 5, skipped: 11 },
    ],
    ["ignored only", "ok | 0 passed | 0 failed | 1 ignored (1ms)\n", {
      passed: 0,
      failed: 0,
      skipped: 1,
    }],
    [
      "filtered out ones are no part of the run",
      "ok | 1 passed | 0 failed | 7 filtered out (1ms)\n",
      { passed: 1, failed: 0, skipped: 0 },
    ],
    [
      "the last one counts",
      "ok | 99 passed | 0 failed\nFAILED | 1 passed | 1 failed (1ms)\n\nerror: Test failed\n",
      { passed: 1, failed: 1, skipped: 0 },
    ],
    ["none", "error: Type checking failed.\nx ok | 1 passed | 0 failed\n", undefined],
  ];
  for (const [name, output, want] of cases) {
    await t.step(name, () => deepStrictEqual(readTotals(output), want));
  }
});

Deno.test("readReport() gives what was skipped and what failed, unescaped", () => {
  const junit = `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="deno test" tests="4" failures="1" errors="0" time="0.1">
    <testsuite name="./a_test.ts" tests="3" disabled="1" errors="0" failures="1">
        <testcase name="runs" classname="./a_test.ts" time="0.1" line="1" col="6">
        </testcase>
        <testcase name="a &lt;b&gt; &amp; &quot;c&#39; (needs rg)" classname="./a_test.ts" time="0" line="2" col="6">
            <skipped/>
        </testcase>
        <testcase name="fails" classname="./a_test.ts" time="0" line="2" col="6">
            <failure message="m">&lt;skipped/&gt;</failure>
        </testcase>
    </testsuite>
    <testsuite name="b_test.ts" tests="1" disabled="1" errors="0" failures="0">
        <testcase name="t &gt; step" classname="b_test.ts" time="0" line="1" col="6">
            <skipped/>
        </testcase>
    </testsuite>
</testsuites>`;
  deepStrictEqual(readReport(junit), {
    skipped: [
      { file: "a_test.ts", name: `a <b> & "c' (needs rg)` },
      { file: "b_test.ts", name: "t > step" },
    ],
    failures: [{ file: "a_test.ts", name: "fails", why: "<skipped/>" }],
  });
});

Deno.test("failureLines() tell each failure with the beginning of its reason, within bounds", () => {
  deepStrictEqual(failureLines([]), []);
  const many = Array.from({ length: 23 }, (_, index) => ({
    file: "a_test.ts",
    name: `t${index}`,
    why: "Error: no\n\n" + "    at x\n".repeat(99),
  }));
  const lines = failureLines(many);
  deepStrictEqual(lines.slice(0, 4), ["failed:", "  a_test.ts: t0", "    Error: no", ""]);
  strictEqual(lines.at(-1), "  and 3 more");
  strictEqual(lines.length, 1 + 20 * 13 + 1);
});

Deno.test("totalsLine() is read back by what reads CI's last line", () => {
  const LINE = /^(\d+) passed, (\d+) failed(?:, (\d+) skipped)?$/;
  fc.assert(fc.property(fc.nat(), fc.nat(), fc.nat(), (passed, failed, skipped) => {
    const match = LINE.exec(totalsLine({ passed, failed, skipped }));
    deepStrictEqual(match?.slice(1).map((digits) => Number(digits ?? 0)), [
      passed,
      failed,
      skipped,
    ]);
  }));
  strictEqual(totalsLine({ passed: 1, failed: 0, skipped: 0 }), "1 passed, 0 failed");
});

Deno.test("shardsOf() gives each file to one run, and no run much more than another", () => {
  deepStrictEqual(shardsOf(["a", "b", "c"], 2), [["a", "c"], ["b"]]);
  deepStrictEqual(shardsOf(["a"], 2), [["a"]]);
  fc.assert(fc.property(fc.uniqueArray(fc.string()), fc.integer({ min: 1, max: 9 }), (files, n) => {
    const shards = shardsOf(files, n);
    deepStrictEqual(shards.flat().sort(), [...files].sort());
    const sizes = shards.map(({ length }) => length);
    strictEqual(files.length === 0 || Math.max(...sizes) - Math.min(...sizes) <= 1, true);
  }));
});

Deno.test("testArguments()", async (t) => {
  const files = [
    "tests/edit/ladder_test.ts",
    "tests/edit/text_test.ts",
    "tests/tools/grep_test.ts",
  ];
  const exists = (path: string) => path === "tests/edit" || files.includes(path);
  const cases: [name: string, words: string[], want: string[]][] = [
    ["all when none is named", [], ["tests/"]],
    ["a path stays", ["tests/edit"], ["tests/edit"]],
    ["part of a name", ["ladder"], ["tests/edit/ladder_test.ts"]],
    ["part of a folder's name", ["edit/"], files.slice(0, 2)],
    ["each file once", ["edit/", "ladder", files[0] ?? ""], files.slice(0, 2)],
    ["flags pass", ["--fail-fast", "grep"], ["--fail-fast", "tests/tools/grep_test.ts"]],
    ["a flag's value is no file", ["--filter", "grep"], ["--filter", "grep", "tests/"]],
    ["the rest is for the tests", ["text", "--", "grep"], [files[1] ?? "", "--", "grep"]],
  ];
  for (const [name, words, want] of cases) {
    await t.step(name, () => deepStrictEqual(testArguments(words, files, exists), want));
  }
  await t.step("refuses a word that names nothing", () => {
    throws(() => testArguments(["zzz"], files, exists), /Cannot run tests of "zzz"/);
  });
});

Deno.test("the test command ends with its totals and the right exit code", async (t) => {
  await using dir = await tempDir({
    "good_test.ts": `Deno.test("a", async (t) => { await t.step("s", () => {}); });`,
    "bad_test.ts": `Deno.test("b", () => { throw new Error("no"); });`,
    "skipping_test.ts": `Deno.test("runs", () => {});
      Deno.test({ name: "waits (needs x)", ignore: true, fn() {} });`,
    "only_skipping_test.ts": `Deno.test({ name: "waits", ignore: true, fn() {} });`,
    "wrong_types_test.ts": `Deno.test("c", () => { const n: number = "1"; console.log(n); });`,
    "broken_test.ts": `throw new Error("at import");`,
    "imitating_test.ts": `Deno.test("d", () => console.log("ok | 99 passed | 0 failed (1ms)"));`,
  });
  const cases: [name: string, files: string[], code: number, end: RegExp][] = [
    ["all pass", ["good"], 0, /\n2 passed, 0 failed\n$/],
    [
      "one fails, and is named at the end",
      ["good", "bad"],
      1,
      /\nfailed:\n {2}\S*bad_test\.ts: b\n {4}Error: no\n(?: {4}.*\n|\n)*2 passed, 1 failed\n$/,
    ],
    [
      "some are skipped",
      ["skipping"],
      0,
      /\nskipped:\n {2}\S*skipping_test\.ts: waits \(needs x\)\n(missing here: .*\n)?1 passed, 0 failed, 1 skipped\n$/,
    ],
    [
      "all are skipped",
      ["only_skipping"],
      1,
      /\nno test ran\n0 passed, 0 failed, 1 skipped\n$/,
    ],
    ["types are wrong", ["good", "wrong_types"], 1, /(?:^|\n)0 passed, 1 failed\n$/],
    ["a file fails to load", ["good", "broken"], 1, /\n2 passed, 1 failed\n$/],
    ["a test imitates the summary", ["imitating"], 0, /\n1 passed, 0 failed\n$/],
  ];
  for (const [name, files, code, end] of cases) {
    await t.step(name, async () => {
      const paths = files.map((file) => dir.join(`${file}_test.ts`));
      const ended = await runTestCommand(paths);
      match(ended.stdout, end);
      strictEqual(ended.code, code);
    });
  }
  await t.step("a filter lets none through", async () => {
    const { code, stdout } = await runTestCommand(["--filter", "zzz", dir.join("good_test.ts")]);
    match(stdout, /\nno test ran\n0 passed, 0 failed\n$/);
    strictEqual(code, 1);
  });
});

Deno.test("a whole run is shared out and told as one", async () => {
  const passing = (name: string) => `Deno.test("${name}", () => console.log("out ${name}"));`;
  await using dir = await tempDir({
    "tests/a_test.ts": passing("a"),
    "tests/deep/b_test.ts": `Deno.test("b", () => { throw new Error("no"); });`,
    "tests/deep/c_test.ts": passing("c"),
    "tests/d_test.ts": `Deno.test({ name: "d", ignore: true, fn() {} });`,
    "tests/helper.ts": "throw new Error()",
  });
  const { code, stdout } = await runTestCommand([], dir.path);
  match(stdout, /out a[^]*out c/);
  match(stdout, /skipped:\n {2}\S*d_test\.ts: d\n[^]*2 passed, 1 failed, 1 skipped\n$/);
  strictEqual(code, 1);
});

Deno.test({
  name: "a signal ends all runs of a whole run, and leaves no report (not on Windows)",
  ignore: Deno.build.os === "windows",
  async fn(t) {
    for (const [signal, want] of [["SIGINT", 130], ["SIGTERM", 143]] as const) {
      await t.step(signal, async () => {
        using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
        const waiting = `Deno.test("waits", async () => {
          const there = await Deno.connect({ port: ${listener.addr.port} });
          await there.read(new Uint8Array(1));
        });`;
        await using dir = await tempDir({
          "tests/a_test.ts": waiting,
          "tests/b_test.ts": waiting,
          "tmp/": "",
        });
        const command = testCommand([], dir.path, { TMPDIR: dir.join("tmp") }).spawn();
        using first = await listener.accept();
        using second = await listener.accept();
        command.kill(signal);
        const { code } = await command.output();
        strictEqual(code, want);
        deepStrictEqual(namesIn(dir.join("tmp")).filter((name) => /^cordon-tests-/.test(name)), []);
        // The end of a connection is that of its process.
        for (const run of [first, second]) strictEqual(await run.read(new Uint8Array(1)), null);
      });
    }
  },
});

async function runTestCommand(
  words: string[],
  cwd = ROOT,
): Promise<{ code: number; stdout: string }> {
  const { code, stdout } = await testCommand(words, cwd).output();
  return { code, stdout: new TextDecoder().decode(stdout) };
}

function testCommand(words: string[], cwd: string, env: Record<string, string> = {}): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", join(ROOT, "scripts/test.ts"), ...words],
    cwd,
    env: { NO_COLOR: "1", ...env },
    stdout: "piped",
    stderr: "null",
  });
}

function namesIn(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name);
}
