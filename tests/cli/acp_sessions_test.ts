import {
  deepStrictEqual,
  match,
  notStrictEqual,
  ok,
  rejects,
  strictEqual,
} from "node:assert/strict";
import {
  type CreateElicitationRequest,
  type CreateElicitationResponse,
  type LoadSessionResponse,
  methods,
  type RequestError,
} from "@agentclientprotocol/sdk";
import { acpEditor, answering, saidIn, type TestEditor, updatesOf } from "../helpers/acp_editor.ts";
import { calling, newWorld } from "../helpers/cordon.ts";
import { hasProgram } from "../helpers/has_program.ts";
import { FAKE_SERVER } from "../helpers/mcp_server.ts";
import { PIXEL } from "../helpers/pixel.ts";

const { session } = methods.agent;
const DONE = { stopReason: "end_turn" };

/** An update without what differs from run to run. */
function told(editor: TestEditor, sessionId: string) {
  const own = editor.updates.filter((update) => update.sessionId === sessionId);
  return own.flatMap((update): unknown[][] => {
    switch (update.sessionUpdate) {
      case "user_message_chunk":
      case "agent_message_chunk":
        return [[
          update.sessionUpdate,
          update.content.type === "text" ? update.content.text : update.content.type,
        ]];
      case "tool_call":
        return [[update.sessionUpdate, update.title, update.status]];
      case "tool_call_update":
        return update.status ? [[update.sessionUpdate, update.status]] : [];
      case "plan":
        return [[update.sessionUpdate, update.entries.length]];
      default:
        return [];
    }
  });
}

Deno.test("a session is listed, loaded with its past, resumed without, and goes on", async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const first = await world.script(
    { text: "I look.", ...calling("read_file", { path: "a.txt" }) },
    calling("todo_write", { todos: [{ content: "mend it", status: "completed" }] }),
    { text: "Done." },
  );
  let id = "";
  {
    await using editor = await acpEditor(world, { args: ["acp", "-m", first] });
    id = await editor.open();
    await editor.agent.request(session.prompt, {
      sessionId: id,
      prompt: [
        { type: "text", text: "mend this" },
        { type: "image", data: PIXEL.toBase64(), mimeType: "image/png" },
      ],
    });
    deepStrictEqual(await editor.agent.request(session.close, { sessionId: id }), {});
    await rejects(editor.prompt(id, "more"), (error: RequestError) => error.code === -32002);
  }
  const second = await world.script({ text: "More." });
  await using editor = await acpEditor(world, { args: ["acp", "-m", second] });
  const { sessions } = await editor.agent.request(session.list, { cwd: world.work });
  deepStrictEqual(sessions.map(({ sessionId, cwd, title }) => ({ sessionId, cwd, title })), [
    { sessionId: id, cwd: world.work, title: "mend this" },
  ]);
  deepStrictEqual((await editor.agent.request(session.list, { cwd: world.path })).sessions, []);
  const wanted = { sessionId: id, cwd: world.work, mcpServers: [] };
  const loaded: LoadSessionResponse = await editor.agent.request(session.load, wanted);
  strictEqual(loaded.modes?.currentModeId, "workspace");
  const past = told(editor, id);
  deepStrictEqual(past, [
    ["user_message_chunk", "mend this"],
    ["user_message_chunk", "image"],
    ["agent_message_chunk", "I look."],
    ["tool_call", "read_file a.txt", "in_progress"],
    ["tool_call_update", "completed"],
    ["tool_call", "todo_write", "in_progress"],
    ["tool_call_update", "completed"],
    ["plan", 1],
    ["agent_message_chunk", "Done."],
  ]);
  deepStrictEqual(await editor.prompt(id, "and more"), DONE);
  deepStrictEqual(told(editor, id).slice(past.length), [["agent_message_chunk", "More."]]);
  // One that is open is opened anew, and says nothing of its past.
  const before = told(editor, id).length;
  await editor.agent.request(session.resume, wanted);
  await editor.until(({ sessionId, sessionUpdate }) =>
    sessionId === id && sessionUpdate === "available_commands_update"
  );
  strictEqual(told(editor, id).length, before);
  const elsewhere = { ...wanted, cwd: world.path };
  await rejects(editor.agent.request(session.load, elsewhere), /it is one of .*work/);
  const unknown = { ...wanted, sessionId: "20200101-000000-none" };
  const missing = (error: RequestError) => error.code === -32002;
  await rejects(editor.agent.request(session.load, unknown), missing);
  await rejects(editor.agent.request(session.load, { ...wanted, sessionId: "../x" }), missing);
});

