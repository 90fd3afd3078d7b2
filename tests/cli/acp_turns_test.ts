import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import {
  methods,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
} from "@agentclientprotocol/sdk";
import { acpEditor, answering, saidIn, type TestEditor, updatesOf } from "../helpers/acp_editor.ts";
import { calling, newWorld } from "../helpers/cordon.ts";
import { modelServer } from "../helpers/model_server.ts";
import { chatStream } from "../helpers/model_streams.ts";
import { gone, processesWith } from "../helpers/processes.ts";

const CANCELLED = { stopReason: "cancelled" };
const DONE = { stopReason: "end_turn" };

/** The beginning of an answer, up to its first words. */
const HALF = chatStream({ text: "Once upon a time" }, () => "id").slice(0, 3);

const isLinux = Deno.build.os === "linux";

/** A part of a second that nobody else waits for. */
function newMarker(): string {
  return `98765.${crypto.getRandomValues(new Uint32Array(1))[0]}`;
}

/** Resolves when the output of a call is shown that holds these words. */
async function shows(editor: TestEditor, words: string): Promise<void> {
  await editor.until((update) =>
    update.sessionUpdate === "tool_call_update" && JSON.stringify(update.content).includes(words)
  );
}

Deno.test("a cancelled prompt answers `cancelled` at every stage, and the next one works", {
  ignore: !isLinux,
}, async () => {
  await using world = await newWorld({ "src/a.txt": "one\n" });
  const marker = newMarker();
  await using server = await modelServer([
    { raw: [": silence\n\n"], then: "hang" },
    { raw: HALF, then: "hang" },
    { toolCalls: [{ name: "bash", arguments: { command: `echo began; sleep ${marker}` } }] },
    { toolCalls: [{ name: "bash", arguments: { command: "git clean -fdx" } }] },
    { text: "well" },
  ]);
  const forEver = new Promise<RequestPermissionResponse>(() => {});
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", "m1", "--wire", "chat", "--base-url", server.url],
    env: { OPENAI_API_KEY: "k" },
    // Without a view the sleeping command is asked for, too.
    permission: (asked) => isAbout(asked, "sleep") ? answering("yes")(asked) : forEver,
  });
  const id = await editor.open();
  async function cancelledAfter(stage: () => Promise<unknown>): Promise<void> {
    const answer = editor.prompt(id, "go");
    await stage();
    await editor.cancel(id);
    deepStrictEqual(await answer, CANCELLED);
  }
  await cancelledAfter(() => server.request(1));
  await cancelledAfter(() =>
    editor.until(({ sessionUpdate }) => sessionUpdate === "agent_message_chunk")
  );
  await cancelledAfter(() => shows(editor, "began"));
  await gone(await processesWith(marker));
  await cancelledAfter(() => editor.asked((question) => isAbout(question, "git clean")));
  // Nothing is stopped where nothing is done; and a cancel overtakes no prompt.
  await editor.cancel(id);
  deepStrictEqual(await editor.prompt(id, "go"), DONE);
  match(saidIn(editor, id), /well$/);
  const ends = updatesOf(editor, "tool_call_update").filter(({ status }) => status === "failed");
  deepStrictEqual(ends.map(({ toolCallId }) => toolCallId), ["call_1", "call_2"]);
});

function isAbout({ toolCall }: RequestPermissionRequest, words: string): boolean {
  return toolCall.title?.includes(words) ?? false;
}

Deno.test("a prompt that is cancelled in the same breath answers `cancelled`", async () => {
  await using world = await newWorld();
  // However soon the cancel comes, or late: there is no answer by itself.
  await using server = await modelServer([{ raw: [": silence\n\n"], then: "hang" }]);
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", "m1", "--wire", "chat", "--base-url", server.url],
    env: { OPENAI_API_KEY: "k" },
  });
  const id = await editor.open();
  const answer = editor.prompt(id, "go");
  await editor.cancel(id);
  deepStrictEqual(await answer, CANCELLED);
});

