import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { dirname } from "node:path";
import { type CordonRun, newWorld, type World } from "../helpers/cordon.ts";
import { modelServer } from "../helpers/model_server.ts";
import { hasTerminal } from "../helpers/terminal.ts";

/** Where each layer lies in a world; the work folder is a repository's sub-folder. */
const LAYERS = {
  system: "etc/cordon/config.jsonc",
  user: "home/.config/cordon/config.jsonc",
  root: "work/.cordon/config.jsonc",
  project: "work/sub/.cordon/config.jsonc",
} as const;
type Layer = keyof typeof LAYERS;

Deno.test("the first layer that sets a key decides", async (t) => {
  const all: Record<Layer, string> = {
    system: '{ "model": "system", "max_turns": 4, "approval": "on-escape" }',
    user: '{ "model": "user", "max_turns": 3 }',
    root: '{ "model": "root" }',
    project: '{ "model": "project" }',
  };
  const cases: [name: string, layers: Layer[], trust: boolean, args: string[], model: string][] = [
    ["a flag", ["system", "user", "root", "project"], true, ["-m", "flag"], "flag"],
    ["the closest project file", ["system", "user", "root", "project"], true, [], "project"],
    ["the project's root", ["system", "user", "root"], true, [], "root"],
    ["the person's file", ["system", "user"], false, [], "user"],
    ["the machine's file", ["system"], false, [], "system"],
    [
      "no project file before it is trusted",
      ["system", "user", "root", "project"],
      false,
      [],
      "user",
    ],
  ];
  for (const [name, layers, trust, args, model] of cases) {
    await t.step(name, async () => {
      await using world = await repository();
      for (const layer of layers) await write(world, layer, all[layer]);
      if (trust) strictEqual((await run(world, ["trust"])).code, 0);
      match((await run(world, ["rights", ...args])).stdout, new RegExp(`^model +${model} at`, "m"));
    });
  }
  await t.step("a variable goes before files", async () => {
    await using world = await repository();
    await write(world, "user", all.user);
    const { stdout } = await run(world, ["rights"], { CORDON_MODEL: "variable" });
    match(stdout, /^model +variable at/m);
  });
  await t.step("the first of the machine's folders", async () => {
    await using world = await repository();
    await write(world, "system", all.system);
    await Deno.mkdir(world.join("first/cordon"), { recursive: true });
    await Deno.writeTextFile(world.join("first/cordon/config.jsonc"), '{ "model": "first" }');
    const folders = `${world.join("first")}:${world.join("etc")}`;
    const { stdout } = await run(world, ["rights"], { XDG_CONFIG_DIRS: folders });
    match(stdout, /^model +first at/m);
  });
  await t.step("without a repository no file above the folder", async () => {
    await using world = await repository();
    await Deno.remove(world.join("work/.git"));
    await write(world, "user", all.user);
    await write(world, "root", '{ "max_turns": 1, "model": "root" }');
    const { stdout, stderr } = await run(world, ["rights"]);
    match(stdout, /^model +user at/m);
    doesNotMatch(stderr, /not trusted/);
  });
  await t.step("relative and empty folders of XDG_CONFIG_DIRS count as not there", async () => {
    await using world = await repository();
    await write(world, "system", all.system);
    const { stdout } = await run(world, ["rights"], { XDG_CONFIG_DIRS: ":etc:" });
    match(stdout, /^model +none is set/m);
  });
});

Deno.test("a project's file narrows before it is trusted, and the rest is told in one line", async () => {
  await using world = await repository();
  await write(world, "user", '{ "model": "mine" }');
  await write(
    world,
    "project",
    '{ "approval": "ask", "tools": ["-bash"], "base_url": "http://evil.invalid", "model": "x" }',
  );
  const before = await run(world, ["rights"]);
  match(before.stdout, /^model +mine at api\.openai\.com:443$/m);
  match(before.stdout, /^approval +ask$/m);
  doesNotMatch(before.stdout, /^tools .*bash/m);
  // One line, whatever else there is to say about this machine.
  strictEqual(before.stderr.match(/base_url|trust cordon|cordon trust/g)?.length, 2);
  match(
    before.stderr,
    /^warning: This folder is not trusted, .*: model, base_url passed over; .* cordon trust$/m,
  );
  const trusted = await run(world, ["trust"]);
  match(trusted.stdout, /sub\/\.cordon\/config\.jsonc: model, base_url, tools, approval\n/);
  const after = await run(world, ["rights"]);
  match(after.stdout, /^model +x at evil\.invalid:80$/m);
  doesNotMatch(after.stderr, /trust/);
});

Deno.test("trust holds for a folder and its files as they stood", async (t) => {
  const model = async (world: World) =>
    /^model +(.*)$/m.exec((await run(world, ["rights"])).stdout)?.[1];
  const trusting = async () => {
    const world = await repository();
    await write(world, "project", '{ "model": "theirs" }');
    strictEqual((await run(world, ["trust"])).code, 0);
    strictEqual(await model(world), "theirs at api.openai.com:443");
    return world;
  };
  await t.step("untrust takes it back", async () => {
    await using world = await trusting();
    match((await run(world, ["untrust"])).stdout, /^No longer trusted: /);
    strictEqual(await model(world), "none is set: --model NAME");
  });
  await t.step("a file that changes is unasked again", async () => {
    await using world = await trusting();
    await write(world, "project", '{ "model": "other" }');
    strictEqual(await model(world), "none is set: --model NAME");
  });
  await t.step("a folder reached through a link is the same", async () => {
    await using world = await trusting();
    await Deno.symlink(world.join("work/sub"), world.join("link"));
    const { stdout } = await world.run(["rights", "-C", world.join("link")]);
    match(stdout, /^model +theirs/m);
  });
  await t.step(
    "what is kept is for its owner alone",
    async () => {
      await using world = await trusting();
      const { mode } = await Deno.stat(world.join("home/.local/state/cordon/trust.json"));
      strictEqual((mode ?? 0) & 0o777, 0o600);
    },
  );
  await t.step("nothing to trust is told", async () => {
    await using world = await repository();
    const { code, stderr } = await run(world, ["trust"]);
    deepStrictEqual([code, stderr.startsWith("error: Nothing to trust: ")], [2, true]);
  });
});