Deno.test("sessions of several folders work side by side, each in its own", async () => {
  await using world = await newWorld({ "a.txt": "of work\n" });
  const other = world.join("other");
  await Deno.mkdir(other);
  await Deno.writeTextFile(`${other}/a.txt`, "of other\n");
  const model = await world.script(
    calling("read_file", { path: "a.txt" }),
    calling("read_file", { path: world.join("work/a.txt") }),
    calling("read_file", { path: world.join("other/a.txt") }),
    { text: "done" },
  );
  await using editor = await acpEditor(world, { args: ["acp", "-m", model] });
  const ids = await Promise.all([world.work, other].map((folder) => editor.open(folder)));
  notStrictEqual(ids[0], ids[1]);
  const ends = await Promise.all(ids.map((id) => editor.prompt(id, "go")));
  deepStrictEqual(ends, [DONE, DONE]);
  const texts = ids.map((id) =>
    updatesOf(editor, "tool_call_update").filter(({ sessionId }) => sessionId === id)
      .map(({ content }) => JSON.stringify(content))
  );
  const fits = [
    [/of work/, /of work/, /denied: path traversal/],
    [/of other/, /denied: path traversal/, /of other/],
  ];
  for (const [at, patterns] of fits.entries()) {
    for (const [n, pattern] of patterns.entries()) match(texts[at]?.[n] ?? "", pattern);
  }
});

Deno.test("a folder that the process may not reach is refused in a sentence", async () => {
  await using world = await newWorld();
  const model = await world.script({ text: "well" });
  const other = world.join("other");
  await Deno.mkdir(other);
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", model, "--profile=off", "--allow-read=."],
  });
  // What the process was started with is meant from where it was started.
  await editor.open(world.work);
  await rejects(
    editor.open(other),
    /Cannot work in ".*other": .* start cordon acp with --allow-read/,
  );
});

Deno.test("modes narrow at once, and widen with a yes alone", async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const write = calling("write_file", { path: "a.txt", content: "two\n" });
  const model = await world.script(write, { text: "1" }, write, { text: "2" });
  let answer = "no";
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", model],
    permission: (question) => answering(answer)(question),
  });
  const { sessionId, modes } = await editor.agent.request(session.new, {
    cwd: world.work,
    mcpServers: [],
  });
  strictEqual(modes?.currentModeId, "workspace");
  deepStrictEqual(modes?.availableModes.map(({ id }) => id), ["plan", "ask", "workspace"]);
  const setMode = (modeId: string) => editor.agent.request(session.setMode, { sessionId, modeId });
  await setMode("plan");
  deepStrictEqual([editor.permissions.length], [0]);
  await editor.prompt(sessionId, "go");
  strictEqual(await Deno.readTextFile(`${world.work}/a.txt`), "one\n");
  await rejects(setMode("workspace"), /The mode stays "plan": nobody said yes/);
  await rejects(setMode("off"), /There is no mode "off" here/);
  answer = "yes";
  await setMode("ask");
  deepStrictEqual(editor.permissions.length, 2);
  await setMode("ask");
  deepStrictEqual(editor.permissions.length, 2);
});