Deno.test("a second prompt at once is refused, and the first goes on", async () => {
  await using world = await newWorld();
  const go = Promise.withResolvers<void>();
  const model = await world.script(calling("bash", { command: "git clean -fdx" }), {
    text: "well",
  });
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", model],
    permission: async (asked) => {
      await go.promise;
      return answering("no")(asked);
    },
  });
  const id = await editor.open();
  const first = editor.prompt(id, "go");
  await editor.asked(() => true);
  await rejects(editor.prompt(id, "and this"), /This session works on a prompt: wait for it/);
  go.resolve();
  deepStrictEqual(await first, DONE);
  strictEqual(saidIn(editor, id), "well");
});

Deno.test("answers of the person: once, for the session, for what begins alike, no, never", async () => {
  await using world = await newWorld();
  const same = ["echo 1 >a", "echo 1 >a", "echo 1 >a"];
  const alike = ["git add a", "git add b", "git stash"];
  const cases: [commands: readonly string[], [answer: string, asked: number, ran: number][]][] = [
    [same, [["yes", 3, 3], ["session", 1, 3], ["no", 3, 0], ["never", 1, 0]]],
    [alike, [["prefix", 2, 3], ["session", 3, 3]]],
  ];
  for (const [commands, answers] of cases) {
    const calls = commands.map((command) => calling("bash", { command }));
    const model = await world.script(...calls, { text: "done" });
    let wanted = "";
    await using editor = await acpEditor(world, {
      args: ["acp", "-m", model, "--approval=ask"],
      permission: (question) => answering(wanted)(question),
    });
    // A session of its own for each: what one was told is none of the other's.
    for (const [answer, asked, ran] of answers) {
      wanted = answer;
      const id = await editor.open();
      await editor.prompt(id, "go");
      const questions = editor.permissions.filter(({ sessionId }) => sessionId === id);
      const done = updatesOf(editor, "tool_call_update").filter(({ sessionId, status }) =>
        sessionId === id && status === "completed"
      );
      deepStrictEqual([answer, questions.length, done.length], [answer, asked, ran]);
    }
  }
});

Deno.test("a question shows what it is about, and an answer that was not offered is no yes", async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const model = await world.script(
    calling("edit_file", { path: "a.txt", old_string: "one", new_string: "two" }),
    { text: "done" },
  );
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", model, "--approval=ask"],
    permission: () => ({ outcome: { outcome: "selected", optionId: "anything" } }),
  });
  const id = await editor.open();
  await editor.prompt(id, "go");
  const [{ sessionId, toolCall, options } = {}] = editor.permissions;
  const path = `${world.work}/a.txt`;
  strictEqual(sessionId, id);
  deepStrictEqual(toolCall, {
    toolCallId: "call_1",
    title: "edit_file a.txt",
    kind: "edit",
    status: "pending",
    rawInput: { path: "a.txt", old_string: "one", new_string: "two" },
    content: [
      { type: "content", content: { type: "text", text: "Asked since it changes files" } },
      { type: "diff", path, oldText: "one\n", newText: "two\n" },
    ],
    locations: [{ path, line: 1 }],
  });
  deepStrictEqual(options?.map(({ optionId, kind }) => [optionId, kind]), [
    ["yes", "allow_once"],
    ["session", "allow_always"],
    ["no", "reject_once"],
    ["never", "reject_always"],
  ]);
  strictEqual(await Deno.readTextFile(path), "one\n");
});

Deno.test("an editor that cannot ask is nobody to be asked", async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const model = await world.script(
    calling("write_file", { path: "a.txt", content: "two\n" }),
    { text: "done" },
  );
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", model, "--approval=ask"],
    permission: () => Promise.reject(new Error("no window")),
  });
  deepStrictEqual(await editor.prompt(await editor.open(), "go"), DONE);
  strictEqual(await Deno.readTextFile(`${world.work}/a.txt`), "one\n");
});

Deno.test("an editor that leaves in a call ends the call, its answer and the process", {
  ignore: !isLinux,
}, async () => {
  await using world = await newWorld();
  const marker = newMarker();
  const model = await world.script(
    calling("bash", { command: `sleep ${marker} & echo began; sleep ${marker}` }),
  );
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", model],
    permission: answering("yes"),
  });
  const answer = editor.prompt(await editor.open(), "go");
  await shows(editor, "began");
  const pids = await processesWith(marker);
  ok(pids.length > 0);
  await editor.leave();
  deepStrictEqual(await answer, CANCELLED);
  const { code, signal } = await editor.ended;
  deepStrictEqual([code, signal], [0, null]);
  await gone(pids);
});

