import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { keepTrust } from "../../../../agent/config/trust.ts";
import {
  loadUserCommands,
  projectCommandFiles,
} from "../../../../agent/terminal/slash/user/load.ts";
import { deskWorld } from "../../../helpers/desk_world.ts";
import { tempDir } from "../../../helpers/temp_dir.ts";

/** The places of a project in `work`, of a person with their configuration in `config`. */
function placesIn(dir: { join(...names: string[]): string }, work = "work") {
  return { workspace: dir.join(work), config: dir.join("config") };
}

Deno.test("loadUserCommands() reads names, facts and bodies", async () => {
  await using dir = await tempDir({
    "work/": "",
    "config/commands/review.md": "---\ndescription: Look\nargument-hint: [FILE]\n" +
      "model: m\nallowed-tools: bash(git *), Read\n---\nReview $1\n",
    "config/commands/git/push.md": "# Push it\n\nnow",
    "config/commands/Grün.MD": "\uFEFF---\r\ndescription: go\r\n---\r\nBody\r\n",
    "config/commands/notes.txt": "no command",
    "config/commands/.hidden.md": "no command",
  });
  const { commands, warnings } = await loadUserCommands(placesIn(dir), "unasked");
  deepStrictEqual(warnings, []);
  const path = (name: string) => dir.join("config", "commands", name);
  const common = { origin: "user", warnings: [] };
  deepStrictEqual([...commands.values()], [
    {
      ...common,
      name: "Grün",
      path: path("Grün.MD"),
      body: "Body\r\n",
      description: "go",
      hint: "",
    },
    {
      ...common,
      name: "git:push",
      path: path("git/push.md"),
      body: "# Push it\n\nnow",
      description: "Push it",
      hint: "",
    },
    {
      ...common,
      name: "review",
      path: path("review.md"),
      body: "Review $1\n",
      description: "Look",
      hint: "[FILE]",
      model: "m",
      tools: ["bash", "Read"],
    },
  ]);
});

Deno.test("a project's commands wait for trust, and then the closest goes first", async () => {
  await using dir = await tempDir({
    "root/.git/": "",
    "root/.cordon/commands/a.md": "above",
    "root/.cordon/commands/b.md": "above",
    "root/work/.cordon/commands/a.md": "here",
    "config/commands/a.md": "user",
    "config/commands/c.md": "user",
    ".cordon/commands/d.md": "outside of the project",
  });
  const places = placesIn(dir, "root/work");
  const bodies = async (trust: "trusted" | "unasked" | "refused") => {
    const { commands, warnings, waiting } = await loadUserCommands(places, trust);
    const found = [...commands.values()].map(({ name, body }) => `${name} ${body}`);
    return { found, warnings, waiting };
  };
  const waiting = await projectCommandFiles(places.workspace);
  deepStrictEqual(waiting.map(({ name }) => name), ["a", "a", "b"]);
  const own = ["a user", "c user"];
  deepStrictEqual(await bodies("unasked"), { found: own, warnings: [], waiting });
  deepStrictEqual(await bodies("refused"), { found: own, warnings: [], waiting });
  deepStrictEqual(await bodies("trusted"), {
    found: ["a here", "b above", "c user"],
    warnings: [],
    waiting: [],
  });
});

Deno.test("what is wrong with a file is told, and the rest works", async (t) => {
  const cases: [
    name: string,
    files: Record<string, string | Uint8Array>,
    names: string[],
    told: RegExp,
  ][] = [
    [
      "YAML",
      { "a.md": "---\nb: [1\n---\nBody", "c.md": "C" },
      ["a", "c"],
      /a\.md:\d+: the front matter/,
    ],
    [
      "a description",
      { "a.md": "---\ndescription: {b: c}\n---\nBody" },
      ["a"],
      /"description" is passed/,
    ],
    ["tools", { "a.md": "---\nallowed-tools: [1]\n---\nBody" }, ["a"], /"allowed-tools" is passed/],
    [
      "a name",
      { "a b.md": "A", "c.md": "C" },
      ["c"],
      /Cannot use ".*a b\.md" as a command: a name/,
    ],
    ["bytes", { "a.md": new Uint8Array([0xff, 0xfe, 0]), "c.md": "C" }, ["c"], /not UTF-8 text/],
    ["its size", { "a.md": "x".repeat(300_000), "c.md": "C" }, ["c"], /over 256 KB/],
  ];
  for (const [name, files, names, told] of cases) {
    await t.step(name, async () => {
      const entries = Object.entries(files).map((
        [file, text],
      ) => [`config/commands/${file}`, text]);
      await using dir = await tempDir({ "work/": "", ...Object.fromEntries(entries) });
      const { commands, warnings } = await loadUserCommands(placesIn(dir), "unasked");
      deepStrictEqual([...commands.keys()], names);
      strictEqual(warnings.length, 1);
      match(warnings[0] ?? "", told);
    });
  }
});

