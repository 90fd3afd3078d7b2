import { deepStrictEqual, doesNotThrow, match, ok, rejects, throws } from "node:assert/strict";
import { ROOT } from "../../scripts/compile/contents.ts";
import { checkEnough, missingOf, type Plan, planBinaries } from "../../scripts/release/binaries.ts";
import { checkReplaceable, writeSums } from "../../scripts/release/checksums.ts";
import { builtFor, checkBuiltFor } from "../../scripts/release/executable.ts";
import { replaceFolder } from "../../scripts/release/folder.ts";
import { checked, packagesOf, readNotice, renderNotices } from "../../scripts/release/notices.ts";
import { mainManifest, platformManifest } from "../../scripts/release/npm_packages.ts";
import {
  binaryName,
  ownPlatform,
  type Platform,
  PLATFORMS,
} from "../../scripts/release/platforms.ts";
import { checkCommitted, checkVersion } from "../../scripts/release/source.ts";
import { readArguments } from "../../scripts/release.ts";
import { git, makeRepository } from "../helpers/git.ts";
import { tempDir } from "../helpers/temp_dir.ts";

Deno.test("a release's files are named as the action asks for them", async () => {
  const script = await Deno.readTextFile(`${ROOT}scripts/action/install.sh`);
  const asked = [...script.matchAll(/\) echo ([\w-]+) ;;/g)].map(([, name]) => `cordon-${name}`);
  deepStrictEqual(PLATFORMS.map(binaryName), [...asked, "cordon-windows-x64.exe"]);
});

Deno.test("builtFor() reads for which platform a file was built", async (t) => {
  const cases: [name: string, bytes: Uint8Array, want: ReturnType<typeof builtFor>][] = [
    ["ELF for x86_64", elf(62), "linux-x64"],
    ["ELF for aarch64", elf(183), "linux-arm64"],
    ["ELF for riscv", elf(243), undefined],
    ["Mach-O for x86_64", machO(0x0100_0007), "macos-x64"],
    ["Mach-O for arm64", machO(0x0100_000c), "macos-arm64"],
    ["PE for x86_64", pe(0x8664), "windows-x64"],
    ["PE for arm64", pe(0xaa64), undefined],
    ["PE that is cut off", pe(0x8664).subarray(0, 70), undefined],
    ["a script", new TextEncoder().encode(`#!/bin/sh\n${"#".repeat(80)}`), undefined],
    ["nothing", new Uint8Array(), undefined],
    ["zeros", new Uint8Array(200), undefined],
  ];
  for (const [name, bytes, want] of cases) {
    await t.step(name, () => deepStrictEqual(builtFor(bytes), want));
  }
});

Deno.test({
  name: "checkBuiltFor() takes this machine's Deno for its platform and no other",
  ignore: ownPlatform() === undefined,
  fn: async () => {
    const own = ownPlatform()?.name ?? "linux-x64";
    const other = own === "macos-arm64" ? "linux-x64" : "macos-arm64";
    await checkBuiltFor(Deno.execPath(), own);
    await rejects(checkBuiltFor(Deno.execPath(), other), {
      message: `Cannot use "${Deno.execPath()}": it is for ${own}, and ${other} is wanted`,
    });
  },
});

Deno.test("checkVersion()", async (t) => {
  for (const wanted of ["1.2.3", "v1.2.3"]) {
    await t.step(wanted, () => checkVersion(wanted, "1.2.3"));
  }
  for (const wanted of ["1.2.4", "v1.2", "vv1.2.3", ""]) {
    await t.step(`refuses "${wanted}"`, () => {
      throws(() => checkVersion(wanted, "1.2.3"), /deno\.json says version 1\.2\.3/);
    });
  }
});