Deno.test("an editor that leaves with a question open is not waited for", async () => {
  await using world = await newWorld();
  const model = await world.script(calling("bash", { command: "git clean -fdx" }));
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", model],
    permission: () => new Promise(() => {}),
  });
  const answer = editor.prompt(await editor.open(), "go");
  await editor.asked(() => true);
  await editor.leave();
  deepStrictEqual(await answer, CANCELLED);
  strictEqual((await editor.ended).code, 0);
});

Deno.test("what was asked before an early end is answered, and a prompt is cancelled", async () => {
  await using world = await newWorld();
  const model = await world.script({ text: "well" });
  const ask = (id: number, method: string, params: object) =>
    JSON.stringify({ jsonrpc: "2.0", id, method, params });
  const stdin = [
    ask(1, "initialize", { protocolVersion: 1 }),
    ask(2, "session/new", { cwd: world.work, mcpServers: [] }),
    ask(3, "session/list", {}),
    ask(4, "session/prompt", { sessionId: "none", prompt: [] }),
  ].join("\n");
  const run = await world.run(["acp", "-m", model], { stdin });
  strictEqual(run.code, 0, run.stderr);
  const answers = run.events.filter(({ id }) => id !== undefined);
  deepStrictEqual(answers.map(({ id }) => id).sort(), [1, 2, 3, 4]);
});

Deno.test("an editor that has left and reads nothing is not waited for", async () => {
  await using world = await newWorld();
  // The answer names the request, and is more than a pipe holds.
  const request = { jsonrpc: "2.0", id: "x".repeat(100_000), method: "session/list", params: {} };
  const script = `printf '%s\\n' "$1" | { cordon acp; echo $? >code; } | {
    until [ -e code ]; do sleep 0.05; done; cat code; }`;
  const run = await world.shell(script, [JSON.stringify(request)]);
  deepStrictEqual([run.code, run.signal, run.stdout], [0, null, "0\n"], run.stderr);
});

Deno.test("SIGTERM ends sessions, and the code says so", async () => {
  await using world = await newWorld();
  await using server = await modelServer([{ raw: [": silence\n\n"], then: "hang" }]);
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", "m1", "--wire", "chat", "--base-url", server.url],
    env: { OPENAI_API_KEY: "k" },
  });
  const answer = editor.prompt(await editor.open(), "go").catch(String);
  await server.request(1);
  Deno.kill(editor.pid, "SIGTERM");
  strictEqual((await editor.ended).code, 143);
  await server.left(1);
  await answer;
});

Deno.test("SIGTERM waits for a session that is being closed", async () => {
  await using world = await newWorld();
  // It takes its time to end.
  const command = "trap '' TERM; echo began; while :; do sleep 0.1; done";
  const model = await world.script(calling("bash", { command }));
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", model],
    permission: answering("yes"),
  });
  const { session } = methods.agent;
  const sessionId = await editor.open();
  const answer = editor.prompt(sessionId, "go").catch(String);
  await shows(editor, "began");
  const closed = editor.agent.request(session.close, { sessionId }).catch(String);
  // Messages are taken up in their order.
  await editor.agent.request(session.list, {});
  Deno.kill(editor.pid, "SIGTERM");
  strictEqual((await editor.ended).code, 143);
  await Promise.all([answer, closed]);
  const log = world.join(`home/.local/state/cordon/sessions/${sessionId}.jsonl`);
  match(await Deno.readTextFile(log), /"type":"end"[^\n]*\n$/);
});

Deno.test("a message that is too long ends the process with a sentence", async () => {
  await using world = await newWorld();
  await using editor = await acpEditor(world);
  // One byte more than the protocol's library takes, and no end in sight.
  const megabyte = "x".repeat(1024 * 1024);
  for (let n = 0; n < 33; n++) await editor.write(megabyte).catch(() => {});
  const { code, stderr, rubbish } = await editor.ended;
  deepStrictEqual([code, rubbish], [1, []]);
  match(stderr, /^error: Cannot go on with the editor: .* byte limit$/m);
});
