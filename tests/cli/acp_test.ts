import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { type ContentBlock, methods, type RequestError } from "@agentclientprotocol/sdk";
import { acpEditor, answering, saidIn, updatesOf } from "../helpers/acp_editor.ts";
import { calling, newWorld } from "../helpers/cordon.ts";
import { modelServer } from "../helpers/model_server.ts";
import { PIXEL } from "../helpers/pixel.ts";

const { session } = methods.agent;

Deno.test("a prompt becomes text, calls with their files, a diff, a plan and an end", async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const path = `${world.work}/a.txt`;
  const model = await world.script(
    { text: "I look.", ...calling("read_file", { path: "a.txt" }) },
    calling("edit_file", { path: "a.txt", old_string: "one", new_string: "two" }),
    calling("todo_write", { todos: [{ content: "mend it", status: "in_progress" }] }),
    calling("bash", { command: "echo hello" }),
    { text: "Done." },
  );
  // Without a kernel view the command is asked for.
  const permission = answering("yes");
  await using editor = await acpEditor(world, { args: ["acp", "-m", model], permission });
  const id = await editor.open();
  deepStrictEqual(await editor.prompt(id, "mend a.txt"), { stopReason: "end_turn" });
  strictEqual(saidIn(editor, id), "I look.Done.");
  const calls = updatesOf(editor, "tool_call").map(({ title, name, kind, status, locations }) => ({
    ...{ title, name, kind, status, locations },
  }));
  const status = "in_progress";
  deepStrictEqual(calls, [
    { title: "read_file a.txt", name: "read_file", kind: "read", status, locations: [{ path }] },
    { title: "edit_file a.txt", name: "edit_file", kind: "edit", status, locations: [{ path }] },
    { title: "todo_write", name: "todo_write", kind: "think", status, locations: [] },
    { title: "echo hello", name: "bash", kind: "execute", status, locations: [] },
  ]);
  const ends = updatesOf(editor, "tool_call_update").filter(({ status }) => status === "completed");
  deepStrictEqual(ends.map(({ content, locations }) => ({ content, locations })), [
    { content: [textContent("```\n     1\tone\n```")], locations: undefined },
    {
      content: [{ type: "diff", path, oldText: "one\n", newText: "two\n" }],
      locations: [{ path, line: 1 }],
    },
    { content: [textContent(TODO_TEXT)], locations: undefined },
    { content: [textContent("```\nhello\n```")], locations: undefined },
  ]);
  const [plan] = updatesOf(editor, "plan");
  deepStrictEqual(plan?.entries, [
    { content: "mend it", status: "in_progress", priority: "medium" },
  ]);
  strictEqual(updatesOf(editor, "session_info_update")[0]?.title, "mend a.txt");
  strictEqual(await Deno.readTextFile(path), "two\n");
  await editor.leave();
  const { code, rubbish } = await editor.ended;
  deepStrictEqual({ code, rubbish }, { code: 0, rubbish: [] });
});

const TODO_TEXT = "```\nTodo list updated, 1 item:\n- [~] mend it\n```";

function textContent(text: string) {
  return { type: "content", content: { type: "text", text } };
}

Deno.test("text and thought come in pieces, once, and usage is told", async () => {
  await using world = await newWorld();
  await using server = await modelServer([
    { reasoning: "Hm, well.", text: "It is so.", usage: { input: 40, output: 2 } },
  ]);
  await configure(world, { context_window: 1000, base_url: server.url });
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", "m1"],
    env: { OPENAI_API_KEY: "k" },
  });
  const id = await editor.open();
  await editor.prompt(id, "is it so?");
  const thoughts = updatesOf(editor, "agent_thought_chunk");
  const chunks = updatesOf(editor, "agent_message_chunk");
  ok(thoughts.length > 1 && chunks.length > 1, "it comes in pieces");
  const text = (pieces: readonly { readonly content: ContentBlock }[]) =>
    pieces.map(({ content }) => content.type === "text" ? content.text : "").join("");
  deepStrictEqual([text(thoughts), text(chunks)], ["Hm, well.", "It is so."]);
  strictEqual(new Set(chunks.map(({ messageId }) => messageId)).size, 1);
  const [usage] = updatesOf(editor, "usage_update");
  strictEqual(usage?.size, 1000);
  ok(usage && usage.used > 0);
});

