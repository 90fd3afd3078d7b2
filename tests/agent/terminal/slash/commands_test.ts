import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { UsageError } from "../../../../agent/command_line/parse.ts";
import { modelCommand } from "../../../../agent/terminal/slash/built_in/model.ts";
import { deskWorld } from "../../../helpers/desk_world.ts";

Deno.test("a prompt is a task, a slash alone lists, and so does /help", async () => {
  await using world = await deskWorld({}, [{ text: "Hello" }]);
  strictEqual(await world.type("hi"), "Hello");
  const list = await world.type("/");
  match(list, /^ {2}\/model \[NAME\] +show the model/m);
  match(list, /^ {2}!COMMAND/m);
  ok(!list.includes("/exit"), list);
  strictEqual(await world.type("/help"), list);
  strictEqual(await world.type("   "), "");
  strictEqual(world.requests.length, 1);
});

Deno.test("unknown commands name the nearest, and arguments that nothing takes are refused", async (t) => {
  await using world = await deskWorld();
  const cases: [line: string, want: RegExp][] = [
    ["/modle x", /^! There is no command \/modle: did you mean \/model\?/],
    ["/zzzzzz", /^! There is no command \/zzzzzz: \/help lists them/],
    ["/cost now", /^! \/cost takes nothing behind it$/],
    ["/quit please", /^! \/quit takes nothing behind it$/],
    ["/undo x", /^! Cannot undo "x": it takes a number of tasks, or none$/],
    ["/undo 0", /^! Cannot undo "0"/],
    ["/fork --at 0", /^! Cannot fork "--at 0"/],
    ["/fork soon", /^! Cannot fork "soon"/],
    ["/profile wide", /^! Cannot take profile "wide": there are plan, workspace, /],
    ["/rename", /^! Cannot rename the session: give a name/],
    ["/resume nobody", /^! There is no session "nobody"/],
  ];
  for (const [line, want] of cases) {
    await t.step(line, async () => match(await world.type(line), want));
  }
  deepStrictEqual([world.requests.length, world.hasLeft], [0, false]);
});

Deno.test("paths and doubled slashes are prompts", async (t) => {
  const turns = Array.from({ length: 4 }, () => ({ text: "ok" }));
  await using world = await deskWorld({}, turns);
  const cases: [line: string, prompt: string][] = [
    ["/etc/passwd is what?", "/etc/passwd is what?"],
    ["/tmp is full", "/tmp is full"],
    ["//help me", "/help me"],
    [" /help me", " /help me"],
  ];
  for (const [line, prompt] of cases) {
    await t.step(line, async () => {
      strictEqual(await world.type(line), "ok");
      strictEqual(world.messages().at(-2), prompt);
    });
  }
});

Deno.test("/quit and /exit leave", async (t) => {
  for (const line of ["/quit", "/exit"]) {
    await t.step(line, async () => {
      await using world = await deskWorld();
      strictEqual(world.hasLeft, false);
      await world.type(line);
      strictEqual(world.hasLeft, true);
    });
  }
});

Deno.test("/model tells the model, and exchanges it in the same session", async () => {
  await using world = await deskWorld({}, [{ text: "from the first" }]);
  match(await world.type("/model"), /^scripted:.*script-1\.json\n\/model NAME goes on/);
  await world.type("remember this");
  const { id } = world.seat.agent.session;
  const other = await world.script({ text: "from the second" });
  match(await world.type(`/model ${other}`), /^The model is scripted:.*script-2\.json now$/);
  strictEqual(world.seat.agent.session.id, id);
  strictEqual(await world.type("and now"), "from the second");
  deepStrictEqual(world.messages(), [
    "remember this",
    "from the first",
    "and now",
    "from the second",
  ]);
});

Deno.test("/model lists what the server has, or says why it cannot", async (t) => {
  const answers: [name: string, respond: () => Response, want: RegExp][] = [
    ["a list", () => Response.json({ data: [{ id: "small" }, { id: "large" }] }), /small, large\n/],
    [
      "no list",
      () => new Response("no", { status: 404 }),
      /unknown: the server lists none \(404\)\n/,
    ],
    [
      "a long list",
      () => Response.json({ data: Array.from({ length: 300 }, (_, n) => ({ id: `m${n}` })) }),
      /m39, and 260 more\n/,
    ],
  ];
  let respond: () => Response = () => new Response();
  await using server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    () => respond(),
  );
  const url = `http://127.0.0.1:${server.addr.port}/v1`;
  await using world = await deskWorld({}, [], { model: "small", "base-url": url });
  for (const [name, answer, want] of answers) {
    await t.step(name, async () => {
      respond = answer;
      const shown = await world.type("/model");
      match(shown, want);
      match(shown, /^small at 127\.0\.0\.1:\d+\n {2}models {3}/);
    });
  }
});
Deno.test("/model completes what the server has, once it is known", async () => {
  let asked = 0;
  let answers = false;
  await using server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, () => {
    asked++;
    return answers
      ? Response.json({ data: [{ id: "small" }, { id: "large" }] })
      : new Response("no", { status: 503 });
  });
  const url = `http://127.0.0.1:${server.addr.port}/v1`;
  await using world = await deskWorld({}, [], { model: "small", "base-url": url });
  const labels = async () =>
    (await modelCommand.arguments?.(world.desk) ?? []).map(({ label }) => label);
  deepStrictEqual(await labels(), []);
  answers = true;
  deepStrictEqual(await labels(), ["small", "large"]);
  // It is kept, and not asked for with every key.
  answers = false;
  deepStrictEqual([await labels(), asked], [["small", "large"], 2]);
});

