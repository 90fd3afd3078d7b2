import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { calling, newWorld, type World } from "../helpers/cordon.ts";
import { canConfine } from "../helpers/confined.ts";

const confines = await canConfine();

/** How commands run; a file that git does not have is overwritten unasked. */
const GROUNDS: [name: string, args: string[], ignore: boolean][] = [
  ["in a view", ["--approval=all"], !confines],
  ["without a view", ["--profile=off", "--approval=all"], false],
];

/** Every byte that a session has left in the state folder's logs. */
async function logs(world: World): Promise<string> {
  const folder = world.join("home/.local/state/cordon/sessions");
  const names = [...Deno.readDirSync(folder)].filter(({ isFile }) => isFile);
  const texts = names.map(({ name }) => Deno.readTextFile(`${folder}/${name}`));
  return (await Promise.all(texts)).join("");
}

for (const [name, args, ignore] of GROUNDS) {
  Deno.test({
    name: `${name}: what runs by itself is taken out after a command, and accepted by a person`,
    ignore,
  }, async (t) => {
    await using world = await newWorld({ "mise.toml": "mine" });
    const command = "echo evil >.envrc; echo evil >mise.toml; echo fine >a; exit 3";
    const run = await world.play([calling("bash", { command }), { text: "ok" }], args);
    const result = run.events.find(({ type }) => type === "tool_result");
    const isThere = (path: string) =>
      [...Deno.readDirSync(world.work)].some((entry) => entry.name === path);

    await t.step("the model reads it before the markers, the person on stderr", () => {
      match(
        result?.text,
        /^\[".envrc" was taken out .*cordon accept \.envrc\]\n\["mise.toml" is as it was.*\]\n\[exit code: 3\]$/s,
      );
      strictEqual(result?.value.notes.length, 2);
      match(run.stderr, /^"\.envrc" was taken out of the workspace: direnv runs it/m);
    });
    await t.step("the rest is as the command left it", async () => {
      deepStrictEqual([isThere(".envrc"), isThere("a")], [false, true]);
      strictEqual(await Deno.readTextFile(world.join("work/mise.toml")), "mine");
    });
    await t.step("accept lists it", async () => {
      const { stdout, code } = await world.run(["accept"]);
      match(stdout, /^\d{15}-\w+ {2}"\.envrc" {2}5 bytes: direnv runs it/m);
      strictEqual(code, 0);
      const { events } = await world.run(["accept", "--output-format=json"]);
      const files = events[0]?.files.map((file: { path: string }) => file.path);
      deepStrictEqual(files, [".envrc", "mise.toml"]);
    });
    await t.step("accept puts one back", async () => {
      const { code, stdout } = await world.run(["accept", ".envrc"]);
      deepStrictEqual([code, stdout], [0, '".envrc" is back, as the command left it\n']);
      strictEqual(await Deno.readTextFile(world.join("work/.envrc")), "evil\n");
    });
    await t.step("accept overwrites nothing unless told", async () => {
      const refused = await world.run(["accept", "mise.toml"]);
      strictEqual(refused.code, 2);
      match(refused.stderr, /^error: Cannot accept "mise\.toml": there is another file now/m);
      strictEqual(await Deno.readTextFile(world.join("work/mise.toml")), "mine");
      strictEqual((await world.run(["accept", "--replace", "mise.toml"])).code, 0);
      strictEqual(await Deno.readTextFile(world.join("work/mise.toml")), "evil\n");
    });
    await t.step("then nothing is left, and what was accepted stays", async () => {
      strictEqual(
        (await world.run(["accept"])).stdout,
        "Nothing was taken out of this workspace\n",
      );
      const again = await world.play([calling("bash", { command: "true" }), { text: "ok" }], args);
      doesNotMatch(again.stderr, /taken out/);
      strictEqual(isThere(".envrc"), true);
      const unknown = await world.run(["accept", ".envrc"]);
      deepStrictEqual([unknown.code, unknown.stdout], [2, ""]);
    });
  });

  Deno.test({ name: `${name}: secrets of the workspace are not shown`, ignore }, async (t) => {
    const secret = "hush-hush-hush-1";
    const env = `# ours\nAPI_TOKEN=${secret}\nDEBUG=1\n`;
    await using world = await newWorld({ ".env": env });
    const run = await world.play([
      calling("read_file", { path: ".env" }),
      calling("bash", { command: "cat .env; cat .env >&2; base64 -w0 </dev/null" }),
      calling("grep", { pattern: "TOKEN", path: ".env" }),
      calling("edit_file", { path: ".env", old_string: "DEBUG=1", new_string: "DEBUG=0" }),
      calling("edit_file", {
        path: ".env",
        old_string: "API_TOKEN=[redacted: API_TOKEN]",
        new_string: "API_TOKEN=mine",
      }),
      calling("write_file", { path: ".env.new", content: "API_TOKEN=[redacted: API_TOKEN]\n" }),
      { text: `it is ${secret}` },
    ], args);
    const results = run.events.filter(({ type }) => type === "tool_result");

    await t.step("not in the stream, not on stderr, not in the log", async () => {
      strictEqual(run.code, 0, run.stderr);
      for (const text of [run.stdout, run.stderr, await logs(world)]) {
        ok(!text.includes(secret));
      }
      strictEqual(run.events.at(-1)?.text, "it is [redacted: API_TOKEN]");
    });
    await t.step("names are shown", () => {
      match(results[0]?.text, /API_TOKEN=\[redacted: API_TOKEN\]\n.*DEBUG=1/);
      match(results[1]?.text, /API_TOKEN=\[redacted: API_TOKEN\]/);
      match(results[2]?.text, /API_TOKEN=\[redacted: API_TOKEN\]/);
    });
    await t.step("edits beside a secret land, and leave it as it is", async () => {
      const { value } = results[3] ?? {};
      strictEqual(value?.ok, true);
      strictEqual(
        await Deno.readTextFile(world.join("work/.env")),
        env.replace("DEBUG=1", "DEBUG=0"),
      );
    });
    await t.step("an edit of what stands for a secret is told why it misses", () => {
      match(
        results[4]?.text,
        /leave \[redacted: API_TOKEN\] out of old_string: .*\[not edited: not_found\]$/s,
      );
    });
    await t.step("what stands for a secret is never written", () => {
      strictEqual(results[5]?.is_error, true);
      match(results[5]?.text, /^Error: Cannot write \[redacted: API_TOKEN\]: /);
    });
  });
}