/** Writes the person's own configuration. */
async function configure(
  world: Awaited<ReturnType<typeof newWorld>>,
  config: Readonly<Record<string, unknown>>,
): Promise<void> {
  await Deno.mkdir(world.join("home/.config/cordon"), { recursive: true });
  await Deno.writeTextFile(world.join("home/.config/cordon/config.jsonc"), JSON.stringify(config));
}

Deno.test("a prompt brings images, texts and links, each under its own name", async () => {
  await using world = await newWorld();
  await using server = await modelServer([{ text: "seen" }]);
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", "m1", "--base-url", server.url],
    env: { OPENAI_API_KEY: "k" },
  });
  const sessionId = await editor.open();
  const outside = world.join("other.txt");
  await editor.agent.request(session.prompt, {
    sessionId,
    prompt: [
      { type: "text", text: "Compare " },
      { type: "resource_link", name: "a", uri: `file://${world.work}/src/a%20b.ts#L3` },
      { type: "text", text: " with " },
      { type: "resource", resource: { uri: `file://${outside}`, text: "unsaved\n" } },
      { type: "image", data: PIXEL.toBase64(), mimeType: "image/png" },
    ],
  });
  const said = server.requests[0]?.body.messages.at(-1);
  const [{ text }, image] = said.content;
  strictEqual(
    text,
    `Compare src/a b.ts#L3 with ${outside}\n\n<file path="${outside}">\nunsaved\n</file>`,
  );
  match(image.image_url.url, /^data:image\/png;base64,/);
});

Deno.test("what models do not take is refused, and the session goes on", async () => {
  await using world = await newWorld();
  const model = await world.script({ text: "well" });
  await using editor = await acpEditor(world, { args: ["acp", "-m", model] });
  const sessionId = await editor.open();
  const cases = [
    [{ type: "audio" as const, data: "", mimeType: "audio/wav" }, /Cannot take audio/],
    [{ type: "image" as const, data: "!", mimeType: "image/png" }, /no base64/],
    [{ type: "image" as const, data: "aGk=", mimeType: "image/png" }, /no PNG, JPEG/],
    [{ type: "text" as const, text: " " }, /says nothing/],
  ] as const;
  for (const [block, why] of cases) {
    const asked = editor.agent.request(session.prompt, { sessionId, prompt: [block] });
    await rejects(asked, (error: RequestError) => error.code === -32602 && why.test(error.message));
  }
  deepStrictEqual(await editor.prompt(sessionId, "go"), { stopReason: "end_turn" });
});

Deno.test("an end by the model is told: its limits as reasons, its refusals as errors", async () => {
  await using world = await newWorld();
  await using server = await modelServer([
    { text: "half", finish: "length" },
    { text: "no", finish: "content_filter" },
    { status: 401, body: { error: { message: "bad key" } } },
    { status: 400, body: { error: { message: "bad request" } } },
    { toolCalls: [{ name: "list_dir", arguments: {} }] },
  ]);
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", "m1", "--wire", "chat", "--max-turns", "1", "--base-url", server.url],
    env: { OPENAI_API_KEY: "k" },
  });
  const id = await editor.open();
  deepStrictEqual(await editor.prompt(id, "1"), { stopReason: "max_tokens" });
  deepStrictEqual(await editor.prompt(id, "2"), { stopReason: "refusal" });
  const failed = (code: number, why: RegExp) => (error: RequestError) =>
    error.code === code && why.test(error.message);
  await rejects(editor.prompt(id, "3"), failed(-32000, /401|key/i));
  await rejects(editor.prompt(id, "4"), failed(-32603, /bad request/));
  deepStrictEqual(await editor.prompt(id, "5"), { stopReason: "max_turn_requests" });
});

