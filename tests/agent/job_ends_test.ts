import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { ContextKeeper } from "../../agent/compaction/keeper.ts";
import type { Capabilities } from "../../agent/capabilities.ts";
import type { AgentEvent } from "../../agent/events.ts";
import { jobEvent, logEndedJobs } from "../../agent/job_ends.ts";
import { runTask } from "../../agent/loop/loop.ts";
import { createModel } from "../../agent/model/connect.ts";
import { providerFor } from "../../agent/model/provider.ts";
import { userRecord } from "../../agent/session/convert.ts";
import { createSession, openSession, type Session } from "../../agent/session/log.ts";
import { JobRegistry } from "../../sandbox/commands/jobs.ts";
import { bashTool } from "../../tools/bash.ts";
import { jobOutput } from "../../tools/job_output.ts";
import { schema } from "../../tools/schema.ts";
import { defineTool, text, type Tool } from "../../tools/tool.ts";
import { z } from "zod";
import { type ModelServer, modelServer, type ScriptEntry } from "../helpers/model_server.ts";
import { testShell } from "../helpers/shell.ts";
import { tempDir } from "../helpers/temp_dir.ts";
import { options } from "./session/fixtures.ts";
import { executorParts, UNCONFINED } from "./executor_parts.ts";

/** Waits for a job without looking at it, as a model that thinks for long. */
const think: Tool = defineTool({
  name: "think",
  description: "Waits.",
  parameters: schema(z.strictObject({ job: z.string() })),
  needs: { uses: ["jobs"] },
  plan: () => ({ touches: [] }),
  async run({ job }, { jobs, signal }) {
    await jobs.find(job)?.wait({ until: "exit", ms: 60_000, signal });
    return "thought";
  },
  result: schema(z.string()),
  render: (value) => [text(value)],
});

const call = (name: string, args: Readonly<Record<string, unknown>>) => ({
  toolCalls: [{ name, arguments: args }],
});
const inBackground = (command: string) => call("bash", { command, background: true });

interface Run {
  readonly server: ModelServer;
  readonly session: Session;
  readonly events: readonly AgentEvent[];
}

/** Plays a task over real jobs, and hands on what came of it. */
async function play(script: ScriptEntry[], check: (run: Run) => void | Promise<void>) {
  await using server = await modelServer(script);
  await using shell = await testShell();
  await using dir = await tempDir();
  const session = await createSession(options(dir.path));
  const events: AgentEvent[] = [];
  await using jobs = new JobRegistry({ onChange: (job) => events.push(jobEvent(job)) });
  const append: Session["append"] = (record) => session.append(record);
  const model = createModel({
    name: "m1",
    provider: providerFor({ baseUrl: server.url, overrides: { wire: "chat" } }),
    loadBlob: () => Promise.reject(new Deno.errors.NotFound()),
    readText: () => Promise.reject(new Deno.errors.NotFound()),
  });
  await append(userRecord([text("go")]));
  await runTask({
    model,
    conversation: session.conversation,
    system: () => "You are a test.",
    limits: {},
    keeper: new ContextKeeper({
      model,
      conversation: session.conversation,
      append,
      emit() {},
      runningJobs: () => [],
      costOf: () => undefined,
      window: { compactAt: false },
    }),
    costOf: () => undefined,
    emit() {},
    beforeTurn: () => logEndedJobs(jobs, append),
    executor: executorParts({
      tools: [bashTool(), jobOutput, think],
      // What these tools declare is here, and nothing else is handed out.
      capabilities: { commands: shell.commands, jobs } as unknown as Capabilities,
      policy: { ...UNCONFINED, mode: "all" },
      append,
      emit() {},
    }),
  }, new AbortController().signal);
  await jobs[Symbol.asyncDispose]();
  await logEndedJobs(jobs, append);
  await session.close("done");
  await check({
    server,
    events,
    session: await openSession({ folder: dir.path, id: session.id, now: () => new Date() }),
  });
}

/** What the user's side said in a request, the first words apart. */
function notesIn(server: ModelServer, request: number): string[] {
  const { messages } = server.requests[request]?.body ?? {};
  const said = messages.filter(({ role }: { role: string }) => role === "user");
  return said.slice(1).map(({ content }: { content: unknown }) =>
    typeof content === "string" ? content : JSON.stringify(content)
  );
}

Deno.test("the end of a job is told once, at the next turn, and survives", async () => {
  const script = [
    inBackground("echo made; exit 3"),
    call("think", { job: "1" }),
    call("think", { job: "1" }),
    { text: "ok" },
  ];
  await play(script, async ({ server, session, events }) => {
    const note = "[job 1 (echo made; exit 3) has ended, exit code: 3, see job_output]";
    deepStrictEqual(notesIn(server, 0), []);
    deepStrictEqual(notesIn(server, 2), [note]);
    deepStrictEqual(notesIn(server, 3), [note]);
    deepStrictEqual(events.map((event) => "state" in event && event.state), ["running", "ended"]);
    const told = JSON.stringify(session.conversation.messages);
    strictEqual(told.split("has ended, exit code: 3").length, 2);
    deepStrictEqual([session.conversation.runningJobs, session.conversation.lastJob], [[], 1]);
    await session.close("done");
  });
});

Deno.test("an end that a look has shown is not told again", async () => {
  const script = [
    inBackground("echo made; exit 3"),
    call("job_output", { job_id: "1", until: "exit" }),
    { text: "ok" },
  ];
  await play(script, async ({ server, session }) => {
    match(JSON.stringify(server.requests[2]?.body.messages), /made.{0,9}\[job 1 has ended\]/);
    deepStrictEqual(notesIn(server, 2), []);
    deepStrictEqual(session.conversation.runningJobs, []);
    await session.close("done");
  });
});

Deno.test("what runs when the session ends is ended and told when it goes on", async () => {
  await play([inBackground("sleep 1000"), { text: "ok" }], async ({ session, events }) => {
    deepStrictEqual(events.at(-1), {
      type: "job",
      job_id: "1",
      state: "stopped",
      command: "sleep 1000",
    });
    const last = session.conversation.messages.at(-1);
    deepStrictEqual(last, {
      role: "user",
      content: [text("[job 1 (sleep 1000) was ended when the session was left]")],
    });
    await session.append(userRecord([text("go on")]));
    // Users and answers take turns.
    deepStrictEqual(session.conversation.messages.at(-1), {
      role: "user",
      content: [...last?.role === "user" ? last.content : [], text("go on")],
    });
    await session.close("done");
  });
});
