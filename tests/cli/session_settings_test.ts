import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { canConfine } from "../helpers/confined.ts";
import { calling, HEADLESS, newWorld, resultText, type World } from "../helpers/cordon.ts";

/** What the log of a session says of how it was run, in order, and the types of its records. */
async function logOf(world: World, id: string) {
  const run = await world.run(["export", id, "--format", "json"]);
  const records: Record<string, unknown>[] = JSON.parse(run.stdout).records;
  const settings = records.filter(({ type }) => type === "settings");
  return { settings, types: records.map(({ type }) => type) };
}

Deno.test("a log says how its session is run, again only where that changes", async () => {
  await using world = await newWorld();
  const model = await world.script({ text: "Hello" });
  const ask = async (...more: string[]) => {
    const address = "--base-url=http://me:password-0123@127.0.0.1:1/v1";
    const run = await world.run([...HEADLESS, "-m", model, address, ...more, "hi"]);
    strictEqual(run.code, 0, run.stderr);
    return run.events[0]?.session_id as string;
  };
  const id = await ask();
  await ask(`--resume=${id}`);
  const same = await logOf(world, id);
  strictEqual(same.settings.length, 1);
  deepStrictEqual(same.types.slice(0, 3), ["settings", "user", "assistant"]);
  const { profile, approval, tool_format, tools, base_url } = same.settings[0] ?? {};
  deepStrictEqual([profile, approval, tool_format], ["workspace", "on-escape", "native"]);
  strictEqual(base_url, "http://me:[redacted: password]@127.0.0.1:1/v1");
  deepStrictEqual((tools as string[]).includes("read_file"), true);
  await ask(`--resume=${id}`, "--profile=plan", "--approval=deny");
  const changed = await logOf(world, id);
  deepStrictEqual(changed.settings.map(({ profile, approval }) => [profile, approval]), [
    ["workspace", "on-escape"],
    ["plan", "deny"],
  ]);
});

Deno.test("a session under profile plan is replayed so; no log widens a replay (needs a view)", {
  ignore: !await canConfine(),
}, async (t) => {
  // A view has a HOME of its own, and plan lets nothing be written.
  const command = "cat ~/note; echo x >b.txt && echo written";
  const cases: [profile: string, said: RegExp, replay: RegExp][] = [
    ["plan", /note: No such file[^]*Read-only/, /: 1 call, 1 the same, 0 different$/m],
    ["off", /^mine\nwritten$/, /: 1 call, 0 the same, 1 different$/m],
  ];
  for (const [profile, said, replay] of cases) {
    await t.step(profile, async () => {
      await using world = await newWorld();
      await Deno.writeTextFile(world.join("home/note"), "mine\n");
      const model = await world.script(calling("bash", { command }), { text: "Done." });
      const run = await world.run([
        ...HEADLESS,
        "-m",
        model,
        "--approval=all",
        `--profile=${profile}`,
        "look",
      ]);
      match(resultText(run), said);
      const { stdout } = await world.run(["export", run.events[0]?.session_id, "--format", "json"]);
      match(stdout, new RegExp(`"profile": ?"${profile}"`));
      const file = world.join("theirs.json");
      await Deno.writeTextFile(file, stdout);
      match((await world.run(["replay", file, "--approval=all"])).stdout, replay);
    });
  }
});