Deno.test("a link of a project leads to files of the project alone; a person's leads anywhere", async () => {
  await using dir = await tempDir({
    "work/.cordon/commands/": "",
    "work/docs/inside.md": "inside",
    "secret.md": "secret",
    "config/commands/": "",
  });
  const project = (name: string) => dir.join("work/.cordon/commands", name);
  await Deno.symlink(dir.join("secret.md"), project("a.md"));
  await Deno.symlink(dir.join("work/docs/inside.md"), project("b.md"));
  await Deno.symlink(project("."), project("loop"));
  await Deno.symlink(dir.join("secret.md"), dir.join("config/commands/mine.md"));
  const { commands, warnings } = await loadUserCommands(placesIn(dir), "trusted");
  const names = [...commands.keys()].filter((name) => !name.startsWith("loop:"));
  deepStrictEqual(names, ["b", "mine"]);
  ok(warnings.every((line) => /a\.md" as a command: it leads to .*, outside/.test(line)));
  ok(warnings.length > 0);
});

Deno.test("a command of a file is a task", async (t) => {
  const files = {
    "home/.config/cordon/commands/review.md": "---\ndescription: Look\n---\nReview $1 for $2",
    "home/.config/cordon/commands/help.md": "not reached",
    "work/notes.txt": "the notes",
  };
  await using world = await deskWorld(files, Array(3).fill({ text: "ok" }));
  await t.step("with its arguments, and the files that these mention", async () => {
    strictEqual(
      await world.type("/review @notes.txt 'bad style'"),
      "(attached notes.txt, 9 bytes)\nok",
    );
    strictEqual(
      world.messages()[0],
      'Review @notes.txt for bad style\n\n<file path="notes.txt">\nthe notes\n</file>',
    );
  });
  await t.step("that lists show, and that takes no built-in name", async () => {
    const list = await world.type("/");
    match(list, /^ {2}\/review \[ARGUMENTS\] +Look \(user\)$/m);
    match(list, /^! .*help\.md is passed over: \/help is built in$/m);
  });
  await t.step("that is near a name which is none", async () => {
    match(await world.type("/reveiw"), /did you mean \/review\?/);
  });
});

Deno.test("a project's command runs once its folder is trusted", async () => {
  await using world = await deskWorld(
    { "work/.cordon/commands/deploy.md": "Deploy it" },
    [{ text: "deployed" }],
  );
  match(
    await world.type("/deploy"),
    /^! There is no command \/deploy[^]*! This project has a command/,
  );
  strictEqual(world.requests.length, 0);
  keepTrust(world.join("state"), world.join("work"), { trusted: true, files: {} });
  // Trust is read with the configuration, when an agent starts.
  await world.type("/new");
  strictEqual(await world.type("/deploy"), "deployed");
  deepStrictEqual(world.messages(), ["Deploy it", "deployed"]);
});

Deno.test("allowed-tools narrows the tools of its task alone", async () => {
  const look = { tool_calls: [{ name: "list_dir", arguments: { path: "." } }] };
  const write = {
    tool_calls: [{ name: "write_file", arguments: { path: "a.txt", content: "x" } }],
  };
  await using world = await deskWorld(
    {
      "home/.config/cordon/commands/look.md":
        "---\nallowed-tools: ListDir Bash(git:*) morph nonsense\n---\nLook",
    },
    [write, look, { text: "looked" }, write, { text: "wrote" }],
  );
  const there = () => Deno.stat(world.join("work/a.txt")).then(() => true, () => false);
  const shown = await world.type("/look");
  match(shown, /"allowed-tools" names morph, which is no tool that is offered here/);
  match(shown, /names nonsense/);
  deepStrictEqual([...world.requests[0]?.tools ?? []], ["list_dir", "bash"]);
  const results = world.messages();
  match(results.join("\n"), /There is no tool "write_file"; the tools are: bash, list_dir/);
  strictEqual(await there(), false);
  await world.type("now write");
  strictEqual(await there(), true);
});

Deno.test("model asks another model for its task alone", async () => {
  await using world = await deskWorld({}, [{ text: "usual" }]);
  const other = await world.script({ text: "special" });
  const folder = world.join("home/.config/cordon/commands");
  await Deno.mkdir(folder);
  await Deno.writeTextFile(`${folder}/ask.md`, `---\nmodel: "${other}"\n---\nAsk it`);
  const { id } = world.seat.agent.session;
  const { model } = world.seat.agent.started;
  strictEqual(await world.type("/ask"), "special");
  strictEqual(world.seat.agent.started.model, model);
  strictEqual(await world.type("and now"), "usual");
  strictEqual(world.seat.agent.session.id, id);
  deepStrictEqual(world.messages(), ["Ask it", "special", "and now", "usual"]);
});
