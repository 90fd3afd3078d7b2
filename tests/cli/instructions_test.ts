import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { type CordonRun, newWorld, type World } from "../helpers/cordon.ts";
import { modelServer } from "../helpers/model_server.ts";

/** The most that the first request with the default tools may take, in bytes. */
const FIRST_REQUEST_BYTES = 8_000;

Deno.test("AGENTS.md files are read from the project's root down to the folder", async (t) => {
  await using world = await newWorld({
    ".git/HEAD": "",
    "AGENTS.md": "\uFEFFRoot rule\n",
    "sub/AGENTS.md": "Not this one",
    "sub/AGENTS.override.md": "Sub rule",
    "sub/deep/CLAUDE.md": "Deep rule",
    "sub/deep/AGENTS.md": " \n",
    "../home/.config/cordon/AGENTS.md": "Own rule",
    "../AGENTS.md": "Outside the project",
  });
  const system = await systemPromptIn(world, world.join("work/sub/deep"));
  const expected = [
    `From ${world.join("home/.config/cordon/AGENTS.md")}:\nOwn rule`,
    `From ${world.join("work/AGENTS.md")}:\nRoot rule`,
    `From ${world.join("work/sub/AGENTS.override.md")}:\nSub rule`,
    `From ${world.join("work/sub/deep/CLAUDE.md")}:\nDeep rule`,
  ].join("\n\n");
  ok(system.endsWith(`# Instructions of this project\n${expected}`), system);
  await t.step("without a repository only the folder's own", async () => {
    await Deno.remove(world.join("work/.git"), { recursive: true });
    const alone = await systemPromptIn(world, world.join("work/sub"));
    ok(alone.includes("Sub rule") && !alone.includes("Root rule"), alone);
  });
});

Deno.test("AGENTS.md that is large, odd or led astray does no harm", async (t) => {
  await t.step("32 KiB are taken, and the cut is told", async () => {
    await using world = await newWorld({ "AGENTS.md": `${"é".repeat(16_383)}xéEND` });
    const { run, system } = await ask(world, world.work);
    ok(system.endsWith(`${"é".repeat(16_383)}x\n\n[instructions cut at 32 KiB]`));
    match(run.stderr, /^warning: AGENTS\.md files are cut at 32 KiB$/m);
  });
  await t.step("32 KiB whole are no cut", async () => {
    await using world = await newWorld({ "AGENTS.md": "x".repeat(32 * 1024) });
    const { run, system } = await ask(world, world.work);
    ok(system.endsWith("xxx"));
    ok(!run.stderr.includes("32 KiB"));
  });
  await t.step("a link out of the project is not followed, one inside is", async () => {
    await using world = await newWorld({ "docs/rules.md": "Linked rule" });
    await Deno.writeTextFile(world.join("secret.md"), "Secret");
    await Deno.symlink(world.join("secret.md"), world.join("work/AGENTS.override.md"));
    await Deno.symlink("docs/rules.md", world.join("work/AGENTS.md"));
    const system = await systemPromptIn(world, world.work);
    ok(system.endsWith(`From ${world.join("work/AGENTS.md")}:\nLinked rule`), system);
  });
  await t.step("a FIFO, a folder and a dangling link are passed over", async () => {
    await using world = await newWorld({ "AGENTS.md/": "", "GEMINI.md": "The last one" });
    await makeFifo(world.join("work/AGENTS.override.md"));
    await Deno.symlink("nowhere", world.join("work/CLAUDE.md"));
    const system = await systemPromptIn(world, world.work);
    ok(system.endsWith(`From ${world.join("work/GEMINI.md")}:\nThe last one`), system);
  });
});

Deno.test("the first request tells where it is and what is allowed, in less than 8 KB", async () => {
  await using world = await newWorld({ ".git/HEAD": "" });
  const { system, body } = await ask(world, world.work, ["--profile=off"]);
  const bytes = new TextEncoder().encode(JSON.stringify(body)).length;
  ok(bytes < FIRST_REQUEST_BYTES, `${bytes} bytes`);
  deepStrictEqual(Object.keys(body.tools[0].function).sort(), [
    "description",
    "name",
    "parameters",
  ]);
  ok(system.includes(`Workspace: ${world.work} (a git repository)\n`), system);
  match(system, /^Platform: \w+\. Date: \d{4}-\d\d-\d\d$/m);
  match(system, /^File tools reach the workspace and nothing else\.$/m);
  match(system, /^Nobody can be asked here, so only plain reading commands .* run\.$/m);
  ok(!system.includes("Instructions of this project"));
});

Deno.test("the system prompt tells of folders that were opened, and of rights that were not", async () => {
  await using world = await newWorld();
  const more = ["--allow-read=.,../home", "--allow-net"];
  const { system } = await ask(world, world.work, more);
  const folders = `the workspace, ${world.join("home")}`;
  ok(system.includes(`File tools reach ${folders} and nothing else, for reading only.`), system);
  ok(!/reading commands|[Cc]ommands run/.test(system), system);
});

async function systemPromptIn(world: World, cwd: string): Promise<string> {
  return (await ask(world, cwd)).system;
}

// deno-lint-ignore no-explicit-any -- the request's body is looked into by hand
type Asked = { run: CordonRun; body: any; system: string };

/** Runs once, and shows what the model was told. */
async function ask(world: World, cwd: string, more: readonly string[] = []): Promise<Asked> {
  await using server = await modelServer([{ text: "ok" }]);
  const args = ["-p", "-m", "m", `--base-url=${server.url}`, ...more, "hi"];
  const run = await world.run(args, { cwd });
  strictEqual(run.code, 0, run.stderr);
  const body = server.requests[0]?.body;
  return { run, body, system: body.messages[0].content };
}

async function makeFifo(path: string): Promise<void> {
  const { success } = await new Deno.Command("mkfifo", { args: [path] }).output();
  ok(success);
}
