import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { PATH, run, spawn } from "../helpers/portable_fixture.ts";
import { type TempDir, tempDir } from "../helpers/temp_dir.ts";

const LAUNCHER = fileURLToPath(
  new URL("../../scripts/release/npm_launcher.sh", import.meta.url),
);

/** Stands in for the program of a platform's package: tells who it is and what it was given. */
const PROGRAM = `#!/bin/sh\necho "\${0##*node_modules/} $$ [$*]"\ncat\nexit 7\n`;

/** Stands in for `uname`. */
const UNAME = '#!/bin/sh\ncase $1 in -s) echo "$SYSTEM" ;; *) echo "$MACHINE" ;; esac\n';

/** An installation: `launcher` names where the package cordon lies, `packages` those beside it. */
async function installation(
  launcher: string,
  packages: readonly string[],
): Promise<TempDir> {
  const programs = packages.map((path) => [`${path}/bin/cordon`, PROGRAM] as const);
  const dir = await tempDir({
    [`${launcher}/bin/`]: "",
    "bin/uname": UNAME,
    ...Object.fromEntries(programs),
  });
  await Deno.copyFile(LAUNCHER, dir.join(launcher, "bin/cordon"));
  for (const path of [`${launcher}/bin/cordon`, "bin/uname", ...programs.map(([path]) => path)]) {
    await Deno.chmod(dir.join(path), 0o755);
  }
  return dir;
}

function machine(dir: TempDir, system: string, name: string): Record<string, string> {
  return { PATH: `${dir.join("bin")}:${PATH}`, SYSTEM: system, MACHINE: name };
}

