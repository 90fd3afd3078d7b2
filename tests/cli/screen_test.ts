import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { calling, newWorld, type Turn, type World } from "../helpers/cordon.ts";
import { hasProgram } from "../helpers/has_program.ts";
import { PIXEL } from "../helpers/pixel.ts";
import { startOnScreen } from "../helpers/tmux_screen.ts";

const ignore = !await hasProgram("tmux", "-V");

/** The line is empty and the agent is there: its status stands at the bottom. */
const READY = /\n>\n.*tier \d/;
/** What is waited for longer has gone wrong, in milliseconds. */
const GUARD_MS = 20_000;

/** Nothing asks. */
const CALM = ["--profile=off", "--approval=all"];

/** A command that runs until the test lets it end, by making a file. */
function untilMade(name: string): Turn {
  return calling("bash", { command: `echo begun; until [ -e ${name} ]; do sleep 0.05; done` });
}

/** The record that ends the one log of a world, once it is of a type. */
async function lastRecord(world: World, type: string): Promise<Record<string, unknown>> {
  const folder = world.join("home/.local/state/cordon/sessions");
  const name = [...Deno.readDirSync(folder)].find(({ name }) => name.endsWith(".jsonl"))?.name;
  const end = Date.now() + GUARD_MS;
  for (;;) {
    const text = await Deno.readTextFile(`${folder}/${name}`);
    const record = JSON.parse(text.trimEnd().split("\n").at(-1) ?? "{}");
    if (record.type === type) return record;
    ok(Date.now() < end, `The log never ended: ${text}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** What the person said, as the logs of a world have it, the parts of a prompt apart. */
async function said(world: World): Promise<Record<string, unknown>[][]> {
  const folder = world.join("home/.local/state/cordon/sessions");
  const logs = [...Deno.readDirSync(folder)].filter(({ name }) => name.endsWith(".jsonl"));
  const texts = await Promise.all(logs.map(({ name }) => Deno.readTextFile(`${folder}/${name}`)));
  return texts.flatMap((text) => text.trimEnd().split("\n"))
    .map((line) => JSON.parse(line))
    .filter(({ type }) => type === "user")
    .map(({ content }) => content);
}

for (const [columns, rows] of [[80, 24], [200, 50]] as const) {
  Deno.test(`a whole session on a screen of ${columns} columns`, { ignore }, async () => {
    await using world = await newWorld();
    const model = await world.script(
      { text: "# Plan\n\nI look **first**.", ...untilMade("go") },
      { text: "Wide 宽字符 and\n\n```\ncode\n```" },
    );
    await using terminal = await startOnScreen(world, ["-m", model, ...CALM], { columns, rows });
    await terminal.saw(READY);
    await terminal.type("hello 宽");
    await terminal.press("Enter");
    await terminal.saw(
      /> hello 宽\n\nPlan\n\nI look first\.\n\n\S bash {2}echo begun; until[^]*Working {2}\d+ s\n>\n/,
    );
    await Deno.writeTextFile(world.join("work/go"), "");
    await terminal.saw(/code\n\n>\n/);
    await terminal.press("C-d");
    await terminal.saw("exit 0 cooked");
    const all = await terminal.everything();
    for (const once of ["> hello 宽", "I look first.", "bash  echo", "Wide 宽字符 and"]) {
      strictEqual(all.split(once).length, 2, all);
    }
    doesNotMatch(all, /Working|Starting|^>$/m);
    for (const line of all.split("\n")) ok(line.length <= columns, line);
  });
}

Deno.test("a question is answered by a key", { ignore }, async (t) => {
  const cases: [key: string, made: boolean][] = [["y", true], ["n", false], ["Enter", false], [
    "Escape",
    false,
  ]];
  await using world = await newWorld();
  const model = await world.script(
    ...cases.flatMap(([key]) => [
      calling("bash", { command: `touch made-${key}` }),
      { text: `went on after ${key}.` },
    ]),
  );
  const args = ["-m", model, "--profile=off"];
  await using terminal = await startOnScreen(world, args);
  await terminal.saw(READY);
  for (const [key, made] of cases) {
    await t.step(key, async () => {
      await terminal.type(`try ${key}`);
      await terminal.press("Enter");
      await terminal.saw(new RegExp(`command: touch made-${key}\\n[^]*Run this\\? \\[y/N\\]\\n`));
      await terminal.press("x", key);
      const screen = await terminal.saw(`went on after ${key}.`);
      strictEqual(screen.includes(`touch made-${key}\n  yes, this once\n`), made, screen);
      await terminal.saw(READY);
      const names = [...Deno.readDirSync(world.work)].map(({ name }) => name);
      strictEqual(names.includes(`made-${key}`), made);
    });
  }
});

Deno.test("who types when a question comes up goes on in the line", { ignore }, async () => {
  await using world = await newWorld();
  const model = await world.script(
    { ...untilMade("go") },
    calling("bash", { command: "touch made" }),
    { text: "The end." },
  );
  // The first call is read-only but for its loop, so both ask.
  await using terminal = await startOnScreen(world, ["-m", model, "--profile=off", "do it"]);
  await terminal.saw("Run this?");
  await terminal.press("y");
  await terminal.saw("begun");
  await Deno.writeTextFile(world.join("work/go"), "");
  // Letters keep coming, as from somebody who does not look up.
  for (let n = 0; !(await terminal.screen()).includes("touch made"); n++) {
    await terminal.type("yy ");
  }
  await terminal.type("yy");
  doesNotMatch(await terminal.screen(), /The end/);
  await terminal.saw("Run this?");
  await terminal.press("C-c");
  await terminal.saw(/interrupted after[^]*> yy yy/);
  deepStrictEqual([...Deno.readDirSync(world.work)].map(({ name }) => name), ["go"]);
});

Deno.test("what is typed while the agent works", { ignore }, async (t) => {
  await using world = await newWorld();
  const model = await world.script(
    untilMade("one"),
    { text: "Heard." },
    { text: "After the turn." },
    untilMade("two"),
    { text: "Never said." },
  );
  await using terminal = await startOnScreen(world, ["-m", model, ...CALM, "begin"]);
  await t.step("Enter tells it at the next boundary, Tab keeps it for after the turn", async () => {
    await terminal.saw("begun");
    await terminal.type("steer");
    await terminal.press("Enter");
    await terminal.saw("told: steer");
    await terminal.type("queued");
    await terminal.press("Tab");
    await terminal.saw("waits: queued");
    await Deno.writeTextFile(world.join("work/one"), "");
    const screen = await terminal.saw("After the turn.");
    match(screen, /> steer\n\nHeard\.\n\n> queued\n\nAfter the turn\./);
    const texts = (await said(world)).map(([part]) => part?.["text"]);
    deepStrictEqual(texts, ["begin", "steer", "queued"]);
  });
  await t.step("Up takes back what waits, and Esc all of it", async () => {
    await terminal.type("again");
    await terminal.press("Enter");
    await terminal.saw(/> again\n[^]*begun/);
    for (const word of ["first", "second"]) {
      await terminal.type(word);
      await terminal.press("Tab");
      await terminal.saw(`waits: ${word}`);
    }
    await terminal.press("Up");
    const screen = await terminal.saw(/\n> second\n/);
    match(screen, /waits: first/);
    doesNotMatch(screen, /waits: second/);
    await terminal.press("Escape");
    await terminal.saw(/interrupted after[^]*\n> first\n {2}second\n/);
    doesNotMatch(await terminal.screen(), /Never said/);
  });
  await t.step("Ctrl-C clears the line, and twice quits", async () => {
    await terminal.press("C-c");
    await terminal.saw(READY);
    await terminal.press("C-c");
    await terminal.saw("exit 130 cooked");
  });
});

Deno.test(
  "commands that wait are not mixed with words when the turn is stopped",
  { ignore },
  async () => {
    await using world = await newWorld();
    const model = await world.script(untilMade("never"), { text: "Never said." });
    await using terminal = await startOnScreen(world, ["-m", model, ...CALM, "begin"]);
    await terminal.saw("begun");
    for (const line of ["!touch made", "and remove it again"]) {
      await terminal.type(line);
      await terminal.press("Tab");
      await terminal.saw(`waits: ${line}`);
    }
    await terminal.press("Escape");
    await terminal.saw(
      /not done, Up brings it back: !touch made\nnot done, Up brings it back: and remove it again\n/,
    );
    await terminal.saw(READY);
    await terminal.press("Up", "Up");
    await terminal.saw(/\n> !touch made\n/);
    deepStrictEqual([...Deno.readDirSync(world.work)], []);
  },
);

Deno.test(
  "a paste of 2 000 lines is one mark in the line, and goes whole",
  { ignore },
  async () => {
    await using world = await newWorld();
    const model = await world.script({ text: "Read it." });
    await using terminal = await startOnScreen(world, ["-m", model]);
    await terminal.saw(READY);
    const long = Array.from({ length: 2_000 }, (_, index) => `line ${index} \t宽`).join("\n");
    await terminal.type("see ");
    await terminal.paste(long);
    await terminal.saw("> see [pasted 2 000 lines]");
    await terminal.paste(" a\nb");
    await terminal.press("Enter");
    await terminal.saw("Read it.");
    match(await terminal.screen(), /> see \[pasted 2 000 lines\] a\n {2}b\n\nRead it\./);
    deepStrictEqual(await said(world), [[{ type: "text", text: `see ${long} a\nb` }]]);
  },
);

Deno.test("a resize keeps what was printed and draws the rest anew", { ignore }, async () => {
  await using world = await newWorld();
  const model = await world.script({ text: "An answer of several words, to be seen." });
  await using terminal = await startOnScreen(world, ["-m", model, "hello"]);
  await terminal.saw(/to be seen\.\n\n>\n/);
  await terminal.type("a line that takes more than twenty columns");
  await terminal.resize(20, 10);
  const narrow = await terminal.saw(/> a line that takes\n +more than twenty\n/);
  for (const line of narrow.split("\n").slice(-4)) ok(line.length <= 20, line);
  await terminal.resize(100, 30);
  await terminal.saw(/> a line that takes more than twenty columns\n.*tier/);
  const all = await terminal.everything();
  for (const once of ["> hello", "An answer of several", "> a line that"]) {
    strictEqual(all.split(once).length, 2, all);
  }
  strictEqual(all.split("a line that takes").length, 2, all);
});

Deno.test("the line has the prompts of earlier sessions, and completes", { ignore }, async () => {
  await using world = await newWorld({ "some_file.txt": "content" });
  for (const prompt of ["first words", "see @some_file.txt"]) {
    const model = await world.script({ text: "Yes." });
    await using terminal = await startOnScreen(world, ["-m", model]);
    await terminal.saw(READY);
    await terminal.type(prompt);
    if (prompt.startsWith("see")) {
      await terminal.press("C-u");
      await terminal.press("Up", "Up");
      await terminal.saw("> first words");
      await terminal.press("C-u");
      await terminal.type("see @somf");
      await terminal.saw(/> see @somf\n> .*some_file\.txt/);
      await terminal.press("Tab");
      await terminal.saw("> see @some_file.txt");
    }
    await terminal.press("Enter");
    await terminal.saw("Yes.");
    await terminal.type("/qui");
    await terminal.saw(/\/quit/);
    await terminal.press("Tab", "Enter");
    await terminal.saw("exit 0 cooked");
  }
  const texts = (await said(world)).map(([part]) => part?.["text"]);
  match(String(texts.find((text) => String(text).startsWith("see"))), /<file [^]*content/);
});

Deno.test("an image goes with the prompt", { ignore }, async () => {
  await using world = await newWorld({
    "with blank.png": PIXEL,
    "two.png": PIXEL,
    "no.png": "text",
  });
  const model = await world.script({ text: "Seen." });
  await using terminal = await startOnScreen(world, ["-m", model, "-i", "two.png"]);
  await terminal.saw("> [image two.png]");
  await terminal.paste(`${world.work}/with\\ blank.png`);
  await terminal.saw("[image two.png] [image with blank.png]");
  await terminal.paste("no.png");
  await terminal.saw("no.png");
  await terminal.press("Enter");
  await terminal.saw("Seen.");
  const [content = []] = await said(world);
  deepStrictEqual(content.map(({ type }) => type), ["text", "image", "image"]);
});

Deno.test("an editor outside writes the line", { ignore }, async () => {
  await using world = await newWorld();
  const model = await world.script({ text: "Read." });
  const script = 'echo "was: $(cat "$1")"; echo "from\noutséde" > "$1"\n';
  await Deno.writeTextFile(world.join("editor"), script);
  const env = { VISUAL: `sh ${world.join("editor")}` };
  await using terminal = await startOnScreen(world, ["-m", model], { env });
  await terminal.saw(READY);
  await terminal.type("draft");
  for (const [shown, ...keys] of [["was: draft\n", "C-g"], ["was: from\nouts", "C-x", "C-e"]]) {
    await terminal.press(...keys);
    await terminal.saw(shown ?? "");
    await terminal.saw(/> from\n {2}outséde\n/);
  }
  await terminal.press("Enter");
  await terminal.saw("Read.");
  deepStrictEqual(await said(world), [[{ type: "text", text: "from\nouts\u00e9de" }]]);
});

Deno.test("an editor outside that fails leaves the line, and it is said", { ignore }, async () => {
  await using world = await newWorld();
  const model = await world.script({ text: "Read." });
  const env = { VISUAL: "false" };
  await using terminal = await startOnScreen(world, ["-m", model], { env });
  await terminal.saw(READY);
  await terminal.type("draft");
  await terminal.press("C-g");
  await terminal.saw(/The editor gave no text back\n\n> draft\n/);
});

Deno.test("the terminal is given back", { ignore }, async (t) => {
  await t.step("when SIGTERM ends the program", async () => {
    await using world = await newWorld();
    const model = await world.script(untilMade("never"), { text: "No." });
    await using terminal = await startOnScreen(world, ["-m", model, ...CALM, "go"]);
    await terminal.saw("begun");
    const children = `/proc/${await terminal.pid()}/task/${await terminal.pid()}/children`;
    Deno.kill(Number(await Deno.readTextFile(children)), "SIGTERM");
    await terminal.saw("exit 143 cooked");
  });
  await t.step("and where it is hung up, the session ends", async () => {
    await using world = await newWorld();
    const model = await world.script(untilMade("never"), { text: "No." });
    {
      await using terminal = await startOnScreen(world, ["-m", model, ...CALM, "go"]);
      await terminal.saw("begun");
    }
    const end = await lastRecord(world, "end");
    strictEqual(end["reason"], "interrupted");
  });
  await t.step("when it cannot start", async () => {
    await using world = await newWorld();
    await using terminal = await startOnScreen(world, ["--base-url=http://127.0.0.1:9", "go"]);
    const screen = await terminal.saw("exit 78 cooked");
    match(screen, /error: No model is set/);
  });
  await t.step("while Ctrl-Z stops it", async () => {
    await using world = await newWorld();
    const model = await world.script({ text: "Back." });
    await using terminal = await startOnScreen(world, ["-m", model]);
    await terminal.saw(READY);
    await terminal.type("kept");
    await terminal.saw("> kept");
    await terminal.press("C-z");
    doesNotMatch(await terminal.saw("stopped cooked"), /> kept/);
    await terminal.press("Enter");
    await terminal.saw("> kept");
    await terminal.press("Enter");
    await terminal.saw("Back.");
  });
});

Deno.test("NO_COLOR leaves the screen without colours and weights", { ignore }, async () => {
  await using world = await newWorld();
  const model = await world.script({ text: "**bold** `code`" });
  for (const env of [{}, { NO_COLOR: "1" }]) {
    await using terminal = await startOnScreen(world, ["-m", model, "hello"], { env });
    await terminal.saw(/code.?\n\n>\n/);
    // deno-lint-ignore no-control-regex -- markup is what is looked for
    strictEqual(/\x1b\[\d/.test(await terminal.markedScreen()), !("NO_COLOR" in env));
  }
});

Deno.test("lines are enough for a terminal that cannot be drawn on", { ignore }, async (t) => {
  const cases: [name: string, args: string[], env: Record<string, string>][] = [
    ["--plain", ["--plain"], {}],
    ["TERM=dumb", [], { TERM: "dumb" }],
  ];
  for (const [name, args, env] of cases) {
    await t.step(name, async () => {
      await using world = await newWorld();
      const model = await world.script({ text: "Plain." });
      await using terminal = await startOnScreen(world, ["-m", model, ...args, "hello"], { env });
      const screen = await terminal.saw(/Plain\.\n[^]*\n>$/);
      match(screen, /Ctrl-D leaves/);
      await terminal.press("C-d");
      await terminal.saw("exit 0 cooked");
    });
  }
});
