import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { Buffer } from "node:buffer";
import { VERSION } from "../../agent/version.ts";
import { ROOT } from "../../scripts/compile/contents.ts";
import { binaryName, ownPlatform, type Platform } from "../../scripts/release/platforms.ts";
import { missingPrograms, PROGRAMS } from "../../scripts/setup.ts";
import { runAction } from "../helpers/action_runner.ts";
import { programBinary } from "../helpers/binary.ts";
import { denoFolder } from "../helpers/cordon.ts";
import { makeRepository } from "../helpers/git.ts";
import { hasProgram } from "../helpers/has_program.ts";
import { modelServer } from "../helpers/model_server.ts";
import { readPage } from "../helpers/page.ts";
import { type Ended, names, PATH, run, unpacked } from "../helpers/portable_fixture.ts";
import { type TempDir, tempDir } from "../helpers/temp_dir.ts";

const own = ownPlatform();
const actionLacks = missingPrograms(
  PROGRAMS.filter(({ name }) => ["bash", "curl", "git", "jq"].includes(name)),
  PATH,
);

/** A proxy that nobody is behind: what a release would fetch cannot be had. */
const NO_NETWORK = { HTTPS_PROXY: "http://127.0.0.1:9", npm_config_registry: "http://127.0.0.1:9" };

/** Runs the script as its task does, in `project`. */
async function release(
  args: readonly string[],
  denoDir: string,
  home: string,
  project: string = ROOT,
): Promise<Ended> {
  return await run(Deno.execPath(), {
    args: ["run", "-A", "--no-prompt", "scripts/release.ts", ...args],
    cwd: project,
    env: { HOME: home, DENO_DIR: denoDir, DENO_NO_UPDATE_CHECK: "1", ...NO_NETWORK },
  });
}

Deno.test({
  name: "a release of this machine's platform (needs npm)",
  ignore: own?.portable === undefined || !await hasProgram("npm"),
  fn: async (t) => {
    if (own === undefined) return; // for the compiler: ignored without
    const portable = await programBinary();
    await using dir = await tempDir({
      "home/": "",
      "project/": "",
      "temp/home/": "",
      "work/a.txt": "one\n",
      "else where, 日本/dist/": "",
    });
    const out = dir.join("out");
    const asked = ["--allow-dirty", "--portable", "--only", own.name, "--version", `v${VERSION}`];
    const made = await release(
      [...asked, "--out", out],
      await denoFolder(),
      dir.join("home"),
      await copyOfSource(dir.join("else where, 日本")),
    );
    strictEqual(made.code, 0, made.stderr);
    const size = String.raw`\(\d+\.\d MB\)`;
    match(
      made.stdout,
      new RegExp(
        `^  ${binaryName(own)} ${size}, portable form: the compiled form was not asked for$`,
        "m",
      ),
    );

    await t.step("it holds these files, and nothing is left beside it", () => {
      const files = ["_cordon", "cordon.1", "cordon.bash", "cordon.fish", "LICENSE"];
      deepStrictEqual(
        names(out),
        [...files, binaryName(own), "THIRD_PARTY_NOTICES.txt", "SHA256SUMS", "npm"].sort(),
      );
      deepStrictEqual(
        names(`${out}/npm`),
        [`cordon-${VERSION}.tgz`, `cordon-${own.name}-${VERSION}.tgz`].sort(),
      );
      deepStrictEqual(names(dir.path), [
        "else where, 日本",
        "home",
        "out",
        "project",
        "temp",
        "work",
      ]);
    });
    await t.step({
      name: "sha256sum finds every file as it is summed, and one that changed",
      ignore: !await hasProgram("sha256sum"),
      fn: async () => {
        const check = () => run("sha256sum", { args: ["-c", "SHA256SUMS"], cwd: out });
        const { code, stdout } = await check();
        deepStrictEqual([code, stdout.split("\n").length - 1], [0, names(out).length - 2]);
        const text = await Deno.readTextFile(`${out}/cordon.1`);
        await Deno.writeTextFile(`${out}/cordon.1`, `${text}.\n`);
        match((await check()).stdout, /^cordon\.1: FAILED$/m);
        await Deno.writeTextFile(`${out}/cordon.1`, text);
      },
    });
    await t.step("its completions are those that cordon prints", async () => {
      for (const [shell, name] of [["bash", "cordon.bash"], ["man", "cordon.1"]] as const) {
        const printed = await run(portable, { args: ["completion", shell], env: homeOf(dir) });
        strictEqual(await Deno.readTextFile(`${out}/${name}`), printed.stdout);
      }
    });
    await t.step("it names every package that the bundle holds", async () => {
      const notices = await Deno.readTextFile(`${out}/THIRD_PARTY_NOTICES.txt`);
      const held = await packagesInBundle(unpacked(dir.join("home")));
      ok(held.length > 20);
      deepStrictEqual(held.filter((name) => !notices.includes(`\n${name} (`)), []);
    });
    await t.step("its packages, installed into an empty folder, are the program", async () => {
      await installArchives(dir, `${out}/npm`);
      const modules = dir.join("project/node_modules");
      const file = `${modules}/cordon-${own.name}/bin/cordon`;
      // Built a second time, by another process and in another folder: the same bytes.
      ok(Buffer.compare(await Deno.readFile(file), await Deno.readFile(portable)) === 0);
      await answers(`${modules}/.bin/cordon`, dir);
    });
    await t.step({
      name: "the commands of docs/install.md bring it, its man page, its completions and npm's",
      ignore: !await hasProgram("sha256sum"),
      fn: () => followPage(dir, own),
    });
    await t.step({
      name: "the action takes it, when the checksums are right (needs curl, git and jq)",
      ignore: actionLacks.length > 0,
      fn: () => actionTakes(dir, own),
    });
  },
});

