import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { ROOT } from "../../scripts/compile/contents.ts";
import { tempDir } from "../helpers/temp_dir.ts";

/** Stands in for Deno: fails in the steps that FAILING names, and prints TOTALS as the tests' end. */
const DENO = `#!/bin/sh
echo "$*" >>"$LOG"
case " $FAILING " in *" $* "*) status=1 ;; *) status=0 ;; esac
[ "$*" != "task test" ] || printf 'a test\\n%s\\n' "$TOTALS"
exit $status
`;

/** Stands in for npx: fails as often as there are lines in the file of failures. */
const NPX = `#!/bin/sh
echo "npx $1 $2" >>"$LOG"
if [ -s "$NPX_FAILURES" ]; then
  sed -i 1d "$NPX_FAILURES"
  echo "npx: network is down" >&2
  exit 1
fi
echo "$FAKE_DENO"
`;

interface Case {
  readonly failing?: string;
  readonly totals?: string;
  readonly npxFailures?: number;
}

const STEPS = ["--version", "fmt --check", "lint", "task check", "task compile", "task test"];

Deno.test(".ci/run ends with one true line, whatever fails", async (t) => {
  const cases: [name: string, given: Case, code: number, last: string][] = [
    ["all well", {}, 0, "5 passed, 0 failed"],
    [
      "skipped tests",
      { totals: "5 passed, 0 failed, 2 skipped" },
      0,
      "5 passed, 0 failed, 2 skipped",
    ],
    [
      "a failed test",
      { totals: "4 passed, 1 failed", failing: "task test" },
      1,
      "4 passed, 1 failed",
    ],
    ["a failed step", { failing: "lint" }, 1, "5 passed, 1 failed"],
    ["two failed steps", { failing: "task check task compile" }, 1, "5 passed, 2 failed"],
    [
      "a step and a test",
      { failing: "task test fmt --check", totals: "4 passed, 1 failed, 1 skipped" },
      1,
      "4 passed, 2 failed, 1 skipped",
    ],
    [
      "tests that end without totals",
      { totals: "crash", failing: "task test" },
      1,
      "0 passed, 1 failed",
    ],
    ["no totals and no failure", { totals: "crash" }, 1, "0 passed, 1 failed"],
    ["totals that hide a failure", { failing: "task test" }, 1, "5 passed, 1 failed"],
    [
      "no test at all",
      { totals: "0 passed, 0 failed", failing: "task test" },
      1,
      "0 passed, 1 failed",
    ],
    ["npm fails twice", { npxFailures: 2 }, 0, "5 passed, 0 failed"],
    ["npm fails for good", { npxFailures: 9 }, 1, "0 passed, 1 failed"],
  ];
  for (const [name, given, code, last] of cases) {
    await t.step(name, async () => {
      const ended = await runCi(given);
      deepStrictEqual([ended.code, ended.lines.at(-1)], [code, last]);
    });
  }
  await t.step("every step runs, after a failed one too, with the pinned Deno", async () => {
    const { log } = await runCi({ failing: "fmt --check" });
    const version = (await Deno.readTextFile(`${ROOT}.dvmrc`)).trim();
    deepStrictEqual(log, [`npx --yes deno@${version}`, ...STEPS]);
  });
});

Deno.test("one version of Deno is named everywhere", async () => {
  const version = (await Deno.readTextFile(`${ROOT}.dvmrc`)).trim();
  match(version, /^\d+\.\d+\.\d+$/);
  const wrong: string[] = [];
  for (const path of await namingFiles()) {
    const text = await Deno.readTextFile(ROOT + path);
    for (const [found] of text.matchAll(/\bdeno@\d+(?:\.\d+)*/g)) {
      if (found !== `deno@${version}`) wrong.push(`${path}: ${found}`);
    }
  }
  deepStrictEqual(wrong, []);
});

/** The documents and scripts that tell people or machines which Deno to fetch. */
async function namingFiles(): Promise<string[]> {
  const paths: string[] = [".ci/run", "deno.json"];
  const walk = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(ROOT + folder)) {
      if (isDirectory && !/^(\..*|dist|node_modules|fixtures)$/.test(name)) {
        await walk(`${folder}${name}/`);
      } else if (name.endsWith(".md")) paths.push(folder + name);
    }
  };
  await walk("");
  return paths;
}

async function runCi(
  { failing = "", totals = "5 passed, 0 failed", npxFailures = 0 }: Case,
): Promise<{ code: number; lines: string[]; log: string[] }> {
  await using dir = await tempDir({
    "a folder/.ci/run": await Deno.readTextFile(`${ROOT}.ci/run`),
    "a folder/.dvmrc": await Deno.readTextFile(`${ROOT}.dvmrc`),
    "bin/npx": NPX,
    "bin/sleep": "#!/bin/sh\n",
    "deno": DENO,
    "npx_failures": "x\n".repeat(npxFailures),
    "log": "",
  });
  for (const program of ["a folder/.ci/run", "bin/npx", "bin/sleep", "deno"]) {
    await Deno.chmod(dir.join(program), 0o755);
  }
  const { code, stdout, stderr } = await new Deno.Command(dir.join("a folder/.ci/run"), {
    clearEnv: true,
    env: {
      PATH: `${dir.join("bin")}:${Deno.env.get("PATH")}`,
      FAKE_DENO: dir.join("deno"),
      FAILING: failing,
      TOTALS: totals,
      NPX_FAILURES: dir.join("npx_failures"),
      LOG: dir.join("log"),
    },
    cwd: "/",
  }).output();
  strictEqual(new TextDecoder().decode(stderr), "");
  return {
    code,
    lines: new TextDecoder().decode(stdout).trimEnd().split("\n"),
    log: (await Deno.readTextFile(dir.join("log"))).trimEnd().split("\n"),
  };
}
