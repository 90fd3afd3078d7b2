import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { openScreen } from "../../agent/screen/open_screen.ts";
import { readerFor } from "../../agent/reader/reader_for.ts";
import { folderBlobs } from "../../agent/session/blobs.ts";
import { commandEnvironment } from "../../sandbox/commands/environment.ts";
import { decodeImage } from "../../tools/image/photon.ts";
import { computer } from "../../tools/computer.ts";
import { inPicture } from "../../tools/screen/scale.ts";
import { colourAt } from "../helpers/images.ts";
import { tempDir } from "../helpers/temp_dir.ts";
import { filesIn, planOf, runPlanned, runTool } from "../helpers/tool_calls.ts";
import { displayIn, hasDisplay, until, type XDisplay, xDisplay } from "../helpers/x_display.ts";

/** The Python that the package python3-tk belongs to. */
const PYTHON = "/usr/bin/python3";
const ignore = !await hasDisplay("scrot", PYTHON) || !await hasTk();
const reader = readerFor(commandEnvironment({ PATH: "/usr/bin:/bin" }), undefined);

/** Larger than what is shown of it, so that coordinates are scaled. */
const SIZE = { width: 1600, height: 1200 };

async function hasTk(): Promise<boolean> {
  const tk = new Deno.Command(PYTHON, { args: ["-c", "import tkinter"], stderr: "null" });
  return (await tk.output()).success;
}

/** A desktop with a terminal and a window of Tk, and what is done to that, a line each. */
async function world(display: XDisplay, folder: string) {
  const opened = await openScreen({
    display: displayIn(display),
    places: { workspace: "/nonexistent", grants: { allows: () => true } },
    privateFolder: () => Deno.makeTempDir(),
  });
  ok(opened.ok && opened.desktop.ok);
  const { desktop } = opened.desktop;
  const log = `${folder}/log.txt`;
  const script = fileURLToPath(new URL("../fixtures/screen/window.py", import.meta.url));
  await display.show([PYTHON, script, "A form", log], "A form");
  const backing = {
    files: filesIn(folder),
    ...{ desktop, reader, pictures: reader, store: folderBlobs(folder) },
  };
  const lines = async () => (await Deno.readTextFile(log)).trimEnd().split("\n");
  return {
    backing,
    does: (args: object) => runTool(computer, args, backing),
    logged: (line: string) =>
      until(`the line "${line}"`, async () => (await lines()).includes(line)),
    /** Where a widget is, in the picture of the screen. */
    async placeOf(widget: string) {
      const line = (await lines()).find((each) => each.startsWith(`${widget} `)) ?? "";
      const [, x = 0, y = 0] = line.split(" ").map(Number);
      return inPicture({ x, y }, SIZE);
    },
    /** The colour of a point of the picture that a call has shown. */
    async colour({ value }: { value: Readonly<Record<string, unknown>> }, x: number, y: number) {
      // A cast: only for calls that show a picture.
      const { blob } = value["shown"] as { blob: string };
      const image = decodeImage(await Deno.readFile(`${folder}/${blob}`));
      const { width, height } = { width: image.get_width(), height: image.get_height() };
      return colourAt({ width, height, bytes: image.get_raw_pixels() }, x, y);
    },
  };
}

