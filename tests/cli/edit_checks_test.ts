import { deepStrictEqual, doesNotMatch, match, strictEqual } from "node:assert/strict";
import { canConfine } from "../helpers/confined.ts";
import { eventsOf, newWorld, type Turn } from "../helpers/cordon.ts";

const FORMAT = ["sh", "-c", 'tr A-Z a-z <"$1" >"$1.new" && mv "$1.new" "$1"', "lower", "$FILE"];

const CONFIG = {
  format: [{ match: "*.txt", command: FORMAT }],
  diagnostics: [{ match: "*.txt", command: ["sh", "-c", '! grep -n bug "$1"', "grep", "$FILE"] }],
};

const edit = (old_string: string, new_string: string) => ({
  name: "edit_file",
  arguments: { path: "a.txt", old_string, new_string },
});

/** Two edits in one answer: the second is planned when the first has been formatted. */
const TURNS: readonly Turn[] = [
  { tool_calls: [edit("one", "NEW BUG"), edit("two", "three")] },
  { text: "done" },
];

Deno.test("edits are formatted and checked; the change is ours for the next edit and for undo", async () => {
  await using world = await newWorld({ "a.txt": "one\nold bug\ntwo\n" });
  const folder = world.join("home/.config/cordon");
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(`${folder}/config.jsonc`, JSON.stringify(CONFIG));
  const run = await world.play(TURNS);
  strictEqual(run.code, 0, run.stderr);
  const [first = "", second = ""] = eventsOf(run, "tool_result").map(({ text }) => String(text));
  match(
    first,
    /\[a\.txt was formatted by sh -c; what that changed:\]\n(.*\n)*-NEW BUG\n\+new bug\n/,
  );
  match(first, /\[new problems after this edit, by sh -c:\]\n1:new bug$/);
  doesNotMatch(second, /problems|formatted|\[not edited/);
  const text = () => Deno.readTextFile(world.join("work/a.txt"));
  strictEqual(await text(), "new bug\nold bug\nthree\n");
  const undone = await world.run(["undo"]);
  deepStrictEqual([undone.code, await text()], [0, "one\nold bug\ntwo\n"], undone.stderr);
});

Deno.test("a project's own checks run once the folder is trusted, and confined", {
  ignore: !await canConfine(),
}, async () => {
  const files = { "a.txt": "one\ntwo\n", ".cordon/config.jsonc": JSON.stringify(CONFIG) };
  await using world = await newWorld(files);
  const before = await world.play(TURNS);
  match(before.stderr, /not trusted.*format, diagnostics passed over/);
  strictEqual(await Deno.readTextFile(world.join("work/a.txt")), "NEW BUG\nthree\n");
  strictEqual((await world.run(["trust"])).code, 0);
  await Deno.writeTextFile(world.join("work/a.txt"), "one\ntwo\n");
  strictEqual((await world.play(TURNS)).code, 0);
  strictEqual(await Deno.readTextFile(world.join("work/a.txt")), "new bug\nthree\n");
  await Deno.writeTextFile(world.join("work/a.txt"), "one\ntwo\n");
  const loose = await world.play(TURNS, ["--profile=off"]);
  match(loose.stderr, /what the project sets is passed over: format, diagnostics/);
  strictEqual(await Deno.readTextFile(world.join("work/a.txt")), "NEW BUG\nthree\n");
});