Deno.test("checkCommitted() takes a clean work tree alone", async (t) => {
  await using dir = await tempDir({ "clean/a": "one", "bare/a": "one" });
  await makeRepository(dir.join("clean"));
  await t.step("clean", () => checkCommitted(dir.join("clean")));
  await t.step("an ignored file is no change", async () => {
    await Deno.writeTextFile(dir.join("clean/.git/info/exclude"), "dist/\n");
    await Deno.mkdir(dir.join("clean/dist"));
    await Deno.writeTextFile(dir.join("clean/dist/b"), "");
    await checkCommitted(dir.join("clean"));
  });
  await t.step("changed, and something new", async () => {
    await Deno.writeTextFile(dir.join("clean/a"), "two");
    await rejects(checkCommitted(dir.join("clean")), /not committed \(M a\)/);
    await Deno.writeTextFile(dir.join("clean/c"), "");
    await rejects(checkCommitted(dir.join("clean")), /not committed \(M a and 1 more\)/);
    await git(dir.join("clean"), "add", "-A");
    await git(dir.join("clean"), "commit", "-q", "-m", "second");
    await checkCommitted(dir.join("clean"));
  });
  await t.step("no repository", async () => {
    await rejects(checkCommitted(dir.join("bare")), /use a clone of the repository/);
  });
});

