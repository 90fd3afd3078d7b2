import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { dirname } from "node:path";
import {
  calling,
  type CordonOptions,
  type CordonRun,
  eventsOf,
  HEADLESS,
  newWorld,
  type World,
} from "../helpers/cordon.ts";
import { linkPrograms } from "../helpers/programs.ts";
import { canMount, tinyDisk } from "../helpers/tiny_disk.ts";

/** What a person got wrong, and what they are told. */
interface Mistake {
  readonly name: string;
  readonly code: number;
  readonly says: RegExp;
  /** Resolves to the arguments. */
  readonly make: (world: World) => Promise<readonly string[]> | readonly string[];
  readonly options?: Partial<CordonOptions>;
}

const isRoot = Deno.build.os === "windows" || Deno.uid() === 0;
const QUIET = { env: { CORDON_MODEL: "scripted:unused" } };

const USAGE: readonly Mistake[] = [
  {
    name: "no prompt",
    code: 2,
    says: /^error: Nothing to do: the prompt on the command line and on stdin is empty\n$/,
    make: () => ["-p"],
  },
  {
    name: "a conversation without a terminal",
    code: 2,
    says: /^error: No terminal to converse on: use cordon -p PROMPT\n$/,
    make: () => ["do it"],
  },
  {
    name: "an option without its value",
    code: 2,
    says: /^error: Option "--model" needs a value: --model=NAME\n$/,
    make: () => ["--model"],
  },
  {
    name: "a value that is none of the choices",
    code: 2,
    says: /^error: Option "--approval" cannot be "yes": it is one of on-escape, ask, deny, all\n$/,
    make: () => ["--approval=yes"],
  },
  {
    name: "a tool that is not there",
    code: 2,
    says: /^error: Unknown tool "reed_file", did you mean read_file.*; see cordon tools\n$/,
    make: () => ["-p", "--tools=reed_file", "hi"],
  },
  {
    name: "a file for the state folder",
    code: 2,
    says:
      /^error: Cannot keep anything in ".*\/a\.txt": it is not a folder, name one by --state\n$/,
    make: () => ["-p", "--state=a.txt", "hi"],
  },
  {
    name: "words after a command that takes none",
    code: 2,
    says: /^error: Unexpected "that" after cordon tools; a prompt that begins so goes after --\n$/,
    make: () => ["tools", "that", "fail"],
  },
  {
    name: "an image that is not there",
    code: 2,
    says: /^error: Cannot attach ".*nothing\.png": there is no such file$/m,
    make: () => ["-p", "-i", "nothing.png", "hi"],
  },
  {
    name: "an image that is none",
    code: 2,
    says: /^error: Cannot attach "a\.txt": it is no PNG, JPEG, WebP or GIF image$/m,
    make: () => ["-p", "-i", "a.txt", "hi"],
  },
  {
    name: "a folder that is not there",
    code: 2,
    says: /^error: Cannot work in ".*\/nowhere": there is no such folder\n$/,
    make: () => ["-p", "-C", "nowhere", "hi"],
  },
  {
    name: "a file for a folder",
    code: 2,
    says: /^error: Cannot work in ".*\/a\.txt": it is not a folder\n$/,
    make: () => ["-p", "-C", "a.txt", "hi"],
  },
  {
    name: "the whole disk",
    code: 2,
    says: /^error: Cannot work in "\/": it is the whole disk, name a folder by -C\n$/,
    make: () => ["-p", "-C", "/", "hi"],
  },
  {
    name: "the home folder",
    code: 2,
    says:
      /^error: Cannot work in ".*\/home": it is your home folder, name a project in it by -C\n$/,
    make: (world) => ["-p", "-C", world.join("home"), "hi"],
  },
  {
    name: "the home folder behind a link",
    code: 2,
    says: /^error: Cannot work in ".*\/home": it is your home folder, /,
    async make(world) {
      await Deno.symlink(world.join("home"), world.join("work/link"));
      return ["-p", "-C", "link", "hi"];
    },
  },
  {
    name: "a parent of the home folder",
    code: 2,
    says: /^error: Cannot work in ".*": it is a parent of your home, /,
    make: (world) => ["-p", "-C", dirname(world.join("home")), "hi"],
  },
  {
    name: "a fork of nothing",
    code: 2,
    says: /^error: Cannot fork: name the session by --resume or --continue\n$/,
    make: () => ["-p", "--fork", "hi"],
  },
  {
    name: "a session to continue where there is none",
    code: 2,
    says: /^error: There is no session of ".*\/work" to go on with\n$/,
    make: () => ["-p", "-c", "hi"],
  },
  {
    name: "a session to continue where no log is kept",
    code: 2,
    says: /^error: Cannot go on with a session: no log is kept \(--no-session\)\n$/,
    make: () => ["-p", "-c", "--no-session", "hi"],
  },
];

