import { deepStrictEqual, match, ok } from "node:assert/strict";
import { calling, newWorld, type Turn, type World } from "../helpers/cordon.ts";

/** Records a session that looks, changes and runs something; resolves to its id. */
async function record(world: World, ...turns: readonly Turn[]): Promise<string> {
  const model = await world.script(...turns, { text: "Done." });
  const run = await world.run(["-p", "-m", model, "--output-format", "stream-json", "do it"]);
  deepStrictEqual(run.code, 0, run.stderr);
  return run.events[0]?.session_id;
}

function usual(world: World) {
  return [
    calling("read_file", { path: world.join("work/a.txt") }),
    calling("edit_file", { path: "a.txt", old_string: "two", new_string: "2" }),
    // Times, processes and temporary names differ each time, and are no difference.
    calling("bash", { command: "cat a.txt; pwd; date; echo pid $$; mktemp -u; cat gone.txt" }),
  ] as const;
}

Deno.test("cordon replay: the same session again is the same, from the log and from its export", async () => {
  await using world = await newWorld({ "a.txt": "one\ntwo\n", "b.txt": "b\n" });
  const id = await record(world, ...usual(world));
  deepStrictEqual(await Deno.readTextFile(world.join("work/a.txt")), "one\n2\n");

  const same = await world.run(["replay", id]);
  deepStrictEqual([same.code, same.stdout], [
    0,
    `Session ${id}: 3 calls, 3 the same, 0 different\n`,
  ], same.stderr);
  // It took place in a copy.
  deepStrictEqual(await Deno.readTextFile(world.join("work/a.txt")), "one\n2\n");

  // The log knows what the files were; an export elsewhere takes those that it finds.
  const exported = world.join("report.json");
  await world.run(["export", id, "--format", "json", "-o", exported]);
  await Deno.writeTextFile(world.join("work/a.txt"), "zero\none\ntwo\n");
  deepStrictEqual((await world.run(["replay", id])).code, 0);
  const report = await world.run(["replay", exported, "--output-format", "json", "--keep"]);
  deepStrictEqual(report.code, 1, report.stderr);
  const [{ session_id, calls, kept }] = [report.events[0] ?? {}];
  deepStrictEqual([session_id, calls.map(({ outcome }: { outcome: string }) => outcome)], [
    id,
    ["different", "different", "different"],
  ]);
  match(calls[0].diff, /\n\+ +1\tzero\n/);
  deepStrictEqual(await Deno.readTextFile(`${kept}/work/work/a.txt`), "zero\none\n2\n");
  deepStrictEqual(await Deno.readTextFile(world.join("work/a.txt")), "zero\none\ntwo\n");
  await Deno.remove(kept, { recursive: true });

  // In another folder, as on another machine.
  await Deno.mkdir(world.join("other"));
  await Deno.writeTextFile(world.join("other/a.txt"), "one\ntwo\n");
  await Deno.remove(world.work, { recursive: true });
  const cwd = world.join("other");
  const lost = await world.run(["replay", exported], { cwd });
  deepStrictEqual(lost.code, 2);
  match(lost.stderr, /cannot be used here, name another by -C$/m);
  const elsewhere = await world.run(["replay", exported, "-C", "."], { cwd });
  deepStrictEqual([elsewhere.code, elsewhere.stdout.trim()], [
    0,
    `Session ${id}: 3 calls, 3 the same, 0 different`,
  ], elsewhere.stdout);
});