Deno.test("commands are listed, run, and told where there is none", async () => {
  await using world = await newWorld();
  await Deno.mkdir(world.join("home/.config/cordon/commands"), { recursive: true });
  await Deno.writeTextFile(
    world.join("home/.config/cordon/commands/greet.md"),
    "---\ndescription: greets\nargument-hint: NAME\n---\nSay hello to $ARGUMENTS.\n",
  );
  const model = await world.script({ text: "Hello!" }, { text: "a path" }, { text: "a text" });
  await using editor = await acpEditor(world, { args: ["acp", "-m", model] });
  const id = await editor.open();
  const update = await editor.until(({ sessionUpdate }) =>
    sessionUpdate === "available_commands_update"
  );
  ok(update.sessionUpdate === "available_commands_update");
  const names = update.availableCommands.map(({ name }) => name);
  for (const name of ["undo", "compact", "greet"]) ok(names.includes(name), name);
  for (const name of ["quit", "resume", "new", "fork", "profile"]) ok(!names.includes(name), name);
  deepStrictEqual(update.availableCommands.find(({ name }) => name === "greet"), {
    ...{ name: "greet", description: "greets", input: { hint: "NAME" } },
  });
  for (const text of ["/greet you", "/tmp is full", "//quote", "/todo", "/greeet", "/new"]) {
    deepStrictEqual(await editor.prompt(id, text), DONE);
  }
  const said = saidIn(editor, id);
  match(said, /^Hello!a patha text/);
  match(said, /The todo list is empty/);
  match(said, /There is no command \/greeet: did you mean \/greet\?/);
  match(said, /There is no command \/new/);
});

Deno.test("the model's questions are forms, where the editor has them", async () => {
  await using world = await newWorld();
  const question = { question: "Which one?", options: ["red", "blue"] };
  const model = await world.script(calling("ask_user", question), { text: "done" });
  const cases: [answer: CreateElicitationResponse, want: RegExp][] = [
    [{ action: "accept", content: { choice: "blue" } }, /blue/],
    [{ action: "accept", content: { choice: "red", other: "green" } }, /green/],
    [{ action: "decline" }, /no answer/],
  ];
  let answer: CreateElicitationResponse = { action: "cancel" };
  const forms: CreateElicitationRequest[] = [];
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", model],
    capabilities: { elicitation: { form: {} } },
    form(asked) {
      forms.push(asked);
      return answer;
    },
  });
  for (const [given, want] of cases) {
    answer = given;
    await editor.prompt(await editor.open(), "go");
    match(JSON.stringify(updatesOf(editor, "tool_call_update").at(-1)), want);
  }
  strictEqual(forms[0]?.message, "Which one?");
  match(JSON.stringify(forms[0]), /"enum":\["red","blue"\]/);
  await using other = await acpEditor(world, { args: ["acp", "-m", model] });
  await other.prompt(await other.open(), "go");
  match(JSON.stringify(updatesOf(other, "tool_call_update")), /no tool|unknown tool/i);
});

Deno.test("an editor's MCP servers are used, and what cannot be is told", {
  ignore: !await hasProgram("/usr/bin/python3"),
}, async () => {
  await using world = await newWorld({
    "server.py": await Deno.readTextFile(FAKE_SERVER),
    // A stranger's project: its servers and commands wait for trust, and nobody is asked for it.
    ".cordon/config.jsonc": '{"mcp":{"theirs":{"command":"touch","args":["started"]}}}',
  });
  const model = await world.script(
    calling("mcp__mine__echo", { message: "hi" }),
    { text: "done" },
  );
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", model],
    capabilities: { session: { notices: {} } },
    permission: answering("yes"),
  });
  const { sessionId } = await editor.agent.request(session.new, {
    cwd: world.work,
    mcpServers: [
      { name: "mine", command: "/usr/bin/python3", args: ["server.py", "well"], env: [] },
      { type: "sse", name: "old", url: "http://127.0.0.1:9/sse", headers: [] },
    ],
  });
  deepStrictEqual(await editor.prompt(sessionId, "go"), DONE);
  deepStrictEqual(editor.permissions.map(({ toolCall }) => toolCall.title), [
    "mcp__mine__echo",
  ]);
  match(JSON.stringify(updatesOf(editor, "tool_call_update")), /hi/);
  const notices = updatesOf(editor, "notice").map(({ title }) => title);
  ok(notices.some((title) => /"old" is passed over/.test(title)), notices.join("; "));
  ok(notices.some((title) => /This folder is not trusted/.test(title)), notices.join("; "));
});