const CONFIGURATION: readonly Mistake[] = [
  ["a script that is not there", undefined, /: there is no such file$/m],
  ["an empty script", "", /: it is empty$/m],
  ["a script that is no JSON", '{"turns": [\n  {"text": }]}', /: bad JSON at line 2, column 12 /],
  ["a script of another shape", '{"turn": []}', /: it is no object with a list "turns"$/m],
  ["a script without turns", '{"turns": []}', /: it has no turns$/m],
].map(([name, text, says]) => ({
  name: String(name),
  code: 78,
  says: new RegExp(`^error: Cannot play "[^"]*script\\.json"${(says as RegExp).source}`, "m"),
  async make(world) {
    if (text !== undefined) await Deno.writeTextFile(world.join("script.json"), String(text));
    return ["-p", "-m", `scripted:${world.join("script.json")}`, "hi"];
  },
}));

const CONFIG_FILES: readonly (readonly [name: string, text: string, says: RegExp])[] = [
  ["no JSON", "{\n  model: 1\n}", /config\.jsonc": .* at line 2, column 3\n$/],
  [
    "a wrong value",
    '{\n  "max_turns": "many"\n}',
    /^error: Cannot use ".*config\.jsonc": max_turns is wrong \(line 2, column 16\): /,
  ],
  ["no object", "[]", /^error: Cannot use ".*config\.jsonc": the file is wrong/],
];

Deno.test("bad input gets a clear sentence and its exit code", async (t) => {
  const files = CONFIG_FILES.map(([name, text, says]): Mistake => ({
    name: `a configuration with ${name}`,
    code: 78,
    says,
    async make(world) {
      await writeConfig(world, text);
      return ["-p", "hi"];
    },
  }));
  const others: Mistake[] = [
    {
      name: "a configuration that is a folder",
      code: 78,
      says: /^error: Cannot read ".*config\.jsonc": /,
      async make(world) {
        await Deno.mkdir(world.join("home/.config/cordon/config.jsonc"), { recursive: true });
        return ["-p", "hi"];
      },
    },
    {
      name: "a base URL that is none",
      code: 78,
      says: /^error: Cannot use base URL "localhost": not an address like https:\/\/host\/v1\n$/,
      make: () => ["-p", "-m", "m", "--base-url=localhost", "hi"],
    },
    {
      name: "a budget where no price is known",
      code: 78,
      says: /^error: Cannot keep to --max-budget-usd: .* set "prices" in config\.jsonc\n$/,
      make: () => ["-p", "--max-budget-usd=1", "hi"],
    },
    {
      name: "a variable that is no number",
      code: 78,
      says: /^error: Cannot use CORDON_BASH_TIMEOUT_MS="soon": /,
      make: () => ["-p", "hi"],
      options: { env: { CORDON_BASH_TIMEOUT_MS: "soon" } },
    },
    {
      name: "a model's server that the flags do not grant",
      code: 78,
      says: /^error: Cannot reach the model: --allow-net=127\.0\.0\.1:1 is not granted\n$/,
      make: () => ["-p", "-m", "m", "--base-url=http://127.0.0.1:1/v1", "--allow-read=.", "hi"],
    },
  ];
  for (const mistake of [...USAGE, ...CONFIGURATION, ...files, ...others]) {
    await t.step(mistake.name, async () => {
      await using world = await newWorld({ "a.txt": "one" });
      const args = await mistake.make(world);
      const env = { ...QUIET.env, ...mistake.options?.env };
      const run = await world.run(args, { ...mistake.options, env });
      strictEqual(run.code, mistake.code, run.stderr);
      match(run.stderr, mistake.says);
      strictEqual(run.stdout, "");
    });
  }
});

Deno.test("a folder for stdin is refused", { ignore: Deno.build.os === "windows" }, async () => {
  await using world = await newWorld();
  const run = await world.shell('cordon "$@" </', ["-p", "-m", "scripted:unused", "hi"]);
  strictEqual(run.code, 2);
  match(run.stderr, /^error: Cannot read stdin: Is a directory/);
});

Deno.test(
  "a state folder of somebody else is told, and nothing breaks",
  { ignore: isRoot },
  async () => {
    await using world = await newWorld({ "../state/sessions/": "" });
    await Deno.chmod(world.join("state"), 0o000);
    const model = await world.script({ text: "ok" });
    const started = await world.run(["-p", "-m", model, `--state=${world.join("state")}`, "hi"]);
    const listed = await world.run(["sessions", `--state=${world.join("state")}`]);
    await Deno.chmod(world.join("state"), 0o700);
    deepStrictEqual([started.code, listed.code], [1, 1]);
    match(started.stderr, /^error: Cannot begin a session in ".*": .*denied/);
    match(listed.stderr, /^error: Cannot open session log ".*": .*denied/);
  },
);

Deno.test("a folder that may not be read is refused", { ignore: isRoot }, async () => {
  await using world = await newWorld({ "closed/": "" });
  await Deno.chmod(world.join("work/closed"), 0o300);
  const run = await world.run(["-p", "-C", "closed", "hi"]);
  await Deno.chmod(world.join("work/closed"), 0o700);
  deepStrictEqual([run.code, run.stdout], [2, ""]);
  match(run.stderr, /^error: Cannot work in ".*\/closed": it may not be read\n$/);
});

Deno.test("an unknown key of the configuration is passed over with a warning", async () => {
  await using world = await newWorld();
  await writeConfig(world, '\uFEFF// mine\n{ "modle": "x", "max_turns": 7, }');
  const run = await world.run(["-p", "-m", await world.script({ text: "ok" }), "hi"]);
  strictEqual(run.code, 0, run.stderr);
  match(
    run.stderr,
    /^warning: Unknown key "modle" in ".*" \(line 2, column \d+\) is passed over, did you mean "model"/,
  );
});

Deno.test("without git everything but git works", async () => {
  await using world = await newWorld({ "a.txt": "one" });
  await linkPrograms(world.join("bin"), ["bash", "cat", "rm", "mkdir", "mktemp"]);
  const model = await world.script(calling("bash", { command: "cat a.txt; git" }), { text: "ok" });
  const run = await world.run([...HEADLESS, "-m", model, "--approval=all", "hi"], {
    env: { PATH: world.join("bin") },
  });
  strictEqual(run.code, 0, run.stderr);
  const [result] = eventsOf(run, "tool_result");
  match(result?.text, /^one\n\[stderr\]\n.*git: command not found\n\[exit code: 127\]$/);
});

Deno.test("a full disk stops the run, and nothing is half-written", {
  ignore: !await canMount(),
}, async () => {
  await using world = await newWorld();
  await using disk = await tinyDisk();
  const content = "x".repeat(5_000);
  const turns = Array.from(
    { length: 20 },
    (_, i) => calling("write_file", { path: `${i}.txt`, content }),
  );
  const run = await world.play(turns, [`--state=${disk.path}`, "--profile=off"]);
  deepStrictEqual([run.code, run.events.at(-1)?.reason], [1, "failed"], run.stderr);
  const [error] = eventsOf(run, "error");
  strictEqual(error?.code, "session_write");
  match(error?.message, /^Cannot write session log ".*": /);
  const records = await onlyLog(disk.join("sessions"));
  const logged = records.filter(({ type }) => type === "tool_call").length;
  const written = [...Deno.readDirSync(world.work)];
  ok(logged > 0 && logged < turns.length);
  strictEqual(written.length, logged);
  for (const { name } of written) {
    strictEqual((await Deno.stat(world.join("work", name))).size, content.length + 1);
  }
});

Deno.test("a state folder that cannot be written is told", {
  ignore: !await canMount() && isRoot,
}, async () => {
  await using world = await newWorld();
  const model = await world.script({ text: "ok" });
  const start = async (state: string): Promise<CordonRun> =>
    await world.run(["-p", "-m", model, `--state=${state}`, "hi"]);
  if (isRoot) {
    await using disk = await tinyDisk();
    await disk.seal();
    check(await start(disk.path));
  } else {
    await Deno.mkdir(world.join("sealed"), { mode: 0o500 });
    check(await start(world.join("sealed")));
  }
  function check(run: CordonRun): void {
    deepStrictEqual([run.code, run.stdout], [1, ""]);
    match(run.stderr, /^error: Cannot begin a session in ".*\/sessions": .*(Read-only|denied)/);
  }
  // Without a log it works there, too.
  strictEqual((await world.run(["-p", "-m", model, "--no-session", "hi"])).code, 0);
});

async function onlyLog(folder: string): Promise<Record<string, unknown>[]> {
  const [log, ...more] = [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile);
  deepStrictEqual(more, []);
  const text = await Deno.readTextFile(`${folder}/${log?.name}`);
  ok(text.endsWith("\n"));
  return text.trimEnd().split("\n").map((line) => JSON.parse(line));
}

async function writeConfig(world: World, text: string): Promise<void> {
  await Deno.mkdir(world.join("home/.config/cordon"), { recursive: true });
  await Deno.writeTextFile(world.join("home/.config/cordon/config.jsonc"), text);
}
