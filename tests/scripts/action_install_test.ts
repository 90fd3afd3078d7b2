import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createHash } from "node:crypto";
import { ROOT } from "../../scripts/compile/contents.ts";
import { missingPrograms, PROGRAMS } from "../../scripts/setup.ts";
import { type ActionRun, runAction } from "../helpers/action_runner.ts";
import { tempDir } from "../helpers/temp_dir.ts";

const missing = missingPrograms(
  PROGRAMS.filter(({ name }) => ["bash", "curl", "git", "jq"].includes(name)),
  Deno.env.get("PATH") ?? "",
);

/** A program in the place of Cordon, as a release or a build brings it. */
const CORDON = '#!/bin/sh\necho \'{"reason": "done", "text": "played"}\'\n';

/** Writes what it was called with, and `succeeds` or not. */
function stub(succeeds: boolean): string {
  return `#!/bin/sh\necho "\${0##*/} $*" >>"$LOG"\nexit ${succeeds ? 0 : 1}\n`;
}

/** Stands in for npx: builds by copying. */
const NPX = '#!/bin/sh\necho "npx $*" >>"$LOG"\nfor word; do :; done\ncp "$BUILT" "$word"\n';

interface Given {
  readonly inputs: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Programs that come first on PATH. */
  readonly programs?: Readonly<Record<string, string>>;
}

/** Runs the action, and resolves also to what the stubs were called with. */
async function install(given: Given): Promise<ActionRun & { readonly calls: readonly string[] }> {
  const programs = { sleep: stub(true), npx: NPX, ...given.programs };
  const files = Object.entries({ ...programs, built: CORDON });
  await using dir = await tempDir({
    "temp/home/": "",
    "work/": "",
    log: "",
    ...Object.fromEntries(files.map(([name, text]) => [`bin/${name}`, text])),
  });
  for (const [name] of files) await Deno.chmod(dir.join("bin", name), 0o755);
  const run = await runAction({
    inputs: { model: "m", prompt: "go", view: "false", ...given.inputs },
    workspace: dir.join("work"),
    temp: dir.join("temp"),
    env: {
      PATH: `${dir.join("bin")}:${Deno.env.get("PATH")}`,
      LOG: dir.join("log"),
      BUILT: dir.join("bin/built"),
      ...given.env,
    },
  });
  const text = await Deno.readTextFile(dir.join("log"));
  return { ...run, calls: text.split("\n").filter((line) => line !== "") };
}

function installTest(name: string, fn: (t: Deno.TestContext) => Promise<void>): void {
  const ignore = missing.length > 0;
  Deno.test({ name: `action: ${name} (needs curl, git and jq)`, ignore, fn });
}

installTest("the pinned source is built by the pinned Deno", async () => {
  const run = await install({ inputs: {} });
  strictEqual(run.outputs.answer, "played", run.log);
  const version = (await Deno.readTextFile(`${ROOT}.dvmrc`)).trim();
  strictEqual(run.calls.length, 1);
  match(run.calls[0] ?? "", new RegExp(`^npx --yes deno@${version} task compile --output /`));
});

installTest("a release is taken when its checksum is right", async (t) => {
  const sum = createHash("sha256").update(CORDON).digest("hex");
  const cases: [name: string, sums: string, answer: string | RegExp][] = [
    ["right", `${"0".repeat(64)}  cordon-linux-arm64\n${sum}  cordon-linux-x64\n`, "played"],
    ["wrong", `${"0".repeat(64)}  cordon-linux-x64\n`, /is not what SHA256SUMS/],
    ["another file's", `${sum}  cordon-linux-arm64\n`, /is not what SHA256SUMS/],
    ["none", "", /is not what SHA256SUMS/],
  ];
  for (const [name, sums, answer] of cases) {
    await t.step(name, async () => {
      await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (seen) => {
        const path = new URL(seen.url).pathname.split("/owner/cordon/releases/download/v1.2.3/")[1];
        if (path === "cordon-linux-x64") return new Response(CORDON);
        return path === "SHA256SUMS" ? new Response(sums) : new Response(null, { status: 404 });
      });
      const env = { GITHUB_SERVER_URL: `http://127.0.0.1:${server.addr.port}` };
      const run = await install({ inputs: { version: "v1.2.3" }, env });
      if (typeof answer === "string") return strictEqual(run.outputs.answer, answer, run.log);
      deepStrictEqual([run.code, run.ran], [1, ["Read the task", "Bring Cordon"]]);
      match(run.log, answer);
    });
  }
});

installTest("what cannot be brought is refused, and nothing is asked of a model", async (t) => {
  const cases: [name: string, given: Given, log: RegExp, calls: number][] = [
    ["a server that is down, after three tries", { inputs: { version: "v1" } }, /be fetched/, 3],
    ["no version", { inputs: { version: "../../x" } }, /is no version/, 0],
    [
      "a platform without release",
      { inputs: { version: "v1" }, env: { RUNNER_OS: "Windows" } },
      /no release for Windows X64/,
      0,
    ],
    ["no program", { inputs: { binary: "none" } }, /"none" is no program/, 0],
    ["a build that fails", { inputs: {}, programs: { npx: stub(false) } }, /does not build/, 6],
  ];
  for (const [name, given, log, calls] of cases) {
    await t.step(name, async () => {
      const run = await install(given);
      deepStrictEqual([run.code, run.ran], [1, ["Read the task", "Bring Cordon"]]);
      match(run.log, log);
      strictEqual(run.calls.length, calls);
    });
  }
});

installTest("a rule against namespaces is lifted on a hosted runner alone", async (t) => {
  const lifted = "sudo -n sysctl -q -w kernel.apparmor_restrict_unprivileged_userns=0";
  const probe = "bwrap --ro-bind / / true";
  const cases: [environment: string, works: boolean, calls: string[]][] = [
    ["github-hosted", false, [probe, lifted]],
    ["github-hosted", true, [probe]],
    ["self-hosted", false, []],
  ];
  for (const [environment, works, calls] of cases) {
    await t.step(`${environment}, ${works ? "allowed" : "forbidden"}`, async () => {
      const run = await install({
        inputs: { view: "true" },
        env: { RUNNER_ENVIRONMENT: environment },
        programs: { bwrap: stub(works), sudo: stub(true) },
      });
      strictEqual(run.code, 0, run.log);
      deepStrictEqual(run.calls.filter((call) => !call.startsWith("npx ")), calls);
    });
  }
});
