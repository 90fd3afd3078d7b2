import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { eventsOf, newWorld } from "../helpers/cordon.ts";
import { linkPrograms } from "../helpers/programs.ts";

/** Programs without which the demo cannot run; git is not among them. */
const NEEDED = ["bash", "dirname", "cat", "mkdir", "mktemp", "rm"];

Deno.test("cordon demo mends a repository by real tools, and leaves nothing", async () => {
  await using world = await newWorld({ "../tmp/": "" });
  const run = await world.run(["demo"], { env: { TMPDIR: world.join("tmp") } });
  strictEqual(run.code, 0, run.stderr);
  match(run.stdout, /^The tests pass now\./);
  match(run.stderr, /It runs with --approval all, inside this temporary folder of its own\./);
  match(run.stderr, /^\+ {4}total=\$\(\(total \+ price \* count\)\)$/m);
  deepStrictEqual([...Deno.readDirSync(world.join("tmp"))], []);
  deepStrictEqual([...Deno.readDirSync(world.work)], []);
  deepStrictEqual([...Deno.readDirSync(world.join("home"))], []);
});

Deno.test("cordon demo runs without git, too", async () => {
  await using world = await newWorld({ "../tmp/": "" });
  await linkPrograms(world.join("bin"), NEEDED);
  const env = { TMPDIR: world.join("tmp"), PATH: world.join("bin") };
  const run = await world.run(["demo", "--output-format=stream-json"], { env });
  strictEqual(run.code, 0, run.stderr);
  strictEqual(run.events.at(-1)?.reason, "done");
  const [before, ...rest] = eventsOf(run, "tool_result").filter(({ name }) => name === "bash");
  match(before?.text, /^FAIL several of one item: expected 1350, got 450$/m);
  ok(!/FAIL/.test(rest.at(-1)?.text), rest.at(-1)?.text);
  deepStrictEqual([...Deno.readDirSync(world.join("tmp"))], []);
});