Deno.test("the key of the model is shown to nobody", async () => {
  await using world = await newWorld({ "notes.txt": "key sekret-key-of-mine\n" });
  const model = await world.script(calling("read_file", { path: "notes.txt" }), { text: "ok" });
  const args = ["-p", "--output-format=stream-json", "-m", model, "go"];
  const run = await world.run(args, { env: { OPENAI_API_KEY: "sekret-key-of-mine" } });
  const result = run.events.find(({ type }) => type === "tool_result");
  match(result?.text, /key \[redacted: OPENAI_API_KEY\]/);
  ok(!(run.stdout + await logs(world)).includes("sekret-key"));
});

Deno.test(
  "accept takes odd names by their id",
  { ignore: Deno.build.os === "windows" },
  async () => {
    await using world = await newWorld();
    const command = "mkdir $'a\\nb'; : >$'a\\nb/.envrc'";
    const off = ["--profile=off", "--approval=all"];
    await world.play([calling("bash", { command }), { text: "ok" }], off);
    const { stdout } = await world.run(["accept"]);
    const [, id = ""] = /^(\S+) {2}"a\\nb\/\.envrc" /.exec(stdout) ?? [];
    strictEqual((await world.run(["accept", id])).code, 0, stdout);
    strictEqual((await Deno.stat(world.join("work/a\nb/.envrc"))).size, 0);
  },
);

Deno.test("a file tool that writes what runs by itself asks, and nobody can be asked", async () => {
  await using world = await newWorld();
  const write = calling("write_file", { path: ".envrc", content: "x" });
  const run = await world.play([write, { text: "ok" }]);
  strictEqual(run.code, 4);
  match(
    run.events.find(({ type }) => type === "tool_result")?.text,
    /it writes .*\.envrc, and direnv runs it on entering the folder/,
  );
  deepStrictEqual([...Deno.readDirSync(world.work)], []);
});