Deno.test("a release that cannot be made as asked is refused, and nothing is written", async (t) => {
  await using dir = await tempDir({ "deno/": "", "home/": "", "letters/dear": "" });
  const out = dir.join("out");
  const cases: [name: string, args: string[], code: number, says: RegExp][] = [
    [
      "no way to build",
      ["--only", "windows-x64", "--only", "macos-arm64", "--out", out],
      1,
      /^Cannot build macos-arm64 \(.* cannot be reached.*, and .*@deno\/darwin-arm64.*\); windows-x64 \(.* cannot be reached, and .*\): build where /,
    ],
    [
      "nothing left of a partial one",
      ["--partial", "--only", "windows-x64", "--out", out],
      1,
      /^Cannot build windows-x64 /,
    ],
    ["another version", ["--version", "v99.0.0", "--out", out], 1, /^Cannot release "v99\.0\.0"/],
    ["into a folder of letters", ["--out", dir.join("letters")], 1, /^Cannot replace .*"dear"/],
    ["a platform that is none", ["--only", "plan9"], 2, /^Cannot build for "plan9": there are /],
  ];
  for (const [name, args, code, says] of cases) {
    await t.step(name, async () => {
      // An empty cache of Deno holds nothing to build with.
      const ended = await release(["--allow-dirty", ...args], dir.join("deno"), dir.join("home"));
      deepStrictEqual([ended.code, ended.stdout], [code, ""]);
      match(ended.stderr, says);
      deepStrictEqual([names(dir.path), names(dir.join("letters"))], [
        ["deno", "home", "letters"],
        ["dear"],
      ]);
    });
  }
});

/** What a release is made of, in another folder, and Deno as it was packed for the builds before. */
async function copyOfSource(folder: string): Promise<string> {
  const files = ["LICENSE", "deno.json", "deno.lock", "main.ts"];
  const folders = ["agent", "edit", "sandbox", "scripts", "tools"];
  const args = ["-r", ...[...files, ...folders].map((name) => ROOT + name), folder];
  const { code, stderr } = await run("cp", { args });
  strictEqual(code, 0, stderr);
  await Deno.mkdir(`${ROOT}dist/.runtime`, { recursive: true });
  await Deno.symlink(`${ROOT}dist/.runtime`, `${folder}/dist/.runtime`);
  return folder;
}

function homeOf(dir: TempDir): { HOME: string } {
  return { HOME: dir.join("home") };
}

/** As `NAME VERSION`: the bundle tells of each module whence it is. */
async function packagesInBundle(folder: string): Promise<string[]> {
  const found = new Set<string>();
  for (const name of names(`${folder}/program`).filter((name) => name.endsWith(".js"))) {
    const text = await Deno.readTextFile(`${folder}/program/${name}`);
    for (
      const [, pack, version] of text.matchAll(
        /^\/\/ npm\/[^/]+\/((?:@[^/]+\/)?[^/]+)\/(\d[^/_]*)/gm,
      )
    ) found.add(`${pack} ${version}`);
  }
  return [...found];
}

/** Without any server: npm would ask one for what the archives lack. */
async function installArchives(dir: TempDir, folder: string): Promise<void> {
  const archives = names(folder).map((name) => `${folder}/${name}`);
  const ended = await run("npm", {
    args: ["install", "--ignore-scripts", "--offline", "--no-audit", "--no-fund", ...archives],
    cwd: dir.join("project"),
    env: { ...homeOf(dir), npm_config_update_notifier: "false" },
  });
  strictEqual(ended.code, 0, ended.stderr);
}

