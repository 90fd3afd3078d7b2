import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { sweepLines } from "../../../sandbox/sweep/report.ts";
import { findChanges, type Findings, takeSnapshot } from "../../../sandbox/sweep/sweep.ts";
import { undoFindings, type Undone } from "../../../sandbox/sweep/undo.ts";
import { findSetIds, walkTree } from "../../../sandbox/sweep/walk_tree.ts";
import { hasProgram } from "../../helpers/has_program.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

/** Runs a bash text in a folder, as a command of the model would. */
async function bash(folder: string, command: string, ...args: string[]): Promise<string> {
  const child = new Deno.Command("bash", {
    args: ["--noprofile", "--norc", "-ec", command, "bash", ...args],
    cwd: folder,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    detached: true,
    clearEnv: true,
    env: {
      PATH: Deno.env.get("PATH") ?? "",
      HOME: "/nonexistent",
      LANG: "C.UTF-8",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_AUTHOR_NAME: "a",
      GIT_AUTHOR_EMAIL: "a@test",
      GIT_COMMITTER_NAME: "a",
      GIT_COMMITTER_EMAIL: "a@test",
    },
  }).spawn();
  const { success, stdout, stderr } = await child.output();
  ok(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

interface Swept {
  readonly findings: Findings;
  readonly undone: Undone;
  /** `path done`, sorted. */
  readonly files: string[];
}

/** A command in a new folder, and the sweep after it. */
async function sweepAfter(root: string, setup: string, command: string): Promise<Swept> {
  await bash(root, setup);
  const before = takeSnapshot(root);
  await bash(root, command);
  const findings = findChanges(root, before);
  const undone = undoFindings(root, findings);
  return {
    findings,
    undone,
    files: undone.files.map(({ path, done }) => `${path} ${done}`).sort(),
  };
}

const HAS_GIT = await hasProgram("git");

Deno.test("a sweep takes out what would be run unasked", async (t) => {
  const cases: [name: string, command: string, taken: string[]][] = [
    ["direnv", "echo x > .envrc; mkdir -p a/b; echo x > a/b/.envrc", [".envrc", "a/b/.envrc"]],
    ["husky", "mkdir -p .husky/_; echo x > .husky/pre-commit; echo x > .husky/_/h", [
      ".husky/_/h",
      ".husky/pre-commit",
    ]],
    ["hooks of a folder", "mkdir .githooks; echo x > .githooks/pre-push", [".githooks/pre-push"]],
    ["package managers", "echo x > .npmrc; echo x > .pnpmfile.cjs; echo x > .yarnrc.yml", [
      ".npmrc",
      ".pnpmfile.cjs",
      ".yarnrc.yml",
    ]],
    ["what nobody may read", "echo x > .npmrc; chmod 0 .npmrc", [".npmrc"]],
    ["hook managers", "echo x > .pre-commit-config.yaml; echo x > lefthook.yml", [
      ".pre-commit-config.yaml",
      "lefthook.yml",
    ]],
    [
      "editors",
      "mkdir .vscode .idea .devcontainer; for f in .vscode/tasks.json .vscode/settings.json .idea/x.xml .devcontainer/x .devcontainer.json; do echo x > $f; done",
      [
        ".devcontainer.json",
        ".devcontainer/x",
        ".idea/x.xml",
        ".vscode/settings.json",
        ".vscode/tasks.json",
      ],
    ],
    ["workspaces of editors", "echo x > my.code-workspace", ["my.code-workspace"]],
    [
      "CI",
      "mkdir -p .github/workflows .circleci; echo x > .github/workflows/a.yml; echo x > .circleci/config.yml; echo x > .gitlab-ci.yml",
      [
        ".circleci/config.yml",
        ".github/workflows/a.yml",
        ".gitlab-ci.yml",
      ],
    ],
    [
      "python",
      "p=v/lib/python3.11/site-packages; mkdir -p $p; echo 'import os' > $p/e.pth; echo x > sitecustomize.py",
      [
        "sitecustomize.py",
        "v/lib/python3.11/site-packages/e.pth",
      ],
    ],
    [
      "agents",
      "mkdir -p .cordon/hooks .claude; echo x > .cordon/hooks/a; echo x > .claude/settings.json; echo x > .mcp.json",
      [
        ".claude/settings.json",
        ".cordon/hooks/a",
        ".mcp.json",
      ],
    ],
    ["another case of letters", "mkdir .VSCode; echo x > .VSCode/tasks.json; echo x > .EnvRC", [
      ".EnvRC",
      ".VSCode/tasks.json",
    ]],
    [
      "a link in its place",
      "mkdir evil; echo x > evil/pre-commit; ln -s evil .husky; ln -s evil/pre-commit .envrc",
      [
        ".envrc",
        ".husky",
      ],
    ],
    ["a name with a newline", "mkdir $'a\\nb'; echo x > $'a\\nb/.envrc'", ["a\nb/.envrc"]],
    ["empty files", "touch .envrc", [".envrc"]],
    ["a repository with a hook", "git init -q r; echo x > r/.git/hooks/post-commit", [
      "r/.git/hooks/post-commit",
    ]],
    [
      "a repository with a command in its configuration",
      "git init -q r; git -C r config core.fsmonitor 'touch x'",
      [
        "r/.git/config",
      ],
    ],
    [
      "a bare repository of any name",
      "git init -q --bare r/b; git -C r/b config core.fsmonitor 'touch x'; echo x > r/b/hooks/post-update",
      [
        "r/b/config",
        "r/b/hooks/post-update",
      ],
    ],
    [
      "a repository in unpacked packages",
      "mkdir -p node_modules/a; git init -q node_modules/a; echo x > node_modules/a/.git/hooks/pre-commit",
      [
        "node_modules/a/.git/hooks/pre-commit",
      ],
    ],
    [
      "the repository of a submodule",
      "git init -q .; git init -q --bare .git/modules/s; echo x > .git/modules/s/hooks/pre-commit",
      [
        ".git/modules/s/hooks/pre-commit",
      ],
    ],
    ["a pointer out of the workspace", "mkdir s; echo 'gitdir: /tmp/elsewhere' > s/.git", [
      "s/.git",
    ]],
    ["a pointer to where nobody looks", "mkdir s; echo 'gitdir: ../.git/objects/x' > s/.git", [
      "s/.git",
    ]],
    ["linked hooks", "git init -q r; rm -r r/.git/hooks; ln -s /tmp r/.git/hooks", [
      "r/.git/hooks",
    ]],
    [
      "a rebase under way",
      "mkdir -p .git/rebase-merge; printf 'pick 1 a\\nexec touch x\\n' > .git/rebase-merge/git-rebase-todo",
      [
        ".git/rebase-merge/git-rebase-todo",
      ],
    ],
  ];
  for (const [name, command, taken] of cases) {
    await t.step({
      name: usesGit(command) ? `${name} (needs git)` : name,
      ignore: usesGit(command) && !HAS_GIT,
      async fn() {
        await using dir = await tempDir({ "README.md": "one" });
        const { files } = await sweepAfter(dir.path, "true", command);
        deepStrictEqual(files, taken.map((path) => `${path} removed`));
        // Nothing is found twice.
        deepStrictEqual(findChanges(dir.path, takeSnapshot(dir.path)).files, []);
        for (const path of taken) strictEqual(isThere(dir.join(path)), false);
      },
    });
  }
});

Deno.test("a sweep leaves ordinary work alone", async (t) => {
  const cases: [name: string, command: string][] = [
    [
      "files of all kinds",
      "mkdir -p src/hooks src/config; echo x > src/hooks/pre-commit; echo x > src/config/config; echo x > config; echo x > a.pth",
    ],
    [
      "packages with files of their own",
      "mkdir -p node_modules/a/.vscode node_modules/a/.github/workflows; echo x > node_modules/a/.vscode/settings.json; echo x > node_modules/a/.npmrc",
    ],
    [
      "path files that only name folders",
      "p=lib/site-packages; mkdir -p $p; printf '# editable\\n/srv/src\\n' > $p/a.pth",
    ],
    [
      "a new repository with a commit",
      "git init -q r; echo x > r/a; git -C r add a; git -C r commit -qm one; git -C r branch other",
    ],
    [
      "a clone",
      "git init -q r; git -C r commit -q --allow-empty -m one; git clone -q r c; git clone -q --bare r b",
    ],
    [
      "a worktree",
      "git init -q r; git -C r commit -q --allow-empty -m one; git -C r worktree add -q ../w",
    ],
    [
      "a remote",
      "git init -q r; git -C r remote add origin git@example.com:a/b.git; git -C r remote add other https://example.com/a/b",
    ],
    ["files removed", "rm -rf .husky .envrc"],
    ["files read", "cat .envrc .husky/pre-commit"],
  ];
  for (const [name, command] of cases) {
    await t.step({
      name: usesGit(command) ? `${name} (needs git)` : name,
      ignore: usesGit(command) && !HAS_GIT,
      async fn() {
        await using dir = await tempDir({ ".envrc": "mine", ".husky/pre-commit": "mine" });
        const { findings, files } = await sweepAfter(dir.path, "true", command);
        deepStrictEqual(files, []);
        deepStrictEqual([findings.special, findings.setIds, findings.unreadable], [[], [], []]);
      },
    });
  }
});

Deno.test("a sweep restores what was changed, whatever the command did to hide it", async (t) => {
  const cases: [name: string, command: string][] = [
    ["written", "echo evil > .husky/pre-commit"],
    [
      "with the old size and time",
      "touch -r .husky/pre-commit t; printf 'evil' > .husky/pre-commit; touch -r t .husky/pre-commit; rm t",
    ],
    ["replaced", "echo evil > t; mv t .husky/pre-commit"],
    ["made executable", "chmod 755 .husky/pre-commit"],
    ["replaced by a link", "rm .husky/pre-commit; ln -s /etc/passwd .husky/pre-commit"],
  ];
  for (const [name, command] of cases) {
    await t.step(name, async () => {
      await using dir = await tempDir({ ".husky/pre-commit": "mine" });
      const setup = "chmod 640 .husky/pre-commit";
      const { files } = await sweepAfter(dir.path, setup, command);
      deepStrictEqual(files, [".husky/pre-commit restored"]);
      strictEqual(await Deno.readTextFile(dir.join(".husky/pre-commit")), "mine");
      const info = await Deno.lstat(dir.join(".husky/pre-commit"));
      deepStrictEqual([info.isFile, (info.mode ?? 0) & 0o7777], [true, 0o640]);
      deepStrictEqual([...Deno.readDirSync(dir.join(".husky"))].map((e) => e.name), ["pre-commit"]);
    });
  }
  await t.step("a link of before", async () => {
    await using dir = await tempDir({ "hooks/pre-commit": "mine" });
    const { files } = await sweepAfter(
      dir.path,
      "ln -s hooks .husky",
      "ln -sfn /tmp .husky",
    );
    deepStrictEqual(files, [".husky restored"]);
    strictEqual(await Deno.readLink(dir.join(".husky")), "hooks");
  });
});

Deno.test("a sweep never writes or removes through a link", async () => {
  await using outside = await tempDir({ "pre-commit": "theirs" });
  await using dir = await tempDir({ ".husky/pre-commit": "mine" });
  const before = takeSnapshot(dir.path);
  await bash(dir.path, "echo evil > .husky/pre-commit");
  const findings = findChanges(dir.path, before);
  // Between the look and the act the folder becomes a link to another.
  await bash(dir.path, 'mv .husky old; ln -s "$1" .husky', outside.path);
  const undone = undoFindings(dir.path, findings);
  deepStrictEqual(undone.files.map(({ done }) => done), ["left"]);
  strictEqual(await Deno.readTextFile(outside.join("pre-commit")), "theirs");
  deepStrictEqual([...Deno.readDirSync(outside.path)].map(({ name }) => name), ["pre-commit"]);
});

Deno.test("a sweep clears set-id bits, and only new ones", async () => {
  await using dir = await tempDir({ old: "x", own: "x" });
  const { undone } = await sweepAfter(
    dir.path,
    "chmod 4755 own; mkdir shared; chmod 2775 shared",
    "cp own new; chmod 6755 new; chmod u+s old; touch own",
  );
  deepStrictEqual([...undone.setIds].sort(), ["new", "old"]);
  const modes = ["new", "old", "own"].map((name) => Deno.statSync(dir.join(name)).mode! & 0o7000);
  deepStrictEqual(modes, [0, 0, 0o4000]);
});

Deno.test("a sweep takes the paths of set-id files from elsewhere", async () => {
  await using dir = await tempDir({ "a/b": "x", c: "x" });
  await bash(dir.path, "chmod u+s a/b");
  const [program = "", ...args] = findSetIds(dir.path);
  const printed = await bash(dir.path, 'exec "$@"', program, ...args);
  strictEqual(printed, "a/b\0");
  const walk = (setIds: boolean | string[]) => [...walkTree(dir.path, { setIds }).seen.keys()];
  deepStrictEqual(walk(["a/b"]), ["a/b"]);
  deepStrictEqual(walk(true), ["a/b"]);
  deepStrictEqual(walk(false), []);
});

Deno.test("a sweep looks at hostile trees without waiting or failing", async () => {
  await using dir = await tempDir({ "a.txt": "one" });
  const { findings, files } = await sweepAfter(
    dir.path,
    "true",
    `mkfifo .envrc pipe; mkdir -p loop; ln -s .. loop/up; ln -s /dev/zero .npmrc
     mkdir $'\\xff'; echo x > $'\\xff/.envrc'
     for i in {1..600}; do mkdir deeper12345; cd deeper12345; done; echo x > .envrc`,
  );
  deepStrictEqual(files, [".npmrc removed"]);
  deepStrictEqual(findings.special.map(({ path, kind }) => `${path} ${kind}`).sort(), [
    ".envrc fifo",
    "pipe fifo",
  ]);
  // Neither is silently passed: what cannot be reached is told.
  strictEqual(findings.unreadable.length, 2);
  await bash(dir.path, "rm -rf deeper12345");
});

Deno.test("a sweep stops at its limit and says so", async () => {
  await using dir = await tempDir({ a: "1", b: "2", c: "3" });
  strictEqual(walkTree(dir.path, { maxEntries: 2 }).stopped, true);
  strictEqual(walkTree(dir.path, { maxEntries: 4 }).stopped, false);
});

Deno.test("sweepLines() say what was done, and cannot be forged by a name", async () => {
  await using dir = await tempDir({ ".npmrc": "mine" });
  const { findings, undone } = await sweepAfter(
    dir.path,
    "true",
    'echo x > .envrc; echo x > .npmrc; mkfifo p; d=$\'$(id)\\n\\u202e\'; mkdir "$d"; echo x > "$d/.envrc"',
  );
  deepStrictEqual(
    sweepLines(findings, undone).sort(),
    [
      '"$(id)\\n\\u{202e}/.envrc" was taken out of the workspace: direnv runs it on entering the folder; a person may take it back by: cordon accept',
      '".envrc" was taken out of the workspace: direnv runs it on entering the folder; a person may take it back by: cordon accept .envrc',
      '".npmrc" is as it was before: the package manager obeys it; a person may take the change by: cordon accept .npmrc --replace',
      '"p" is a new fifo',
    ].sort(),
  );
});

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function usesGit(command: string): boolean {
  return command.includes("git init");
}
