import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import type { DocumentName } from "../../scripts/release/documents.ts";
import { packForNpm } from "../../scripts/release/npm_packages.ts";
import { binaryName, ownPlatform, PLATFORMS } from "../../scripts/release/platforms.ts";
import { hasProgram } from "../helpers/has_program.ts";
import { type Ended, PATH, run } from "../helpers/portable_fixture.ts";
import { tempDir } from "../helpers/temp_dir.ts";

const own = ownPlatform();
const ignore = own?.portable === undefined || !await hasProgram("npm");

const DOCUMENTS: Record<DocumentName, string> = {
  "cordon.1": ".TH CORDON 1\n",
  "cordon.bash": "# bash\n",
  "cordon.fish": "# fish\n",
  "_cordon": "#compdef cordon\n",
  "LICENSE": "the licence\n",
  "THIRD_PARTY_NOTICES.txt": "licences of others\n",
};

Deno.test({
  name: "npm installs cordon with the package of its platform (needs npm)",
  ignore,
  fn: async (t) => {
    await using dir = await packages();
    await using registry = await serveRegistry(dir.join("out"));
    const npm = async (prefix: string, ...flags: string[]): Promise<Ended> => {
      const args = ["install", "-g", "--prefix", dir.join(prefix), ...flags, "cordon"];
      return await run("npm", { args, env: npmEnvironment(dir.join("home"), registry.url) });
    };
    await t.step("this machine's", async () => {
      const ended = await npm("own");
      strictEqual(ended.code, 0, ended.stderr);
      deepStrictEqual(installed(dir.join("own")), [`cordon-${own?.name}`]);
      const cordon = await run(dir.join("own/bin/cordon"), { args: ["-p", "go"] });
      deepStrictEqual([cordon.stdout, cordon.code], [`${own?.name}: -p go\n`, 0]);
    });
    await t.step("with the man page, completions and licences", async () => {
      const text = (path: string) => Deno.readTextFile(dir.join("own", path));
      strictEqual(await text("share/man/man1/cordon.1"), DOCUMENTS["cordon.1"]);
      const folder = "lib/node_modules/cordon";
      strictEqual(await text(`${folder}/completions/_cordon`), DOCUMENTS._cordon);
      strictEqual(
        await text(`${folder}/node_modules/cordon-${own?.name}/THIRD_PARTY_NOTICES.txt`),
        DOCUMENTS["THIRD_PARTY_NOTICES.txt"],
      );
    });
    await t.step("another one's", async () => {
      const ended = await npm("mac", "--os=darwin", "--cpu=arm64");
      strictEqual(ended.code, 0, ended.stderr);
      deepStrictEqual(installed(dir.join("mac")), ["cordon-macos-arm64"]);
    });
    await t.step("none: cordon says so", async () => {
      const ended = await npm("alpine", "--os=linux", "--cpu=x64", "--libc=musl");
      strictEqual(ended.code, 0, ended.stderr);
      deepStrictEqual(installed(dir.join("alpine")), []);
      const cordon = await run(dir.join("alpine/bin/cordon"), {});
      deepStrictEqual([cordon.code, cordon.stdout], [1, ""]);
      match(cordon.stderr, /^cordon: Cannot start: package cordon-\S+ is not installed beside "/);
    });
    await t.step("packed again, they are the same bytes", async () => {
      await using again = await packages();
      const names = [...Deno.readDirSync(dir.join("out"))].map(({ name }) => name).sort();
      deepStrictEqual(
        names,
        ["", ...PLATFORMS.filter(({ portable }) => portable).map(({ name }) => `-${name}`)]
          .map((suffix) => `cordon${suffix}-1.2.3.tgz`).sort(),
      );
      for (const name of names) {
        const bytes = await Deno.readFile(dir.join("out", name));
        deepStrictEqual(await Deno.readFile(again.join("out", name)), bytes, name);
      }
    });
  },
});

Deno.test("packForNpm() packs nothing where nothing could be installed", async () => {
  await using dir = await tempDir({ "work/": "" });
  const built = PLATFORMS.filter(({ portable }) => !portable).map((platform) => ({ platform }));
  deepStrictEqual(built.length, 1);
  const output = dir.join("out");
  await packForNpm({
    version: "1.2.3",
    documents: DOCUMENTS,
    built,
    work: dir.join("work"),
    output,
  });
  deepStrictEqual([...Deno.readDirSync(output)], []);
});

/** A folder whose `out` holds packages for every platform, each with a program that names it. */
async function packages() {
  const programs = PLATFORMS.map((platform) =>
    [binaryName(platform), `#!/bin/sh\necho "${platform.name}: $*"\n`] as const
  );
  const dir = await tempDir({ "home/": "", "work/": "", ...Object.fromEntries(programs) });
  await packForNpm({
    version: "1.2.3",
    documents: DOCUMENTS,
    built: PLATFORMS.map((platform) =>
      platform.portable ? { platform, portable: dir.join(binaryName(platform)) } : { platform }
    ),
    work: dir.join("work"),
    output: dir.join("out"),
  });
  return dir;
}

/** The packages that came along; a global installation has them inside of what was asked for. */
function installed(prefix: string): string[] {
  const folder = `${prefix}/lib/node_modules/cordon/node_modules`;
  return existsSync(folder) ? [...Deno.readDirSync(folder)].map(({ name }) => name) : [];
}

/** Nothing of the person's settings, and no other server. */
function npmEnvironment(home: string, registry: string): Record<string, string> {
  return {
    PATH,
    HOME: home,
    npm_config_registry: registry,
    npm_config_update_notifier: "false",
    npm_config_audit: "false",
    npm_config_fund: "false",
  };
}

/** Serves the archives of a folder as a registry of npm does. */
async function serveRegistry(folder: string) {
  const documents = new Map<string, unknown>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (seen) => {
    const path = decodeURIComponent(new URL(seen.url).pathname.slice(1));
    if (path.endsWith(".tgz")) return new Response(await Deno.readFile(`${folder}/${path}`));
    return documents.has(path)
      ? Response.json(documents.get(path))
      : new Response(null, { status: 404 });
  });
  const url = `http://127.0.0.1:${server.addr.port}/`;
  for (const { name: file } of Deno.readDirSync(folder)) {
    const { stdout } = await run("tar", { args: ["-xzOf", `${folder}/${file}`, MANIFEST] });
    const manifest = JSON.parse(stdout);
    const integrity = createHash("sha512").update(await Deno.readFile(`${folder}/${file}`));
    documents.set(manifest.name, {
      name: manifest.name,
      "dist-tags": { latest: manifest.version },
      versions: {
        [manifest.version]: {
          ...manifest,
          dist: { tarball: url + file, integrity: `sha512-${integrity.digest("base64")}` },
        },
      },
    });
  }
  return { url, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** Where a package of npm has its manifest. */
const MANIFEST = "package/package.json";