Deno.test("a terminal of the editor draws a command's output, which runs in our own", async () => {
  await using world = await newWorld();
  const model = await world.script(
    calling("bash", { command: "echo one; exit 3" }),
    calling("bash", { command: "true" }),
    { text: "done" },
  );
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", model],
    capabilities: { terminal: true, _meta: { terminal_output: true } },
    permission: answering("yes"),
  });
  await editor.prompt(await editor.open(), "go");
  const meta = (id: string) =>
    editor.updates.flatMap((update) =>
      "toolCallId" in update && update.toolCallId === id && update._meta ? [update._meta] : []
    );
  const terminal_id = "call_1";
  deepStrictEqual(meta("call_1"), [
    { terminal_info: { terminal_id, cwd: world.work } },
    { terminal_output: { terminal_id, data: "one\n" } },
    { terminal_exit: { terminal_id, exit_code: 3, signal: null } },
  ]);
  const [{ content = [] } = {}] = updatesOf(editor, "tool_call");
  deepStrictEqual(content, [{ type: "terminal", terminalId: "call_1" }]);
  // What put nothing out shows what the model reads.
  deepStrictEqual(meta("call_2").at(-1)?.["terminal_exit"], {
    ...{ terminal_id: "call_2", exit_code: 0, signal: null },
  });
});

Deno.test("rubbish, unknown methods and wrong parameters are answered, and nothing breaks", async () => {
  await using world = await newWorld();
  const model = await world.script({ text: "well" });
  await using editor = await acpEditor(world, { args: ["acp", "-m", model] });
  await editor.write('this is no JSON\n[1]\n"text"\n{"jsonrpc":"2.0"}\n{}\n');
  const refused = (code: number) => (error: RequestError) => error.code === code;
  await rejects(editor.agent.request("session/fly", {}), refused(-32601));
  await rejects(editor.agent.request("session/new", { cwd: 3 }), refused(-32602));
  await rejects(editor.agent.request("session/prompt", {}), refused(-32602));
  await rejects(editor.prompt("no-such", "go"), refused(-32002));
  await rejects(editor.open("relative"), refused(-32602));
  await rejects(editor.open(world.join("nowhere")), refused(-32602));
  await editor.cancel("no-such");
  const id = await editor.open();
  deepStrictEqual(await editor.prompt(id, "go"), { stopReason: "end_turn" });
  await editor.leave();
  deepStrictEqual((await editor.ended).rubbish, []);
});

Deno.test("an editor says first who it is, and is told by which variable the key comes", async () => {
  await using world = await newWorld();
  await using editor = await acpEditor(world, {
    args: ["acp", "--provider", "openrouter", "-m", "m1"],
  });
  const said = await editor.agent.request(methods.agent.initialize, {
    protocolVersion: 7,
    clientCapabilities: {},
  });
  strictEqual(said.protocolVersion, 1);
  deepStrictEqual(said.agentCapabilities, {
    loadSession: true,
    promptCapabilities: { image: true, embeddedContext: true },
    mcpCapabilities: { http: true },
    sessionCapabilities: { close: {}, list: {}, resume: {} },
  });
  const [{ id = "", name } = {}] = said.authMethods ?? [];
  strictEqual(name, "OPENROUTER_API_KEY");
  const { authenticate } = methods.agent;
  await rejects(
    editor.agent.request(authenticate, { methodId: id }),
    /OPENROUTER_API_KEY is not set/,
  );
  await rejects(editor.agent.request(authenticate, { methodId: "other" }), /no way "other"/);
});

Deno.test("what an editor says itself is no option of its agent", async () => {
  await using world = await newWorld();
  const run = await world.run(["acp", "-c"], { stdin: "" });
  deepStrictEqual([run.code, run.stdout], [2, ""], run.stderr);
  match(run.stderr, /Cannot use --continue with cordon acp: the editor says that itself/);
});