Deno.test("a terminal is asked once whether to trust", {
  ignore: !await hasTerminal(),
}, async (t) => {
  for (const [answer, trusted] of [["y", true], ["", false]] as const) {
    await t.step(answer === "" ? "Return alone is a no" : answer, async () => {
      await using world = await repository();
      const model = await world.script({ text: "Hello" });
      await write(world, "project", JSON.stringify({ model, base_url: "http://theirs.invalid" }));
      await write(world, "user", JSON.stringify({ model }));
      const options = { cwd: world.join("work/sub"), env: { NO_COLOR: "1" } };
      const start = () => world.start(["hi"], { ...options, terminal: true });
      const first = await start();
      await first.saw("configuration asks: it sets model, base_url, which it may not");
      await first.saw("theirs.invalid");
      await first.saw("work/sub? [y/N] ");
      await first.write(`${answer}\r`);
      await first.saw("Hello");
      await first.saw("> ");
      await first.write("\x04");
      strictEqual((await first.ended).code, 0);
      const second = await start();
      await second.saw("Hello");
      await second.saw("> ");
      await second.write("\x04");
      doesNotMatch((await second.ended).stdout, /\[y\/N\]/);
      strictEqual((await run(world, ["rights"])).stderr.includes("is not trusted"), !trusted);
    });
  }
});

Deno.test("a profile is asked with its own address, key and headers, and no other's", async () => {
  await using world = await repository();
  await using server = await modelServer([{ text: "ok" }]);
  const config = {
    headers: { "x-other": "secret" },
    providers: {
      here: { base_url: server.url, env_key: "HERE_KEY", headers: { "x-team": "a" }, wire: "chat" },
    },
  };
  await write(world, "user", JSON.stringify(config));
  const env = { HERE_KEY: "key-of-here", OPENAI_API_KEY: "another" };
  const { code, stderr } = await run(world, ["-p", "-m", "here/some/model", "hi"], env);
  strictEqual(code, 0, stderr);
  const [request] = server.requests;
  strictEqual(request?.body.model, "some/model");
  strictEqual(request?.headers.get("authorization"), "Bearer key-of-here");
  strictEqual(request?.headers.get("x-team"), "a");
  strictEqual(request?.headers.get("x-other"), null);
});

Deno.test("mistakes in files are told with their place", async (t) => {
  const cases: [name: string, layer: Layer, text: string, code: number, says: RegExp][] = [
    [
      "no JSON in the project",
      "project",
      '{\n "model" 1 }',
      78,
      /config\.jsonc": .* at line 2, column 10$/m,
    ],
    [
      "a wrong value",
      "system",
      '{ "approval":\n "all" }',
      78,
      /: approval is wrong \(line 2, column 2\): /,
    ],
    [
      "a wrong value of a profile",
      "user",
      '{ "providers": {\n  "a": { "wire": "soap" } } }',
      78,
      /: providers\.a\.wire is wrong \(line 2, column \d+\): /,
    ],
    [
      "an unknown key of a profile",
      "user",
      '{ "providers": {\n  "a": { "base_ulr": "x" } } }',
      0,
      /^warning: Unknown key "base_ulr" .* \(line 2, column \d+\) .*, did you mean "base_url"$/m,
    ],
    ["an unknown key", "root", '{ "maxturns": 1 }', 0, /^warning: .*, did you mean "max_turns"$/m],
  ];
  for (const [name, layer, text, code, says] of cases) {
    await t.step(name, async () => {
      await using world = await repository();
      await write(world, layer, text);
      const ended = await run(world, ["rights"]);
      strictEqual(ended.code, code, ended.stderr);
      match(ended.stderr, says);
    });
  }
  await t.step("a pipe in a repository is not waited for", async () => {
    await using world = await repository();
    await Deno.mkdir(world.join("work/sub/.cordon"));
    const path = world.join(LAYERS.project);
    ok((await new Deno.Command("mkfifo", { args: [path] }).output()).success);
    const { code, stderr } = await run(world, ["rights"]);
    strictEqual(code, 78);
    match(stderr, /: it is no regular file$/m);
  });
});

/** A repository in whose folder `sub` the program runs. */
async function repository(): Promise<World> {
  return await newWorld({ ".git/": "", "sub/a.txt": "one" });
}

function run(world: World, args: string[], env: Record<string, string> = {}): Promise<CordonRun> {
  const cwd = world.join("work/sub");
  return world.run(args, { cwd, env: { XDG_CONFIG_DIRS: world.join("etc"), ...env } });
}

async function write(world: World, layer: Layer, text: string): Promise<void> {
  const path = world.join(LAYERS[layer]);
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.writeTextFile(path, text);
}
