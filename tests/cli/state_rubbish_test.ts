import { doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { join } from "node:path";
import { canConfine } from "../helpers/confined.ts";
import { calling, newWorld } from "../helpers/cordon.ts";

/** What can lie where a folder or a file of the state belongs. */
const RUBBISH: Readonly<Record<string, (path: string) => Promise<void>>> = {
  "a file": (path) => Deno.writeTextFile(path, "rubbish"),
  "a folder": (path) => Deno.mkdir(join(path, "x"), { recursive: true }),
  "a link to nothing": (path) => Deno.symlink("/nowhere/at/all", path),
};

type Command = "run" | "undo" | "accept";

const confines = await canConfine();

/** By place and rubbish: what is done, and whether it must say that it cannot. */
const PLACES: readonly (readonly [
  place: string,
  rubbish: string,
  command: Command,
  fails: boolean,
])[] = [
  ["sessions", "a file", "run", true],
  ["sessions", "a link to nothing", "run", true],
  ["views", "a file", "run", true],
  ["views", "a link to nothing", "run", true],
  ["journal", "a file", "run", true],
  ["snapshots", "a file", "undo", true],
  ["snapshots", "a file", "run", false],
  ["snapshots", "a link to nothing", "undo", true],
  ["quarantine", "a file", "accept", false],
  ["cleaned", "a folder", "run", false],
  ["cleaned", "a link to nothing", "run", false],
  ["trust.json", "a folder", "run", false],
  ["agreements.json", "a folder", "run", false],
];

Deno.test("rubbish in the state folder is told in a sentence, and is no bug", async (t) => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const state = join(world.path, "home/.local/state/cordon");
  const write = calling("write_file", { path: "a.txt", content: "two\n" });
  const model = await world.script(write, { text: "done" });
  const run = ["-p", "-m", model, "hi"];
  const commands: Record<Command, string[]> = { run, undo: ["undo"], accept: ["accept"] };
  const first = await world.run(run);
  ok(first.code === 0, first.stderr);
  for (const [place, rubbish, command, fails] of PLACES) {
    await t.step({
      name: `${rubbish} for ${place}: ${command}`,
      ignore: place === "views" && !confines,
      async fn() {
        const path = join(state, place);
        const aside = join(world.path, "aside");
        const isThere = await Deno.lstat(path).then(() => true, () => false);
        if (isThere) await Deno.rename(path, aside);
        await RUBBISH[rubbish]?.(path);
        const { code, stderr } = await world.run(commands[command]);
        await Deno.remove(path, { recursive: true });
        if (isThere) await Deno.rename(aside, path);
        doesNotMatch(stderr, /bug in Cordon|^ +at /m);
        strictEqual(code, fails ? 1 : 0, stderr);
        if (fails) match(stderr, new RegExp(`^error: Cannot .* "[^"]*/${place}[/"]`, "m"));
      },
    });
  }
});