Deno.test("/model keeps the present model where the other cannot be had", async () => {
  await using world = await deskWorld({}, [{ text: "one" }, { text: "two" }]);
  await world.type("first");
  const { id } = world.seat.agent.session;
  world.refuse = ({ model }) => model === "m" ? new UsageError("No such model") : undefined;
  strictEqual(await world.type("/model m"), "! No such model");
  strictEqual(world.seat.agent.session.id, id);
  // The old one came back, and its script begins anew.
  strictEqual(await world.type("second"), "one");
  deepStrictEqual(world.messages(), ["first", "one", "second", "one"]);
});

Deno.test("a change that shows to be impossible leaves the agent where it is", async () => {
  await using world = await deskWorld();
  const { agent } = world.seat;
  await Deno.writeTextFile(world.join("home/.config/cordon/config.jsonc"), "{");
  match(await world.type("/model m"), /^! .*config\.jsonc/);
  match(await world.type("/new"), /^! .*config\.jsonc/);
  strictEqual(world.seat.agent, agent);
});

Deno.test("where the old agent cannot be had back either, the conversation ends", async () => {
  await using world = await deskWorld();
  world.refuse = () => new UsageError("Nothing can be had");
  await rejects(world.type("/model m"), { message: "Nothing can be had" });
  strictEqual(world.seat.isEmpty, true);
});

Deno.test("without a log nothing is exchanged but for a new session", async () => {
  await using world = await deskWorld({}, [{ text: "one" }], { "no-session": true });
  await world.type("first");
  match(await world.type(`/model ${await world.script()}`), /^! Cannot change that here: no log/);
  match(await world.type("/fork"), /^! Cannot change that here: no log/);
  match(await world.type("/export"), /^! Cannot export this session: no log/);
  match(await world.type("/resume x"), /^! Cannot resume a session: no log/);
  deepStrictEqual(world.messages(), ["first", "one"]);
  await world.type("/new");
  deepStrictEqual(world.messages(), []);
});

Deno.test("/profile tells, narrows unasked, and widens only after a yes", async () => {
  await using world = await deskWorld({}, [], { profile: "off" });
  const profile = () => world.seat.agent.enclosure.rights.confinement.profile;
  match(await world.type("/profile"), /^\* off +anything: nothing confines them$/m);
  match(await world.type("/profile off"), /is off already/);
  match(await world.type("/profile plan"), /The profile is plan now$/);
  ok(!world.seat.agent.enclosure.offered.some(({ name }) => name === "edit_file"));
  strictEqual(await world.type("/profile off"), "The profile stays plan");
  strictEqual(profile(), "plan");
  world.answers = [true];
  match(await world.type("/profile off"), /The profile is off now$/);
  strictEqual(profile(), "off");
});

Deno.test("/resume goes to another session, by choice or by a part of its name", async () => {
  await using world = await deskWorld({}, [{ text: "answered" }]);
  await world.type("the first thing");
  await world.type("/rename blue");
  const first = world.seat.agent.session.id;
  match(await world.type("/resume"), /There is no other session/);
  await world.type("/new");
  const second = world.seat.agent.session.id;
  await world.type("another thing");
  world.answers = [0];
  const shown = await world.type("/resume");
  match(shown, /Session blue \(.*\) goes on, after 1 turn\n> the first thing\nanswered$/);
  deepStrictEqual(world.offered[0]?.map(({ label }) => label), ["blue"]);
  strictEqual(world.seat.agent.session.id, first);
  match(await world.type("/resume blue"), /That session is this one/);
  match(await world.type(`/resume ${second}`), /> another thing/);
  strictEqual(world.seat.agent.session.id, second);
  strictEqual(await world.type("/resume"), "");
  strictEqual(world.seat.agent.session.id, second);
});