Deno.test("replaceFolder() replaces whole or not at all", async (t) => {
  await using dir = await tempDir({ "out/old": "1" });
  const names = (folder: string) => [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
  await t.step("a failure leaves all as it was", async () => {
    await rejects(
      replaceFolder(dir.join("out"), async (folder) => {
        await Deno.writeTextFile(`${folder}/new`, "2");
        throw new RangeError("no");
      }),
      RangeError,
    );
    deepStrictEqual([names(dir.path), names(dir.join("out"))], [["out"], ["old"]]);
  });
  await t.step("success", async () => {
    const seen = await replaceFolder(dir.join("out"), async (folder) => {
      await Deno.writeTextFile(`${folder}/new`, "2");
      return names(dir.join("out"));
    });
    deepStrictEqual(seen, ["old"]);
    deepStrictEqual([names(dir.path), names(dir.join("out"))], [["out"], ["new"]]);
  });
  await t.step("nothing there, and folders around it neither", async () => {
    await replaceFolder(dir.join("a/b"), (folder) => Deno.writeTextFile(`${folder}/c`, ""));
    deepStrictEqual(names(dir.join("a")), ["b"]);
    deepStrictEqual((Deno.statSync(dir.join("a/b")).mode ?? 0) & 0o777, 0o755);
  });
});

Deno.test("replaceFolder() leaves nothing of a run that a signal ends", async () => {
  await using dir = await tempDir();
  const module = new URL("../../scripts/release/folder.ts", import.meta.url).href;
  const script = `
    import { replaceFolder } from "${module}";
    await replaceFolder("out", async (folder) => {
      await Deno.writeTextFile(folder + "/half", "");
      console.log("at work");
      await new Promise((done) => setTimeout(done, 60_000));
    });`;
  await Deno.writeTextFile(dir.join("run.ts"), script);
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-config", "--no-lock", "-A", "run.ts"],
    cwd: dir.path,
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const reader = child.stdout.getReader();
  match(new TextDecoder().decode((await reader.read()).value), /at work/);
  child.kill("SIGTERM");
  deepStrictEqual((await child.status).code, 143);
  await reader.cancel();
  deepStrictEqual([...Deno.readDirSync(dir.path)].map(({ name }) => name), ["run.ts"]);
});

Deno.test("checkReplaceable() lets an earlier release go and nothing else", async (t) => {
  await using dir = await tempDir({
    "empty/": "",
    "release/cordon": "1",
    "release/npm/x.tgz": "",
    "more/cordon": "1",
    "home/letter": "dear",
  });
  await writeSums(dir.join("release"));
  await writeSums(dir.join("more"));
  await Deno.writeTextFile(dir.join("more/letter"), "dear");
  for (const name of ["none", "empty", "release"]) {
    await t.step(name, () => checkReplaceable(dir.join(name), ["npm"]));
  }
  await t.step("refuses a file", async () => {
    await rejects(checkReplaceable(dir.join("home/letter"), ["npm"]), /it is no folder$/);
  });
  for (const name of ["more", "home"]) {
    await t.step(`refuses ${name}`, async () => {
      await rejects(checkReplaceable(dir.join(name), ["npm"]), /holds "letter"/);
    });
  }
});

Deno.test("packagesOf() follows what packages need, and leaves out the rest of the lock file", () => {
  const entry = (name: string, ...dependencies: string[]) => ({
    name,
    version: "1",
    localPath: `/${name}`,
    dependencies,
  });
  deepStrictEqual(
    packagesOf({
      modules: [{}, { npmPackage: "b@1" }, { npmPackage: "a@1_b@1" }],
      npmPackages: {
        "a@1_b@1": entry("a", "b@1", "c@1"),
        "b@1": entry("b", "a@1_b@1"),
        "c@1": entry("c"),
        "tests@1": entry("tests"),
      },
    }),
    ["/a", "/b", "/c"],
  );
});

Deno.test("readNotice() takes the package's own texts", async (t) => {
  const files = {
    "LICENSE": "first\r\nsecond\r\n\r\n",
    "NOTICE": "of whom",
    "ThirdPartyNotices.txt": "of others",
    "license-checker.js": "code",
    "README.md": "no",
  };
  await using dir = await tempDir({
    "package.json": '{"name": "@s/a", "version": "1.2.3", "license": "MIT"}',
    ...files,
  });
  const notice = await readNotice(dir.path);
  await t.step("read", () =>
    deepStrictEqual(notice, {
      name: "@s/a",
      version: "1.2.3",
      licence: "MIT",
      texts: [files.LICENSE, files.NOTICE, files["ThirdPartyNotices.txt"]],
    }));
  await t.step("rendered", () => {
    const bar = "=".repeat(80);
    const text = renderNotices([notice]);
    ok(
      text.endsWith(`${bar}\n@s/a 1.2.3 (MIT)\n${bar}\n\nfirst\nsecond\n\nof whom\n\nof others\n`),
      text,
    );
  });
  await t.step("allowed, or refused", () => {
    doesNotThrow(() => checked(notice));
    throws(() => checked({ ...notice, licence: "GPL-3.0-only" }), /"@s\/a@1\.2\.3".*GPL-3\.0-only/);
    throws(() => checked({ ...notice, licence: "" }), /its licence is ""/);
    throws(() => checked({ ...notice, texts: [] }), /wants its text to go along/);
  });
});

Deno.test({
  name: "planBinaries() looks for no runtime of the compiled form where it is not wanted",
  ignore: ownPlatform()?.portable === undefined,
  fn: async () => {
    const [plan] = await planBinaries([ownPlatform() ?? platform("linux-x64")], true);
    deepStrictEqual(plan?.denort, {
      available: false,
      reason: "the compiled form was not asked for",
    });
    ok(plan.runtime.ok);
  },
});

Deno.test("what cannot be built is named, and left out only where that will do", async (t) => {
  const denort = { available: false, reason: "no denort" };
  const runtime = { ok: false, reason: "no Deno" } as const;
  const plan = (name: string, more: Partial<Plan> = {}): Plan => ({
    platform: platform(name),
    denort,
    runtime,
    ...more,
  });
  const plans = [
    plan("linux-x64", { denort: { available: true, reason: "there" } }),
    plan("linux-arm64", { runtime: { ok: true, runtime: { path: "/deno", platform: "linux" } } }),
    plan("windows-x64"),
  ];
  const platforms = plans.map((it) => it.platform);
  const missing = missingOf(plans);
  deepStrictEqual(missing, [{
    platform: platform("windows-x64"),
    reason: "no denort, and no Deno",
  }]);
  await t.step("named", () => {
    throws(() => checkEnough(platforms, missing, false), {
      message: /^Cannot build windows-x64 \(no denort, and no Deno\): build where /,
    });
  });
  await t.step("left out", () => checkEnough(platforms, missing, true));
  await t.step("nothing missing", () => checkEnough(platforms, [], false));
  await t.step("nothing left", () => {
    throws(() => checkEnough([platform("windows-x64")], missing, true), /Cannot build/);
  });
});

Deno.test("packages of npm fit their platforms, and run nothing when they are installed", async (t) => {
  const packed = PLATFORMS.filter(({ portable }) => portable !== undefined);
  const main = mainManifest("1.2.3", packed);
  const names = packed.map(({ name }) => `cordon-${name}`);
  await t.step("main", () => {
    deepStrictEqual(
      main.optionalDependencies,
      Object.fromEntries(names.map((name) => [name, "1.2.3"])),
    );
    deepStrictEqual(main.os, ["darwin", "linux"]);
  });
  await t.step("linux-arm64", () => {
    const { os, cpu, libc } = platformManifest("1.2.3", platform("linux-arm64"));
    deepStrictEqual([os, cpu, libc], [["linux"], ["arm64"], ["glibc"]]);
  });
  await t.step("macos-x64", () => {
    const { os, cpu, libc } = platformManifest("1.2.3", platform("macos-x64"));
    deepStrictEqual([os, cpu, libc], [["darwin"], ["x64"], undefined]);
  });
  await t.step("no scripts", () => {
    for (const it of [main, ...packed.map((it) => platformManifest("1.2.3", it))]) {
      ok(!("scripts" in it));
    }
  });
  await t.step("none for Windows", () => {
    throws(() => platformManifest("1.2.3", platform("windows-x64")), RangeError);
  });
});

Deno.test("readArguments()", async (t) => {
  const standard = {
    out: `${ROOT}dist/release`,
    platforms: PLATFORMS,
    partial: false,
    portable: false,
    allowDirty: false,
  };
  await t.step("none", () => deepStrictEqual(readArguments([]), standard));
  await t.step("all", () => {
    const words = "--out=o --version v1 --partial --allow-dirty --only macos-x64 --only=linux-x64";
    deepStrictEqual(readArguments(words.split(" ")), {
      out: "o",
      platforms: [platform("linux-x64"), platform("macos-x64")],
      partial: true,
      portable: false,
      allowDirty: true,
      version: "v1",
    });
  });
  await t.step("the portable form", () => {
    deepStrictEqual(readArguments(["--portable"]), { ...standard, portable: true });
  });
  for (const args of [["--only", "plan9"], ["--publish"], ["word"]]) {
    await t.step(`refuses ${args.join(" ")}`, () => {
      throws(() => readArguments(args), TypeError);
    });
  }
});

function platform(name: string): Platform {
  const found = PLATFORMS.find((it) => it.name === name);
  if (!found) throw new RangeError(`Cannot find platform "${name}"`);
  return found;
}

function elf(machine: number): Uint8Array {
  const bytes = new Uint8Array(64);
  bytes.set([0x7f, 0x45, 0x4c, 0x46, 2, 1]);
  new DataView(bytes.buffer).setUint16(18, machine, true);
  return bytes;
}

function machO(cpu: number): Uint8Array {
  const bytes = new Uint8Array(64);
  bytes.set([0xcf, 0xfa, 0xed, 0xfe]);
  new DataView(bytes.buffer).setUint32(4, cpu, true);
  return bytes;
}

function pe(machine: number): Uint8Array {
  const bytes = new Uint8Array(160);
  bytes.set([0x4d, 0x5a]);
  const view = new DataView(bytes.buffer);
  view.setUint32(0x3c, 128, true);
  bytes.set([0x50, 0x45], 128);
  view.setUint16(132, machine, true);
  return bytes;
}