async function answers(cordon: string, dir: TempDir): Promise<void> {
  const env = { ...homeOf(dir), OPENAI_API_KEY: "key-of-nobody" };
  const start = { env, cwd: dir.join("project") };
  const version = await run(cordon, { ...start, args: ["--version"] });
  deepStrictEqual([version.stdout, version.code], [`cordon ${VERSION}\n`, 0], version.stderr);
  const help = await run(cordon, { ...start, args: ["--help"] });
  match(help.stdout, /--output-format/);
  await using server = await modelServer([{ text: "hello from the model" }]);
  const args = ["-p", "--base-url", server.url, "--model", "m", "say hello"];
  const answer = await run(cordon, { ...start, args });
  deepStrictEqual([answer.stdout, answer.code], ["hello from the model\n", 0], answer.stderr);
}

/** Runs what the page tells to type in a release's folder, for this platform. */
async function followPage(dir: TempDir, { name }: Platform): Promise<void> {
  const text = await Deno.readTextFile(`${ROOT}docs/install.md`);
  const blocks = readPage("docs/install.md", text).blocks("sh");
  const told = blocks.filter((block) => /^(grep|mkdir|npm) /.test(block));
  strictEqual(told.length, 3);
  const prefix = dir.join("prefix");
  const script = ["set -e", ...told].join("\n").replaceAll("linux-x64", name);
  const env = {
    ...homeOf(dir),
    npm_config_prefix: prefix,
    npm_config_offline: "true",
    npm_config_update_notifier: "false",
  };
  const ended = await run("sh", { args: ["-c", script], cwd: dir.join("out"), env });
  strictEqual(ended.code, 0, ended.stderr);
  match(ended.stdout, new RegExp(`^cordon-${name}: OK$`, "m"));
  const local = dir.join("home/.local");
  for (const cordon of [`${local}/bin/cordon`, `${prefix}/bin/cordon`]) {
    const { stdout } = await run(cordon, { args: ["--version"], env: homeOf(dir) });
    strictEqual(stdout, `cordon ${VERSION}\n`);
  }
  const files = [
    ["cordon.1", `${local}/share/man/man1/cordon.1`],
    ["cordon.1", `${prefix}/share/man/man1/cordon.1`],
    ["cordon.bash", `${local}/share/bash-completion/completions/cordon`],
    ["cordon.fish", dir.join("home/.config/fish/completions/cordon.fish")],
  ] as const;
  for (const [from, to] of files) {
    strictEqual(await Deno.readTextFile(to), await Deno.readTextFile(dir.join("out", from)));
  }
}

/** Serves the release where the action looks for it, and runs a job with it. */
async function actionTakes(dir: TempDir, { name }: Platform): Promise<void> {
  await makeRepository(dir.join("work"));
  const sums = await Deno.readTextFile(dir.join("out/SHA256SUMS"));
  for (const [text, code] of [[sums.replaceAll(/^[0-9a-f]/gm, "x"), 1], [sums, 0]] as const) {
    await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (seen) => {
      const base = `/owner/cordon/releases/download/v${VERSION}/`;
      const [before, file = ""] = new URL(seen.url).pathname.split(base);
      if (before !== "" || !names(dir.join("out")).includes(file)) {
        return new Response(null, { status: 404 });
      }
      return new Response(file === "SHA256SUMS" ? text : Deno.readFileSync(dir.join("out", file)));
    });
    await using model = await modelServer(code === 0 ? [{ text: "all is well" }] : []);
    const [os, arch] = name.split("-");
    const job = await runAction({
      inputs: {
        "model": "m",
        "prompt": "look",
        "view": "false",
        "version": `v${VERSION}`,
        "base-url": model.url,
        "api-key": "key-of-nobody",
      },
      workspace: dir.join("work"),
      temp: dir.join("temp"),
      env: {
        ...homeOf(dir),
        GITHUB_SERVER_URL: `http://127.0.0.1:${server.addr.port}`,
        RUNNER_OS: os === "macos" ? "macOS" : "Linux",
        RUNNER_ARCH: arch?.toUpperCase() ?? "",
      },
    });
    deepStrictEqual(
      [job.code, job.outputs.answer],
      [code, code === 0 ? "all is well" : ""],
      job.log,
    );
    if (code !== 0) match(job.log, /is not what SHA256SUMS of the release says/);
  }
}