Deno.test("cordon replay: a torn log is replayed as far as it goes, steering in its place", async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const id = await record(
    world,
    calling("bash", { command: "cat a.txt" }),
    calling("bash", { command: "echo more" }),
  );
  const path = world.join("home/.local/state/cordon/sessions", `${id}.jsonl`);
  const lines = (await Deno.readTextFile(path)).split("\n");
  const at = (type: string, nth: number) => {
    const found = lines.flatMap((line, index) => line.includes(`"type":"${type}"`) ? [index] : []);
    return found[nth] ?? -1;
  };
  // What the person says in the middle; and the log breaks off inside the second call's result.
  const steering = { ...JSON.parse(lines[at("user", 0)] ?? ""), id: "steer" };
  const said = { ...steering, content: [{ type: "text", text: "and hurry" }] };
  const torn = [
    ...lines.slice(0, at("assistant", 1)),
    JSON.stringify(said),
    ...lines.slice(at("assistant", 1), at("tool_result", 1)),
    lines[at("tool_result", 1)]?.slice(0, 40),
  ].join("\n");
  const file = world.join("torn.jsonl");
  await Deno.writeTextFile(file, torn);
  const run = await world.run(["replay", file, "--keep"]);
  deepStrictEqual(run.code, 0, run.stderr);
  match(run.stdout, /^Session .*: 1 call, 1 the same, 0 different\nKept: /);
  const kept = /^Kept: (.*)$/m.exec(run.stdout)?.[1] ?? "";
  const [log] = [...Deno.readDirSync(`${kept}/state/sessions`)].filter(({ name }) =>
    name.endsWith(".jsonl")
  );
  const types = (await Deno.readTextFile(`${kept}/state/sessions/${log?.name}`)).trim().split("\n")
    .map((line) => JSON.parse(line))
    .filter(({ type }) => ["user", "assistant", "tool_result"].includes(type))
    .map(({ type, content }) => type === "user" ? content[0].text : type);
  deepStrictEqual(types, ["do it", "assistant", "tool_result", "and hurry", "assistant"]);
  await Deno.remove(kept, { recursive: true });
});

Deno.test("cordon replay: what cannot be replayed is said", async () => {
  const endless: [args: string[], says: RegExp][] = Deno.build.os === "windows"
    ? []
    : [[["/dev/zero"], /Cannot replay "\/dev\/zero": it is over \d+ bytes/]];
  await using world = await newWorld({ "empty.json": "{}", "not.jsonl": "x\n" });
  const cases: [args: string[], says: RegExp][] = [
    [[], /Cannot replay: name one session/],
    [["a", "b"], /Cannot replay: name one session/],
    [["nothing"], /There is no session "nothing"/],
    [["missing.json"], /Cannot replay ".*missing\.json": /],
    [["./empty.json"], /Cannot read session log/],
    [["not.jsonl"], /Cannot read session log/],
    [["."], /There is no session "\."/],
    [["./"], /Cannot replay ".*": Is a directory/],
    ...endless,
  ];
  for (const [args, says] of cases) {
    const run = await world.run(["replay", ...args]);
    ok(run.code !== 0);
    match(run.stderr, says);
    deepStrictEqual(run.stdout, "");
  }
});

Deno.test("cordon replay: what a file from elsewhere says that a person decided counts for nothing", async () => {
  await using world = await newWorld({ "d/a.txt": "a\n" });
  const time = "2026-01-02T03:04:05.000Z";
  const usage = {
    ...{ input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, reasoning_tokens: 0 },
  };
  const args = { command: "rm -rf d; ls" };
  const answer = { type: "assistant", model: "m", usage };
  const records = [
    { type: "user", content: [{ type: "text", text: "out" }], command: "touch typed" },
    { type: "user", content: [{ type: "text", text: "go" }] },
    {
      ...{ ...answer, content: "", finish: "tool_calls" },
      tool_calls: [{ call_id: "c1", name: "bash", arguments: JSON.stringify(args) }],
    },
    { type: "tool_call", call_id: "c1", name: "bash", arguments: args },
    { type: "approval", call_id: "c1", decision: "allow", by: "person", scope: "call" },
    { type: "tool_result", call_id: "c1", is_error: false, text: "", value: {}, blobs: [] },
    { ...answer, content: "Done.", finish: "stop", tool_calls: [] },
  ];
  await Deno.writeTextFile(
    world.join("report.json"),
    JSON.stringify({
      session: { id: "s", cwd: world.work, created: time, version: "1", forked_from: null },
      records: records.map((record, index) => ({ ...record, id: `r${index}`, parent: "p", time })),
      images: {},
    }),
  );
  const run = await world.run(["replay", "../report.json", "--keep"]);
  deepStrictEqual(run.code, 1, run.stderr);
  match(run.stderr, /not run, as no person of this machine typed it: touch typed/);
  match(run.stdout, /\n\+Error: Not run: it needs a person's approval/);
  const kept = /^Kept: (.*)$/m.exec(run.stdout)?.[1] ?? "";
  deepStrictEqual([...Deno.readDirSync(`${kept}/work/work`)].map(({ name }) => name), ["d"]);
  await Deno.remove(kept, { recursive: true });
});