Deno.test("npm's cordon starts the package of the platform", async (t) => {
  const cases: [
    name: string,
    launcher: string,
    packages: string[],
    uname: [string, string],
    starts: string,
  ][] = [
    [
      "beside it",
      "node_modules/cordon",
      [
        "node_modules/cordon-linux-x64",
        "node_modules/cordon-linux-arm64",
      ],
      ["Linux", "x86_64"],
      "cordon-linux-x64",
    ],
    [
      "on ARM",
      "node_modules/cordon",
      [
        "node_modules/cordon-linux-x64",
        "node_modules/cordon-linux-arm64",
      ],
      ["Linux", "aarch64"],
      "cordon-linux-arm64",
    ],
    [
      "inside of it",
      "node_modules/cordon",
      [
        "node_modules/cordon/node_modules/cordon-linux-x64",
        "node_modules/cordon-linux-x64",
      ],
      ["Linux", "x86_64"],
      "cordon/node_modules/cordon-linux-x64",
    ],
    [
      "hoisted",
      "node_modules/a/node_modules/cordon",
      [
        "node_modules/cordon-linux-x64",
      ],
      ["Linux", "x86_64"],
      "cordon-linux-x64",
    ],
    [
      "in an odd folder",
      "-o d'd \"$x/node_modules/cordon",
      [
        "-o d'd \"$x/node_modules/cordon-linux-x64",
      ],
      ["Linux", "x86_64"],
      "cordon-linux-x64",
    ],
    [
      "a Mac's own",
      "node_modules/cordon",
      [
        "node_modules/cordon-macos-x64",
        "node_modules/cordon-macos-arm64",
      ],
      ["Darwin", "arm64"],
      "cordon-macos-arm64",
    ],
    [
      "a Mac's other one",
      "node_modules/cordon",
      [
        "node_modules/cordon-macos-x64",
      ],
      ["Darwin", "arm64"],
      "cordon-macos-x64",
    ],
    [
      "an old Mac's",
      "node_modules/cordon",
      [
        "node_modules/cordon-macos-x64",
        "node_modules/cordon-macos-arm64",
      ],
      ["Darwin", "x86_64"],
      "cordon-macos-x64",
    ],
  ];
  for (const [name, launcher, packages, [system, arch], starts] of cases) {
    await t.step(name, async () => {
      await using dir = await installation(launcher, packages);
      const ended = await run(dir.join(launcher, "bin/cordon"), {
        args: ["-p", "a  b", ""],
        env: machine(dir, system, arch),
        stdin: "in",
      });
      const started = starts.replace(/^.*node_modules\//, "");
      deepStrictEqual([ended.stdout, ended.stderr, ended.code], [
        `${started}/bin/cordon ${ended.pid} [-p a  b ]\nin`,
        "",
        7,
      ]);
    });
  }
});

Deno.test("npm's cordon is found through links, and on PATH", async (t) => {
  await using dir = await installation(".pnpm/cordon@1/node_modules/cordon", [
    ".pnpm/cordon@1/node_modules/cordon-linux-x64",
  ]);
  await Deno.mkdir(dir.join("node_modules/.bin"), { recursive: true });
  await Deno.mkdir(dir.join("usr/bin"), { recursive: true });
  for (const name of [".bin", "cordon/bin"]) {
    await Deno.mkdir(dir.join("else/node_modules", name), { recursive: true });
  }
  await Deno.symlink("../.pnpm/cordon@1/node_modules/cordon", dir.join("node_modules/cordon"));
  await Deno.symlink("../cordon/bin/cordon", dir.join("node_modules/.bin/cordon"));
  await Deno.symlink(dir.join("node_modules/.bin/cordon"), dir.join("usr/bin/cordon"));
  const env = machine(dir, "Linux", "x86_64");
  const onPath = { ...env, PATH: `${dir.join("usr/bin")}:${env.PATH}` };
  const relative = ["-c", "exec node_modules/.bin/cordon"];
  const ways: [name: string, command: string, args: string[], env: Record<string, string>][] = [
    ["relative", "sh", relative, env],
    ["absolute", dir.join("usr/bin/cordon"), [], env],
    ["on PATH", "sh", ["-c", "exec cordon"], onPath],
    ["with folders looked for elsewhere", "sh", relative, { ...env, CDPATH: dir.join("else") }],
    ["read by sh in its folder", "sh", ["-c", "cd node_modules/cordon/bin && exec sh cordon"], env],
  ];
  for (const [name, command, args, env] of ways) {
    await t.step(name, async () => {
      const ended = await run(command, { args, env, cwd: dir.path });
      deepStrictEqual([ended.stdout, ended.stderr], [
        `cordon-linux-x64/bin/cordon ${ended.pid} []\n`,
        "",
      ]);
    });
  }
});

Deno.test("npm's cordon is the program that it starts: a signal ends it", async () => {
  await using dir = await installation("node_modules/cordon", ["node_modules/cordon-linux-x64"]);
  const path = dir.join("node_modules/cordon-linux-x64/bin/cordon");
  await Deno.writeTextFile(path, "#!/bin/sh\necho up\nexec sleep 600\n");
  const child = spawn(dir.join("node_modules/cordon/bin/cordon"), {
    env: machine(dir, "Linux", "x86_64"),
  });
  const reader = child.stdout.getReader();
  strictEqual(new TextDecoder().decode((await reader.read()).value), "up\n");
  child.kill("SIGTERM");
  strictEqual((await child.status).signal, "SIGTERM");
  await Promise.all([reader.cancel(), child.stderr.cancel(), child.stdin.close()]);
});

Deno.test("npm's cordon says what it lacks", async (t) => {
  const cases: [name: string, packages: string[], uname: [string, string], says: RegExp][] = [
    [
      "no package",
      ["node_modules/cordon-linux-arm64"],
      ["Linux", "x86_64"],
      /^cordon: Cannot start: package cordon-linux-x64 is not installed beside ".*\/node_modules\/cordon"; .*glibc/,
    ],
    ["another processor", [], ["Linux", "riscv64"], /^cordon: Cannot start on Linux riscv64: /],
    ["another system", [], ["FreeBSD", "amd64"], /^cordon: Cannot start on FreeBSD amd64: /],
    // What lies about in other folders is no package of this installation.
    [
      "a package elsewhere",
      ["cordon-linux-x64", "bin/cordon-linux-x64"],
      ["Linux", "x86_64"],
      /is not installed beside/,
    ],
  ];
  for (const [name, packages, [system, arch], says] of cases) {
    await t.step(name, async () => {
      await using dir = await installation("node_modules/cordon", packages);
      const ended = await run(dir.join("node_modules/cordon/bin/cordon"), {
        env: machine(dir, system, arch),
      });
      deepStrictEqual([ended.code, ended.stdout], [1, ""]);
      match(ended.stderr, says);
      strictEqual(ended.stderr.split("\n").length, 2);
    });
  }
});
