import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { isKey, nearestKeys } from "../../tools/tmux/keys.ts";
import { tmuxTool } from "../../tools/tmux.ts";
import { BOTH_COMMANDS, type CommandHouse } from "../helpers/both_commands.ts";
import { hasProgram } from "../helpers/has_program.ts";
import { isAlive } from "../helpers/processes.ts";
import { filesIn, planOf, runTool } from "../helpers/tool_calls.ts";

const noTmux = !await hasProgram("tmux", "-V");

/** Time that no test is to use up, in milliseconds. */
const LONG_MS = 60_000;

function terminal(house: CommandHouse) {
  const tool = tmuxTool();
  const given = { files: filesIn(house.workspace), commands: house.commands };
  const call = (args: Record<string, unknown>) => runTool(tool, args, given);
  return {
    call,
    text: async (args: Record<string, unknown>) => (await call(args)).text,
    /** Waits for what must come; the screen then. */
    until: async (text: string, name = "main") => {
      const { value } = await call({ action: "wait", name, text, timeout_ms: LONG_MS });
      strictEqual(value.met, "text", `no "${text}" in:\n${value.text}`);
      return String(value.text);
    },
  };
}

for (const kind of BOTH_COMMANDS) {
  const ignore = kind.ignore || noTmux;

  Deno.test({ name: `tmux in a ${kind.name}: windows and their ends`, ignore }, async (t) => {
    await using house = await kind.open({ "sub/file.txt": "" });
    const { call, text, until } = terminal(house);

    await t.step("nothing is open at first", async () => {
      strictEqual(await text({ action: "list" }), "[no windows]");
      match(await text({ action: "capture" }), /none is open\n\[not done: no_window\]$/);
    });

    await t.step("a command, what it shows, and its exit code", async () => {
      strictEqual(
        await text({ action: "new", command: "echo one; echo two; exit 3" }),
        "[window main is open]",
      );
      strictEqual(await text({ action: "wait", exit: true }), "one\ntwo\n[exit]\n[exit code: 3]");
      strictEqual(await text({ action: "capture" }), "one\ntwo\n[exit code: 3]");
      strictEqual(await text({ action: "list" }), "main (120x40): ended with code 3");
    });

    await t.step("what has ended cannot be sent to, and its name is free", async () => {
      match(await text({ action: "send", text: "x" }), /has ended.*\n\[not done: ended\]$/);
      await call({ action: "new", command: "kill -KILL $PPID" });
      match(await text({ action: "wait", exit: true }), /\[exit\]\n\[killed by signal: SIGKILL\]$/);
    });

    await t.step("several windows, each of its size and folder", async () => {
      await call({ action: "new", name: "a", width: 60, height: 10 });
      await call({ action: "new", name: "b", cwd: "sub", command: "ls; stty size; cat" });
      strictEqual(await until("40 120", "b"), "file.txt\n40 120");
      strictEqual(
        await text({ action: "list" }),
        "a (60x10): running\nb (120x40): running\nmain (120x40): killed by SIGKILL",
      );
      match(await text({ action: "new", name: "a" }), /\[not done: exists\]$/);
      strictEqual(await text({ action: "kill", name: "a" }), "[window a is closed]");
      match(
        await text({ action: "kill", name: "a" }),
        /open are b, main\n\[not done: no_window\]$/,
      );
    });

    await t.step("a folder that is not there", async () => {
      await call({ action: "new", name: "c", cwd: "nowhere", command: "echo here" });
      match(
        await text({ action: "wait", name: "c", exit: true }),
        /No such file.*\[exit code: 127\]/s,
      );
    });
  });

  Deno.test({ name: `tmux in a ${kind.name}: real programs`, ignore }, async (t) => {
    await using house = await kind.open({
      "long.txt": Array.from({ length: 500 }, (_, index) => `line ${index + 1}`).join("\n"),
      "ask.sh":
        'read -r -p "Name? " name; read -r -s -p "Password: " word; echo; echo "$name:$word"',
    });
    const { call, text, until } = terminal(house);
    const file = (name: string) => Deno.readTextFile(`${house.workspace}/${name}`);

    await t.step("a program that asks, also without showing what is typed", async () => {
      await call({ action: "new", name: "ask", command: "bash ask.sh" });
      await until("Name?", "ask");
      await call({ action: "send", name: "ask", text: "Ada", enter: true });
      await until("Password:", "ask");
      await call({ action: "send", name: "ask", text: "s 'e\"c;ret", enter: true });
      match(await text({ action: "wait", name: "ask", exit: true }), /Ada:s 'e"c;ret\n\[exit\]/);
    });

    await t.step({
      name: "a pager: keys move it, q ends it",
      ignore: !await hasProgram("less"),
      async fn() {
        await call({ action: "new", name: "less", height: 10, command: "less long.txt" });
        await until("line 9", "less");
        await call({ action: "send", name: "less", keys: ["G"] });
        await until("line 500", "less");
        await call({ action: "send", name: "less", text: "q" });
        match(await text({ action: "wait", name: "less", exit: true }), /\[exit code: 0\]$/);
      },
    });

    await t.step({
      name: "an editor writes a file",
      ignore: !await hasProgram("vim"),
      async fn() {
        await call({ action: "new", name: "vim", command: "vim -u NONE -N new.txt" });
        await until("new.txt", "vim");
        await call({ action: "send", name: "vim", text: "ihello\nwörld" });
        await until("wörld", "vim");
        await call({ action: "send", name: "vim", keys: ["Escape"], text: "" });
        await call({ action: "send", name: "vim", text: ":wq", enter: true });
        match(await text({ action: "wait", name: "vim", exit: true }), /\[exit code: 0\]$/);
        strictEqual(await file("new.txt"), "hello\nwörld\n");
      },
    });

    await t.step({
      name: "a line editor",
      ignore: !await hasProgram("ed"),
      async fn() {
        await call({ action: "new", name: "ed", command: "ed -p '* ' ed.txt" });
        await until("*", "ed");
        await call({ action: "send", name: "ed", text: "a\nfirst\n.\nw\nq\n" });
        match(await text({ action: "wait", name: "ed", exit: true }), /\[exit code: 0\]$/);
        strictEqual(await file("ed.txt"), "first\n");
      },
    });

    await t.step({
      name: "a REPL, interrupted by C-c",
      ignore: !await hasProgram("python3"),
      async fn() {
        await call({ action: "new", name: "repl", command: "python3 -q" });
        await until(">>>", "repl");
        await call({ action: "send", name: "repl", text: "while True: pass\n", enter: true });
        await call({ action: "send", name: "repl", keys: ["C-c"] });
        await until("KeyboardInterrupt", "repl");
        await call({ action: "send", name: "repl", text: "6*7", enter: true });
        await until("42", "repl");
        await call({ action: "send", name: "repl", keys: ["C-d"] });
        match(await text({ action: "wait", name: "repl", exit: true }), /\[exit code: 0\]$/);
      },
    });

    await t.step("history above the window, and much of it", async () => {
      await call({ action: "new", name: "seq", height: 5, command: "seq 4000; echo end" });
      await call({ action: "wait", name: "seq", exit: true });
      const window = await text({ action: "capture", name: "seq" });
      // tmux before 3.4 scrolls by one line when a program ends.
      match(window, /^(3997\n)?3998\n3999\n4000\nend\n/);
      const history = await text({ action: "capture", name: "seq", history: 100 });
      match(history, /^389[78]\n/);
      await call({
        ...{ action: "new", name: "wide", height: 5, width: 500 },
        command: "for i in {1..400}; do printf '%0450d\\n' $i; done",
      });
      await call({ action: "wait", name: "wide", exit: true });
      const much = await text({ action: "capture", name: "wide", history: 5000 });
      ok(much.length < 60_000);
      match(much, /\[output truncated: \d\d KB of 17\d KB shown\]$/);
    });

    await t.step("colours and other sequences are not shown", async () => {
      const command = "printf '\\033[31mred\\033[0m \\033]0;title\\007plain\\n'";
      await call({ action: "new", name: "red", command });
      await call({ action: "wait", name: "red", exit: true });
      strictEqual(await text({ action: "capture", name: "red" }), "red plain\n[exit code: 0]");
    });

    await t.step("waits that end without what was waited for", async () => {
      await call({ action: "new", name: "cat", command: "echo up; cat" });
      await until("up", "cat");
      strictEqual(
        await text({ action: "wait", name: "cat", text: "never", timeout_ms: 100 }),
        "up\n[timed out after 100ms]",
      );
      strictEqual(await text({ action: "wait", name: "cat", idle_ms: 100 }), "up\n[idle]");
    });

    await t.step("a key that does not exist is refused, and nothing is sent", async () => {
      match(
        await text({ action: "send", name: "cat", text: "x", keys: ["Entr"] }),
        /Cannot send "Entr": there is no such key, did you mean Enter\?\n\[not done: bad_key\]$/,
      );
      strictEqual(await text({ action: "capture", name: "cat" }), "up");
    });

    await t.step("a long text arrives whole", async () => {
      await call({ action: "new", name: "count", command: "stty -icanon; head -c 20000 | wc -c" });
      await call({ action: "send", name: "count", text: "é".repeat(10_000) });
      await until("20000", "count");
    });
  });

  Deno.test({ name: `tmux in a ${kind.name} sees no other server`, ignore }, async () => {
    await using house = await kind.open();
    const { call, until } = terminal(house);
    await call({ action: "new", command: "tmux -V; env -u TMUX tmux ls; echo done; cat" });
    match(await until("done"), /(no server running|error connecting)/);
  });
}

Deno.test({ name: "tmux: all ends with the commands", ignore: noTmux }, async () => {
  const [, group] = BOTH_COMMANDS;
  let pid = 0;
  {
    await using house = await group!.open();
    const { call, until } = terminal(house);
    await call({
      action: "new",
      command: "trap '' TERM HUP; echo pid=$$.; while :; do sleep 1; done",
    });
    pid = Number(/pid=(\d+)\./.exec(await until("pid="))?.[1]);
    ok(await isAlive(pid));
  }
  ok(!await isAlive(pid), "a window's program is left");
});

Deno.test("tmux keys", async (t) => {
  const keys = ["a", "ä", "?", "C-c", "M-x", "C-M-Left", "Enter", "escape", "F12", "^C", "-"];
  for (const key of keys) await t.step(key, () => ok(isKey(key)));
  const others: [name: string, near: string[]][] = [
    ["Return", ["Enter"]],
    ["Entr", ["Enter"]],
    ["C-Lft", ["C-Left"]],
    ["F13", []],
    ["C-", []],
    ["hello", []],
  ];
  for (const [name, near] of others) {
    await t.step(`no key: ${name}`, () => {
      ok(!isKey(name));
      if (near.length > 0) deepStrictEqual(nearestKeys(name), near);
    });
  }
});

Deno.test("tmux plans what may run", async () => {
  const plan = (args: Record<string, unknown>) =>
    planOf(tmuxTool(), { name: "main", ...args }, { files: filesIn("/w") });
  deepStrictEqual(await plan({ action: "new", command: "make" }), {
    touches: [{ kind: "command", command: "make" }],
  });
  deepStrictEqual(await plan({ action: "send", text: "rm -rf /", keys: ["Enter"] }), {
    touches: [
      { kind: "command", command: "rm -rf /" },
      { kind: "command", command: "tmux send-keys -t main 'Enter'" },
    ],
  });
  deepStrictEqual(await plan({ action: "capture" }), { touches: [] });
});
