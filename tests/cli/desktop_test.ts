import { match, ok, strictEqual } from "node:assert/strict";
import { calling, type CordonRun, eventsOf, HEADLESS, newWorld } from "../helpers/cordon.ts";
import { linkPrograms } from "../helpers/programs.ts";
import { hasDisplay, xDisplay } from "../helpers/x_display.ts";

const ignore = !await hasDisplay("scrot");

/** The rows of both tools in what `cordon tools` prints. */
function rows({ stdout }: CordonRun): string[] {
  return stdout.split("\n").filter((line) => /^(screenshot|computer) /.test(line));
}

Deno.test({ name: "tools of the screen are offered where there is one", ignore }, async (t) => {
  await using world = await newWorld();
  await linkPrograms(world.join("bin"), ["bash"]);
  const none = /^\w+ +not offered: there is no display: start Cordon in a desktop session/;
  const noProgram = /^\w+ +not offered: no program that takes screenshots is installed \(grim, /;
  const offered = /^\w+ +offered /;
  const cases: [name: string, env: Record<string, string>, args: string[], want: RegExp][] = [
    ["without a display", {}, [], none],
    ["with one", { DISPLAY: ":1" }, [], offered],
    ["without a program", { WAYLAND_DISPLAY: "w", PATH: world.join("bin") }, [], noProgram],
    [
      "without the right",
      { DISPLAY: ":1" },
      ["--allow-read", "--allow-write", "--allow-env", "--allow-run=bwrap,bash"],
      /^\w+ +not offered: --allow-run=scrot\|import\|gnome-screenshot/,
    ],
  ];
  for (const [name, env, args, want] of cases) {
    await t.step(name, async () => {
      const run = await world.run(["tools", "--tools=+screenshot,+computer", ...args], { env });
      const found = rows(run);
      strictEqual(found.length, 2, run.stderr);
      for (const row of found) match(row, want);
    });
  }
});

Deno.test(
  { name: "the smallest line for the screen is one under which it is offered", ignore },
  async () => {
    await using world = await newWorld();
    const model = await world.script({ text: "ok" });
    const args = ["--tools=computer", "-m", model];
    const { stdout } = await world.run(["rights", "--flags", "--tier=3", ...args]);
    match(stdout, /--allow-run=scrot,xdotool,\S+ /);
    match(stdout, / --allow-env=DISPLAY,XAUTHORITY /);
    const flags = stdout.split(" ").filter((word) => word.startsWith("--allow-"));
    const tools = await world.run(["tools", ...args], { flags, env: { DISPLAY: ":1" } });
    match(tools.stdout, /^computer +offered /m);
  },
);

Deno.test({ name: "computer in the whole program", ignore }, async (t) => {
  await using display = await xDisplay();
  await display.show(["xterm", "-T", "Private title", "-e", "cat"], "Private title");
  const env = { DISPLAY: display.name };
  const turns = [
    calling("computer", { action: "focus", window: "private" }),
    calling("computer", { action: "type", text: "sesame-opens" }),
    { text: "ok" },
  ];
  const run = async (world: Awaited<ReturnType<typeof newWorld>>, args: string[]) => {
    const model = await world.script(...turns);
    return await world.run([...HEADLESS, "-m", model, "--tools=+computer", ...args, "go"], { env });
  };

  await t.step("acts where it was allowed, and nothing keeps what was typed", async () => {
    await using world = await newWorld();
    const done = await run(world, ["--approval=all", "--profile=off"]);
    strictEqual(done.code, 0, done.stderr);
    match(done.stdout, /It types 12 characters in a terminal: \\"Private title\\"/);
    strictEqual(done.stdout.includes("sesame"), false);
    const id = eventsOf(done, "session")[0]?.session_id;
    const exported = await world.run(["export", id, "--format=json"]);
    ok(exported.stdout.includes("[12 characters]"), exported.stderr);
    strictEqual(exported.stdout.includes("sesame"), false);
  });
  for (const args of [[], ["--profile=plan"]]) {
    await t.step(`asks, and nobody is there: ${args.join(" ") || "no flags"}`, async () => {
      await using world = await newWorld();
      const refused = await run(world, args);
      strictEqual(refused.code, 4, refused.stderr);
      match(refused.stdout, /it types 12 characters in a terminal/);
      // Nobody said that the model may look.
      strictEqual(refused.stdout.includes("Private title"), false);
    });
  }
});
