import { deepStrictEqual, match, ok, rejects, strictEqual, throws } from "node:assert/strict";
import type { Desktop } from "../../../tools/screen/desktop.ts";
import { missingRight } from "../../../agent/screen/macos_rights.ts";
import { readMacLook } from "../../../agent/screen/macos_look.ts";
import { openScreen } from "../../../agent/screen/open_screen.ts";
import { type TempDir, tempDir } from "../../helpers/temp_dir.ts";

const place = { x: 10, y: 20, width: 300, height: 200 };
const notes = { id: 7, pid: 1, program: "Notes", title: "a", asksForSecret: false, ...place };
const shell = { ...notes, id: 8, pid: 2, program: "iTerm2", title: "" };
const LOOK = {
  screen: { width: 1440, height: 900, scale: 2 },
  ...{ mayRecord: true, hidesKeys: false, front: 2 },
  windows: [shell, notes],
};

/** A script that does as a program of macOS, and notes its arguments and what it reads. */
const noting = (dir: TempDir, name: string, rest: string) =>
  `#!/bin/sh\n{ printf '%s|' "$@"; echo; } >>'${dir.join(`${name}.args`)}'\n` +
  `/bin/cat >>'${dir.join(`${name}.input`)}'\n${rest}\n`;

/** Opens the screen of a Mac whose programs are these; `undefined`: not installed. */
async function macWith(
  dir: TempDir,
  programs: Readonly<Record<string, string | undefined>>,
  allows: (name: string) => boolean = () => true,
) {
  const all = { screencapture: "exit 0", osascript: "", ...programs };
  for (const [name, rest] of Object.entries(all)) {
    if (rest === undefined) continue;
    const path = dir.join(`bin/${name}`);
    await Deno.writeTextFile(path, noting(dir, name, rest));
    await Deno.chmod(path, 0o755);
  }
  return await openScreen({
    display: { kind: "macos", environment: { PATH: dir.join("bin") } },
    places: {
      workspace: "/nonexistent",
      grants: { allows: (_: string, name?: string) => allows(name ?? "") },
    },
    privateFolder: () => Deno.makeTempDir({ dir: dir.path }),
  });
}

async function desktopOf(dir: TempDir, programs: Readonly<Record<string, string>>) {
  const opened = await macWith(dir, programs);
  ok(opened.ok && opened.desktop.ok);
  return opened.desktop.desktop;
}

const answering = (look: object) => `/bin/echo '${JSON.stringify(look)}'`;
const never = new AbortController().signal;

