import { deepStrictEqual, strictEqual } from "node:assert/strict";
import type { Hook } from "../../../agent/hooks/configured_hooks.ts";
import { Hooks } from "../../../agent/hooks/hooks.ts";
import { notifyingPerson } from "../../../agent/hooks/executor_hooks.ts";
import { taskHooks } from "../../../agent/hooks/task_hooks.ts";
import { createRedaction } from "../../../agent/redaction.ts";
import type { NewRecord } from "../../../agent/session/records.ts";
import { text } from "../../../tools/tool.ts";
import { BOTH_COMMANDS } from "../../helpers/both_commands.ts";

const SIGNAL = new AbortController().signal;

/** Hooks that run as process groups; `commands` are theirs by event. */
async function hookWorld(commands: Partial<Record<Hook["event"], string>>, isChild = false) {
  const kind = BOTH_COMMANDS.find(({ name }) => name === "process group");
  const house = await kind?.open();
  if (!house) throw new Error("no way to run commands is known");
  const records: NewRecord[] = [];
  const warnings: string[] = [];
  const hooks = new Hooks({
    hooks: Object.entries(commands).map(([event, command]): Hook => ({
      // The keys are those of the record above.
      event: event as Hook["event"],
      ...{ command, timeoutMs: 120_000, strict: false, outside: false, origin: "user" },
    })),
    ...{ sessionId: "s1", transcript: "/log", workspace: house.workspace },
    ...{ opener: house.commands, outside: house.commands },
    redaction: createRedaction([{ name: "KEY", value: "sk-secret-value" }]),
    append: (record) => Promise.resolve(void records.push(record)),
    emit() {},
    warn: (line) => void warnings.push(line),
  });
  return {
    tasks: taskHooks(hooks, isChild),
    workspace: house.workspace,
    ...{ records, warnings },
    read: (name: string) => Deno.readTextFile(`${house.workspace}/${name}`),
    [Symbol.asyncDispose]: () => house[Symbol.asyncDispose](),
  };
}

Deno.test("hooks are told no secret, and who speaks to them", async () => {
  await using world = await hookWorld({ UserPromptSubmit: "cat >in; echo noted" });
  const said = [text("use sk-secret-value")];
  strictEqual(await world.tasks.promptIsSaid(said, SIGNAL), undefined);
  deepStrictEqual(JSON.parse(await world.read("in")), {
    session_id: "s1",
    transcript_path: null,
    cwd: world.workspace,
    hook_event_name: "UserPromptSubmit",
    prompt: "use [redacted: KEY]",
  });
  const [record] = world.records;
  deepStrictEqual([record?.type, record?.type === "hook" && record.told], ["hook", "noted"]);
});

Deno.test("a sub-agent's end is SubagentStop, everybody else's Stop", async () => {
  const commands = { Stop: "touch stop; exit 2", SubagentStop: "touch sub; echo no >&2; exit 2" };
  await using own = await hookWorld(commands);
  strictEqual(await own.tasks.mayEnd("done", SIGNAL), false);
  strictEqual(await own.read("stop"), "");
  await using child = await hookWorld(commands, true);
  strictEqual(await child.tasks.mayEnd("done", SIGNAL), false);
  strictEqual(await child.read("sub"), "");
  deepStrictEqual(child.warnings, ["A hook (SubagentStop) says: no"]);
});

Deno.test("a task is held for a while, and each prompt anew", async () => {
  await using world = await hookWorld({ Stop: "grep -o 'stop_hook_active\":[a-z]*' >>in; exit 2" });
  const ends = async () => {
    for (let count = 0;; count++) if (await world.tasks.mayEnd("x", SIGNAL)) return count;
  };
  strictEqual(await ends(), 8);
  strictEqual(await ends(), 0);
  await world.tasks.promptIsSaid([text("on")], SIGNAL);
  strictEqual(await ends(), 8);
  deepStrictEqual((await world.read("in")).split("\n").slice(0, 2), [
    'stop_hook_active":false',
    'stop_hook_active":true',
  ]);
});

Deno.test("a compaction can be refused, and is told what it is", async () => {
  await using world = await hookWorld({ PreCompact: "cat >in; echo later >&2; exit 2" });
  strictEqual(await world.tasks.compacts("manual", "keep names", SIGNAL), "later");
  const { trigger, custom_instructions } = JSON.parse(await world.read("in"));
  deepStrictEqual([trigger, custom_instructions], ["manual", "keep names"]);
});

Deno.test("nobody waits for a notification but the end of the session", async () => {
  await using world = await hookWorld({
    Notification: "cat >in",
    SessionEnd: "test -s in && touch after",
  });
  const person = notifyingPerson({ ask: () => Promise.resolve("yes") }, world.tasks);
  strictEqual(await person.ask({ question: "Which?" }, SIGNAL), "yes");
  await world.tasks.sessionEnds("done");
  strictEqual(JSON.parse(await world.read("in")).message, "Cordon asks: Which?");
  strictEqual(await world.read("after"), "");
});

Deno.test("once a turn is stopped its hooks are ended, and decide nothing", async () => {
  await using world = await hookWorld({ PreCompact: "exec sleep 1000" });
  const stop = new AbortController();
  const asked = world.tasks.compacts("auto", undefined, stop.signal);
  stop.abort();
  strictEqual(await asked, undefined);
  deepStrictEqual([world.records, world.warnings], [[], []]);
});