Deno.test("/resume of a session that is open elsewhere stays where it is", async () => {
  await using world = await deskWorld({}, [{ text: "one" }]);
  await world.type("hello");
  const { id } = world.seat.agent.session;
  await world.type("/new");
  const log = await Deno.open(world.join("state", "sessions", `${id}.jsonl`), { read: true });
  await log.lock(true);
  match(await world.type(`/resume ${id}`), /^! Cannot /);
  log.close();
  match(await world.type(`/resume ${id}`), /goes on/);
});

Deno.test("/fork goes on in a copy, whole or from before a message", async () => {
  await using world = await deskWorld({}, [{ text: "one" }, { text: "two" }]);
  await world.type("first");
  await world.type("second");
  const { id } = world.seat.agent.session;
  match(await world.type("/fork"), new RegExp(`/resume ${id} goes back$`));
  const copy = world.seat.agent.session;
  deepStrictEqual([copy.id === id, copy.header.parent], [false, id]);
  deepStrictEqual(world.messages(), ["first", "one", "second", "two"]);
  await world.type("/fork --at 2");
  deepStrictEqual(world.messages(), ["first", "one"]);
  match(await world.type("/fork 9"), /^! Cannot fork at message 9: the session has 1 of yours/);
  deepStrictEqual(world.messages(), ["first", "one"]);
});

Deno.test("/undo takes back what a task did, /redo brings it back", async () => {
  const edit = {
    tool_calls: [{ name: "write_file", arguments: { path: "a.txt", content: "two\n" } }],
  };
  await using world = await deskWorld({ "work/a.txt": "one\n" }, [edit, { text: "done" }]);
  const read = () => Deno.readTextFile(world.join("work", "a.txt"));
  match(await world.type("/undo"), /nothing to undo/);
  await world.type("change it");
  strictEqual(await read(), "two\n");
  match(await world.type("/undo"), /restore +a\.txt\n[^]*\/redo brings it back/);
  strictEqual(await read(), "one\n");
  match(await world.type("/redo"), /restore +a\.txt/);
  strictEqual(await read(), "two\n");
});

Deno.test("/rights, /tools, /cost and /todo tell", async () => {
  const todo = {
    tool_calls: [{
      name: "todo_write",
      arguments: { todos: [{ content: "sweep", status: "in_progress" }] },
    }],
  };
  await using world = await deskWorld({}, [todo, { text: "planned" }]);
  strictEqual(await world.type("/todo"), "The todo list is empty");
  await world.type("plan it");
  strictEqual(await world.type("/todo"), "0 of 1 done\n[~] sweep");
  match(await world.type("/rights"), /^sandbox: tier .* - profile off\n/);
  match(await world.type("/tools"), /^bash +offered/m);
  match(await world.type("/cost"), /^2 turns, \d+ tokens in, \d+ out, cost \?: no prices/);
});

Deno.test("/rename names the session, and refuses what is no name", async () => {
  await using world = await deskWorld();
  const name = () => world.seat.agent.session.conversation.name;
  strictEqual(await world.type("/rename my work"), 'This session is "my work" now');
  strictEqual(name(), "my work");
  match(await world.type("/rename a\x1b[31mb"), /^! Cannot name ".*" so: a name is plain text/);
  match(await world.type(`/rename ${"x".repeat(101)}`), /^! Cannot name/);
  strictEqual(name(), "my work");
  strictEqual(await world.type('/rename ""'), "This session has no name now");
  strictEqual(name(), undefined);
});

Deno.test("/export writes a new file in the format of its name", async () => {
  await using world = await deskWorld({}, [{ text: "Answer" }]);
  await world.type("question");
  const read = (name: string) => Deno.readTextFile(world.join("work", name));
  await world.type("/export talk.html");
  match(await read("talk.html"), /^<!doctype html>/i);
  match(
    await world.type("/export talk.html"),
    /^! Cannot write ".*talk\.html": it is there already/,
  );
  match(await world.type("/export --force talk.html"), /^This session is in /);
  await world.type("/export");
  match(await read(`cordon-${world.seat.agent.session.id}.md`), /question[^]*Answer/);
  match(await world.type("/export no/where.md"), /^! Cannot write/);
});

Deno.test("/compact puts a summary in the place of what was said, or says why not", async () => {
  const long = "word ".repeat(4_000);
  const turns = [...Array(6).fill({ text: long }), { text: "They talked about words." }];
  await using world = await deskWorld({}, [...turns, { text: "on" }]);
  match(await world.type("/compact"), /^! Not compacted: /);
  for (let i = 1; i <= 6; i++) await world.type(`question ${i}`);
  match(
    await world.type("/compact keep the words"),
    /^older turns are summed up: about \d+ tokens are now \d+$/,
  );
  match(world.messages()[0] ?? "", /They talked about words\./);
  strictEqual(await world.type("go on"), "on");
});
