import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { sessionsReport } from "../../../../agent/terminal/reports.ts";
import { listSessions } from "../../../../agent/session/list.ts";
import { MAX_COMMAND_BYTES } from "../../../../tools/shell_state.ts";
import { deskWorld } from "../../../helpers/desk_world.ts";

Deno.test("!command runs in the workspace, and the model sees it with the next prompt", async () => {
  await using world = await deskWorld({ "work/a.txt": "" }, [{ text: "I see" }]);
  strictEqual(
    await world.type("!ls; echo oops >&2; exit 3"),
    "a.txt\n[stderr]\noops\n[exit code: 3]",
  );
  strictEqual(world.requests.length, 0);
  await world.type("what is wrong?");
  deepStrictEqual(world.messages(), [
    "<person_command>\n$ ls; echo oops >&2; exit 3\na.txt\n[stderr]\noops\n[exit code: 3]\n" +
    "</person_command>\nwhat is wrong?",
    "I see",
  ]);
});

Deno.test("!command shares the shell with the model, and outlives a change of it", async () => {
  const call = { tool_calls: [{ name: "bash", arguments: { command: "echo $NAME; pwd" } }] };
  await using world = await deskWorld({ "work/sub/": "" }, [call, { text: "done" }]);
  await world.type("!cd sub; NAME=value");
  await world.type("look");
  match(world.messages().join("\n"), /^value\n.*\/work\/sub$/m);
  await world.type("/fork");
  match(world.messages()[0] ?? "", /^<person_command>\n\$ cd sub/);
});

Deno.test("!command is asked about by nobody, and confined as all", async () => {
  await using world = await deskWorld({}, [], { profile: "plan" });
  const { confinement } = world.seat.agent.enclosure.rights;
  // What a machine without a kernel view cannot confine, it does not offer in this profile.
  const offered = world.seat.agent.enclosure.offered.some(({ name }) => name === "bash");
  const shown = await world.type("!touch made");
  if (offered) match(shown, /Read-only file system/, confinement.tierReason);
  else match(shown, /^! Cannot run commands here: bash is not offered, see \/tools$/);
  deepStrictEqual([...Deno.readDirSync(world.join("work"))], []);
});

Deno.test("!command can be stopped, and that is told", async () => {
  await using world = await deskWorld();
  world.stopSoon = true;
  match(await world.type("!sleep 100"), /\[interrupted\]/);
  match(world.messages()[0] ?? "", /\$ sleep 100\n[^]*\[interrupted\]/);
});

Deno.test("!command that is too long for a shell is refused in a sentence", async () => {
  await using world = await deskWorld();
  const shown = await world.type(`!: ${"x".repeat(MAX_COMMAND_BYTES)}`);
  match(shown, /^! Cannot run this: command: longer than/);
  deepStrictEqual(world.messages(), []);
});

Deno.test("a session is listed by what was said, and not by a command", async () => {
  await using world = await deskWorld({}, [{ text: "ok" }]);
  await world.type("!echo first");
  const list = async () => sessionsReport(await listSessions(world.join("state/sessions")));
  strictEqual(await list(), "");
  await world.type("then this");
  ok((await list()).endsWith("then this\n"));
});

Deno.test("!command shows no secret, neither to the person's screen nor to the model", async () => {
  const secret = "hunter2hunter2hunter2";
  await using world = await deskWorld({ "work/.env": `DB_PASSWORD=${secret}\n` });
  const shown = await world.type("!cat .env; cat .env >copy");
  match(shown, /^DB_PASSWORD=\[/);
  ok(![shown, ...world.messages()].join().includes(secret), shown);
  strictEqual(await Deno.readTextFile(world.join("work/copy")), `DB_PASSWORD=${secret}\n`);
});

Deno.test("a view is opened anew for the same session, and for others", async () => {
  await using world = await deskWorld({ "work/a.txt": "one" }, [], { profile: "workspace" });
  const other = await world.script({ text: "hello" });
  strictEqual(await world.type("!cat a.txt"), "one");
  await world.type(`/model ${other}`);
  strictEqual(await world.type("!cat a.txt"), "one");
  strictEqual(await world.type("see @a.txt"), "(attached a.txt, 3 bytes)\nhello");
  match(world.messages().join("\n"), /<file path="a\.txt">\none\n<\/file>/);
  for (const line of ["/fork", "/new"]) {
    await world.type(line);
    strictEqual(await world.type("!seq 20000 >/dev/null; cat a.txt"), "one", line);
    strictEqual(await world.type("see @a.txt"), "(attached a.txt, 3 bytes)\nhello", line);
  }
});

Deno.test("!command counts as no message: not for /fork, and not in an export", async () => {
  await using world = await deskWorld({}, [{ text: "one" }, { text: "two" }]);
  await world.type("!echo before");
  await world.type("first");
  await world.type("second");
  await world.type("/export talk.md");
  const talk = await Deno.readTextFile(world.join("work/talk.md"));
  match(talk, /^### Command of the person\n[^]*echo before[^]*^## 1\. Person\n\nfirst$/m);
  await world.type("/fork --at 2");
  deepStrictEqual(world.messages().length, 2);
  match(world.messages()[0] ?? "", /before[^]*first$/);
});