Deno.test("a Mac without cliclick is looked at, and says what helps", async (t) => {
  const notGranted = (missing: string) => (name: string) => name !== missing;
  const cases: [name: string, programs: Record<string, string | undefined>, RegExp, string?][] = [
    ["no cliclick", {}, /^cliclick is not installed: brew install cliclick \(nobody has tried/],
    ["no osascript", { cliclick: "", osascript: undefined }, /^osascript is not installed: it is/],
    ["no right", { cliclick: "" }, /^--allow-run=cliclick$/, "cliclick"],
    ["no right to ask", { cliclick: "" }, /^--allow-run=osascript$/, "osascript"],
  ];
  for (const [name, programs, reason, missing] of cases) {
    await t.step(name, async () => {
      await using dir = await tempDir({ "bin/": "" });
      const opened = await macWith(dir, programs, notGranted(missing ?? ""));
      ok(opened.ok && !opened.desktop.ok);
      match(opened.desktop.reason, reason);
    });
  }
  await t.step("with all", async () => {
    await using dir = await tempDir({ "bin/": "" });
    ok((await desktopOf(dir, { cliclick: "" })).act);
  });
});

Deno.test("readMacLook() counts in pixels, the hindmost first", () => {
  const { size, scale, windows, focused } = readMacLook(JSON.stringify(LOOK));
  deepStrictEqual([size, scale], [{ width: 2880, height: 1800 }, 2]);
  const pixels = { x: 20, y: 40, width: 600, height: 400 };
  const terminal = { id: "8", title: "iTerm2", place: pixels, isTerminal: true };
  deepStrictEqual(windows, [{ id: "7", title: "a", place: pixels, isTerminal: false }, terminal]);
  deepStrictEqual(focused, terminal);
});

Deno.test("readMacLook() knows who hides what is typed", () => {
  const focused = (look: object) => readMacLook(JSON.stringify({ ...LOOK, ...look })).focused;
  strictEqual(focused({})?.hidesKeys, undefined);
  strictEqual(focused({ hidesKeys: true })?.hidesKeys, true);
  const asking = { ...notes, id: 9, pid: 3, program: "SecurityAgent", asksForSecret: true };
  const seen = focused({ windows: [asking, shell] });
  deepStrictEqual([seen?.id, seen?.hidesKeys], ["9", true]);
  strictEqual(focused({ front: 99 }), undefined);
  for (const output of ["", "{}", "null"]) {
    throws(() => readMacLook(output), /^Error: Cannot understand what macOS says/);
  }
});

Deno.test("acts go to cliclick on standard input, and are told where they fail", async (t) => {
  const type = { kind: "type", text: "secret" } as const;
  const chord = { kind: "key", chord: { modifiers: ["super"], key: "c" } } as const;
  const file = (dir: TempDir, name: string) => Deno.readTextFile(dir.join(name));
  await t.step("typing", async () => {
    await using dir = await tempDir({ "bin/": "" });
    const osascript = answering(LOOK);
    await (await desktopOf(dir, { cliclick: "", osascript })).act(type, never);
    deepStrictEqual(
      [await file(dir, "cliclick.args"), await file(dir, "cliclick.input")],
      ["-f|-|\n", "t:secret\n"],
    );
  });
  await t.step("scrolling", async () => {
    await using dir = await tempDir({ "bin/": "" });
    const desktop = await desktopOf(dir, { cliclick: "", osascript: answering(LOOK) });
    const at = { x: 4, y: 6 };
    await desktop.act({ kind: "scroll", at, direction: "down", amount: 2 }, never);
    strictEqual(await file(dir, "cliclick.input"), "m:2,3\n");
    match(await file(dir, "osascript.args"), /\n-l\|JavaScript\|-\|scroll\|-2\|0\|\n$/);
  });
  const refuses = async (desktop: Desktop, message: RegExp) =>
    await rejects(desktop.act(chord, never), (error: Error) => {
      match(error.message, message);
      return true;
    });
  await t.step("without the right, which cliclick does not take for a failure", async () => {
    await using dir = await tempDir({ "bin/": "" });
    const cliclick = "echo 'WARNING: Accessibility privileges not enabled.'";
    const desktop = await desktopOf(dir, { cliclick, osascript: answering(LOOK) });
    await refuses(
      desktop,
      /^Cannot use mouse .*: allow .* Privacy & Security > Accessibility, and/,
    );
    // What is held is let go of.
    match(await file(dir, "cliclick.input"), /^kd:cmd\nt:c\nku:cmd\nku:cmd\n$/);
  });
  await t.step("without telling what was typed", async () => {
    await using dir = await tempDir({ "bin/": "" });
    const cliclick = "echo 'Unrecognized: t:c'; exit 1";
    const desktop = await desktopOf(dir, { cliclick, osascript: answering(LOOK) });
    await refuses(desktop, /^Cannot use mouse and keyboard by cliclick: exit code 1$/);
  });
  await t.step("where System Events may not be asked", async () => {
    await using dir = await tempDir({ "bin/": "" });
    const osascript = "echo 'Not authorized to send Apple events (-1743)' >&2; exit 1";
    const desktop = await desktopOf(dir, { cliclick: "", osascript });
    await refuses(desktop, /^Cannot ask macOS .* > Privacy & Security > Automation, and start/);
  });
});

Deno.test("a screen that may not be recorded is not shown empty", async (t) => {
  const screencapture = `for file; do :; done; printf png >"$file"`;
  const cases: [name: string, osascript: string, error?: RegExp][] = [
    ["with the right", answering(LOOK)],
    ["where macOS does not answer", "exit 1"],
    ["without", answering({ ...LOOK, mayRecord: false }), / > Screen Recording, and start it/],
  ];
  for (const [name, osascript, error] of cases) {
    await t.step(name, async () => {
      await using dir = await tempDir({ "bin/": "" });
      const opened = await macWith(dir, { screencapture, osascript });
      ok(opened.ok);
      if (error) await rejects(opened.screen.capture(never), error);
      else strictEqual((await opened.screen.capture(never)).program, "screencapture");
    });
  }
});

Deno.test("missingRight() knows the words of each program", () => {
  const cases: [words: string, place: RegExp | undefined][] = [
    ["could not create image from display", /> Screen Recording,/],
    ["osascript is not allowed assistive access. (-25211)", /> Accessibility,/],
    ["WARNING: Accessibility privileges not enabled.", /> Accessibility,/],
    ["Not authorised to send Apple events to System Events. (-1743)", /> Automation,/],
    ["the window has closed", undefined],
  ];
  for (const [words, place] of cases) {
    if (place) match(missingRight(words) ?? "", place);
    else strictEqual(missingRight(words), undefined);
  }
});
