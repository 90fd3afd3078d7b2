import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { accessibleTree, readElements } from "../../../agent/screen/accessibility.ts";
import { openScreen } from "../../../agent/screen/open_screen.ts";
import { parseChord } from "../../../tools/screen/chord.ts";
import { computer } from "../../../tools/computer.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { filesIn, planOf, runTool } from "../../helpers/tool_calls.ts";
import { displayIn, firstLine, hasDisplay, until, xDisplay } from "../../helpers/x_display.ts";

const PYTHON = "/usr/bin/python3";
const LAUNCHER = "/usr/libexec/at-spi-bus-launcher";
const ignore = !await hasDisplay("scrot", "dbus-run-session", PYTHON, LAUNCHER) ||
  !await hasBindings();

async function hasBindings(): Promise<boolean> {
  const script = "import gi; gi.require_version('Gtk', '3.0'); gi.require_version('Atspi', '2.0')";
  const python = new Deno.Command(PYTHON, { args: ["-c", script], stderr: "null" });
  return (await python.output()).success;
}

/** A session bus on which programs can be asked for their elements; ends all that it started. */
async function sessionBus() {
  // Once its standard input ends the session does, and all of its services.
  const script = `${LAUNCHER} --launch-immediately >/dev/null 2>&1 &
    echo "$DBUS_SESSION_BUS_ADDRESS"; cat; kill $!`;
  const child = new Deno.Command("dbus-run-session", {
    args: ["--", "bash", "-c", script],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
    detached: true,
  }).spawn();
  const address = (await firstLine(child.stdout)).trim();
  return {
    address,
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await child.status;
    },
  };
}

Deno.test({ name: "computer tells the elements of a window of GTK", ignore }, async (t) => {
  await using dir = await tempDir({});
  await using bus = await sessionBus();
  const variables = { DBUS_SESSION_BUS_ADDRESS: bus.address, GTK_MODULES: "gail:atk-bridge" };
  await using display = await xDisplay(800, 600, variables);
  const script = fileURLToPath(new URL("../../fixtures/screen/gtk_window.py", import.meta.url));
  await display.show([PYTHON, script, "A dialog"], "A dialog");
  const opened = await openScreen({
    display: displayIn(display),
    places: { workspace: "/nonexistent", grants: { allows: () => true } },
    privateFolder: () => Deno.makeTempDir(),
  });
  ok(opened.ok && opened.desktop.ok);
  const { desktop } = opened.desktop;
  const backing = { files: filesIn(dir.path), desktop };
  let text = "";
  // A program tells of a window a little later than it shows it.
  await until("the window's elements", async () => {
    text = (await runTool(computer, { action: "elements" }, backing)).text;
    return text.includes('frame "A dialog"');
  });
  const rows: [name: string, row: RegExp][] = [
    ["the window", /^ {2}frame "A dialog"$/m],
    ["a label", /^ {6}label "Your name" at \d+, \d+$/m],
    ["a field", /^ {6}text at \d+, \d+.* editable$/m],
    ["one for a secret", /^ {6}password text at \d+, \d+.* editable$/m],
    ["a box that is ticked", /^ {6}check box "Remember" at \d+, \d+ checked$/m],
    ["a button, on one line", /^ {6}push button "OK now" at \d+, \d+$/m],
    ["all of it fenced", /^\[untrusted content \w+ from the screen: [\s\S]*\n\[end \w+\]$/],
  ];
  for (const [name, row] of rows) await t.step(name, () => match(text, row));
  await t.step("what is typed where it does not show is sensitive", async () => {
    const { signal } = new AbortController();
    const risk = async () => {
      const { touches } = await planOf(computer, { action: "type", text: "x" }, backing);
      return touches.map((touch) => touch.kind === "screen" && touch.act).join();
    };
    await runTool(computer, { action: "focus", window: "dialog" }, backing);
    // By the keyboard, from one field to the next; the program takes its time.
    const next = parseChord("tab");
    ok(next.ok);
    const { chord } = next;
    const seen = new Set<string>();
    await until("a field that hides keys, and one that does not", async () => {
      seen.add(await risk());
      if (seen.size < 2) await desktop.act({ kind: "key", chord }, signal);
      return seen.size === 2;
    });
    deepStrictEqual([...seen].toSorted(), ["act", "sensitive"]);
  });
  await t.step("and none that is hidden", () => strictEqual(text.includes("Not there"), false));
});

Deno.test("accessibleTree() says why nobody tells", async (t) => {
  await using dir = await tempDir({});
  const program = async (lines: string) => {
    await Deno.writeTextFile(dir.join("python3"), `#!/bin/sh\n${lines}\n`);
    await Deno.chmod(dir.join("python3"), 0o755);
    const parts = { python: dir.join("python3"), environment: { PATH: "/usr/bin:/bin" } };
    return await accessibleTree(parts, new AbortController().signal);
  };
  const cases: [name: string, lines: string, message: RegExp][] = [
    ["without bindings", "exit 3", /it takes python3-gi and gir1\.2-atspi-2\.0/],
    ["without a bus", "exit 4", /no accessibility bus answers/],
    ["otherwise", "echo broken >&2; exit 1", /: broken$/],
  ];
  for (const [name, lines, message] of cases) {
    await t.step(name, async () => {
      const tree = await program(lines);
      ok(!tree.ok);
      match(tree.message, message);
    });
  }
  await t.step("and reads what one tells", async () => {
    const line = JSON.stringify({ depth: 0, role: "r", name: "n", states: [] });
    deepStrictEqual(await program(`cat >/dev/null; echo '${line}'; echo '{"more":true}'`), {
      ok: true,
      elements: [{ depth: 0, role: "r", name: "n", states: [] }],
      more: true,
    });
  });
});

Deno.test("readElements() leaves out what is none", () => {
  const lines = [{ depth: 99, role: "r", name: "", states: [] }, 1, null, { role: "r" }];
  deepStrictEqual(readElements(lines.map((line) => JSON.stringify(line)).join("\n")), {
    elements: [],
    more: false,
  });
});