Deno.test({ name: "computer at a window of Tk", ignore }, async (t) => {
  await using dir = await tempDir({});
  await using display = await xDisplay(SIZE.width, SIZE.height);
  const { does, logged, placeOf, colour, backing } = await world(display, dir.path);
  const button = await placeOf("button");
  const label = await placeOf("label");

  await t.step("windows", async () => {
    const { text } = await does({ action: "windows" });
    match(
      text,
      /^\[untrusted content \w+ from the screen: [^\n]*\n"A form": \d+ x \d+ at \d+, \d+/,
    );
  });
  await t.step("a text is typed, a button is clicked, and the screen shows it", async () => {
    strictEqual((await does({ action: "focus", window: "form" })).isError, false);
    const before = await colour(await does({ action: "screenshot" }), label.x, label.y + 10);
    deepStrictEqual(before, [0, 0, 255, 255]);
    const typed = await does({ action: "type", text: "Hello, W0rld! é" });
    strictEqual(typed.text, 'It types 15 characters in a window: "A form"');
    match((await does({ action: "click", ...button })).text, /^It clicks at \d+, \d+ in a window:/);
    await logged("pressed Hello, W0rld! é");
    const after = await colour(await does({ action: "screenshot" }), label.x, label.y + 10);
    deepStrictEqual(after, [255, 0, 0, 255]);
  });

  const acts: [args: object, line: string][] = [
    [{ action: "key", keys: "ctrl+shift+t" }, "ctrl+shift+t"],
    [{ action: "key", keys: "ctrl+/" }, "ctrl+/"],
    [{ action: "double_click", ...label }, "double"],
    [{ action: "right_click", ...label }, "right"],
    [{ action: "scroll", ...label, direction: "up", amount: 1 }, "up"],
    [{ action: "scroll", ...label, direction: "down", amount: 1 }, "down"],
    [{ action: "drag", ...label, to_x: label.x + 20, to_y: label.y }, "dragged"],
  ];
  for (const [args, line] of acts) {
    await t.step(JSON.stringify(args), async () => {
      strictEqual((await does(args)).isError, false);
      await logged(line);
    });
  }

  await t.step("the pointer goes where the picture shows it", async () => {
    await does({ action: "move", x: 0, y: 0 });
    match(await display.run(["xdotool", "getmouselocation"]), /^x:0 y:0 /);
  });
  await t.step("wait says whether something has changed", async () => {
    match((await does({ action: "wait", timeout_ms: 0 })).text, /\[no change\]$/);
    const busy = "while :; do date +%N; sleep 0.05; done";
    await display.show(["xterm", "-T", "New", "-e", "sh", "-c", busy], "New");
    const { value, text } = await does({ action: "wait", timeout_ms: 60_000 });
    strictEqual(value["changed"], true);
    strictEqual(text.includes("[no change]"), false);
  });
  await t.step("what was allowed for one window is not done in another", async () => {
    const args = { action: "type", text: "x" } as const;
    await does({ action: "focus", window: "form" });
    const plan = await planOf(computer, args, backing);
    await does({ action: "focus", window: "New" });
    const { text } = await runPlanned(computer, args, backing, plan);
    match(text, /^Another window is there now: New\n\[not done: changed\]$/);
  });
  const refused: [args: object, text: RegExp][] = [
    [{ action: "click", x: 99_999, y: 0 }, /lies outside.*\n\[not done: bad_arguments\]$/],
    [{ action: "key", keys: "hyper+x" }, /\[not done: bad_arguments\]$/],
    [{ action: "focus", window: "nothing" }, /^No window is "nothing".*\[not done: no_window\]$/s],
  ];
  for (const [args, want] of refused) {
    await t.step(`says no to ${JSON.stringify(args)}`, async () => {
      match((await does(args)).text, want);
    });
  }
});

Deno.test({ name: "computer at a terminal", ignore }, async (t) => {
  await using dir = await tempDir({});
  await using display = await xDisplay(SIZE.width, SIZE.height);
  const { does, backing } = await world(display, dir.path);
  const script = `trap 'echo stopped >>${dir.join("out.txt")}' INT
    while :; do IFS= read -r line && echo "$line" >>${dir.join("out.txt")}; done`;
  const terminal = ["xterm", "-T", "A shell", "-geometry", "40x5+0+0", "-e", "bash", "-c", script];
  await display.show(["xterm", ...terminal.slice(1)], "A shell");
  const says = (line: string) =>
    until(`the line "${line}"`, async () => {
      const text = await Deno.readTextFile(dir.join("out.txt")).catch(() => "");
      return text.split("\n").includes(line);
    });

  await t.step("a line is typed, and ctrl+c struck as one", async () => {
    await does({ action: "focus", window: "shell" });
    const typed = await does({ action: "type", text: "echo 'two words' | cat && $HOME\n" });
    strictEqual(typed.text, 'It types 32 characters in a terminal: "A shell"');
    strictEqual(typed.value["risk"], "sensitive");
    await says("echo 'two words' | cat && $HOME");
    await does({ action: "key", keys: "ctrl+c" });
    await says("stopped");
  });
  await t.step("what goes there is sensitive, and its words tell no title", async () => {
    const plan = await planOf(computer, { action: "type", text: "ls" }, backing);
    deepStrictEqual(plan.touches, [{
      kind: "screen",
      act: "sensitive",
      what: "it types 2 characters in a terminal",
      where: "A shell",
    }]);
  });
  await t.step("looking is not", async () => {
    for (const action of ["screenshot", "windows", "wait"]) {
      const { touches } = await planOf(computer, { action }, backing);
      deepStrictEqual(touches.map((touch) => touch.kind === "screen" && touch.act), ["look"]);
    }
  });
});
