import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import { x11Desktop, xdotoolCall } from "../../../agent/screen/x11_desktop.ts";
import { fittedSize } from "../../../tools/image/fit.ts";
import { computerParameters, readDeed } from "../../../tools/screen/deed.ts";
import { keptArguments } from "../../../tools/screen/kept_arguments.ts";
import { riskOf } from "../../../tools/screen/risk.ts";
import { inPicture, onScreen } from "../../../tools/screen/scale.ts";
import type { DesktopAct, DesktopWindow } from "../../../tools/screen/desktop.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { until } from "../../helpers/x_display.ts";

const SCREEN = { width: 3840, height: 2160 };
const SHOWN = fittedSize(SCREEN);

Deno.test("readDeed() reads what a call asks for, in pixels of the screen", async (t) => {
  // The picture is 2.69 times smaller; the middle of a pixel is meant.
  const at = { x: 270, y: 135 };
  const cases: [args: object, want: object][] = [
    [{ action: "screenshot" }, { kind: "screenshot" }],
    [{ action: "windows" }, { kind: "windows" }],
    [{ action: "wait" }, { kind: "wait", timeoutMs: 5000 }],
    [{ action: "focus", window: "a" }, { kind: "focus", title: "a" }],
    [{ action: "move", x: 100, y: 50 }, { kind: "act", act: { kind: "move", at } }],
    [{ action: "click", x: 100, y: 50 }, {
      kind: "act",
      act: { kind: "click", at, button: "left", count: 1 },
    }],
    [{ action: "double_click", x: 100, y: 50 }, {
      kind: "act",
      act: { kind: "click", at, button: "left", count: 2 },
    }],
    [{ action: "right_click", x: 100, y: 50 }, {
      kind: "act",
      act: { kind: "click", at, button: "right", count: 1 },
    }],
    [{ action: "drag", x: 100, y: 50, to_x: 100, to_y: 50 }, {
      kind: "act",
      act: { kind: "drag", from: at, to: at },
    }],
    [{ action: "scroll", x: 100, y: 50, direction: "up" }, {
      kind: "act",
      act: { kind: "scroll", at, direction: "up", amount: 3 },
    }],
    [{ action: "type", text: "a" }, { kind: "act", act: { kind: "type", text: "a" } }],
    [{ action: "key", keys: "ctrl+c" }, {
      kind: "act",
      act: { kind: "key", chord: { modifiers: ["ctrl"], key: "c" } },
    }],
  ];
  for (const [args, deed] of cases) {
    await t.step(JSON.stringify(args), () => {
      deepStrictEqual(readDeed(computerParameters.parse(args), SCREEN), { ok: true, deed });
    });
  }
});

Deno.test("readDeed() says what is missing or wrong", async (t) => {
  const cases: [args: object, problem: string | RegExp][] = [
    [{ action: "click", x: 1 }, "click needs x and y"],
    [{ action: "drag", x: 1, y: 1, to_x: 1 }, "drag needs to_x and to_y"],
    [{ action: "scroll", x: 1, y: 1 }, "scroll needs direction"],
    [{ action: "type", text: "" }, "type needs text"],
    [{ action: "key" }, "key needs keys"],
    [{ action: "key", keys: "ctl+c" }, '"ctl" is no key that is held'],
    [{ action: "focus" }, "focus needs window"],
    [{ action: "click", x: SHOWN.width, y: 0 }, /^\d+, 0 lies outside of the picture/],
    [{ action: "move", x: 0, y: SHOWN.height }, /^0, \d+ lies outside of the picture/],
    [{ action: "drag", x: 0, y: 0, to_x: 0, to_y: 9999 }, /^0, 9999 lies outside/],
  ];
  for (const [args, want] of cases) {
    await t.step(JSON.stringify(args), () => {
      const read = readDeed(computerParameters.parse(args), SCREEN);
      ok(!read.ok);
      if (typeof want === "string") strictEqual(read.problem, want);
      else ok(want.test(read.problem), read.problem);
    });
  }
});

Deno.test("onScreen() stays on the screen, and inPicture() leads back", () => {
  const side = fc.integer({ min: 1, max: 10_000 });
  fc.assert(fc.property(side, side, fc.nat(), fc.nat(), (width, height, a, b) => {
    const screen = { width, height };
    const shown = fittedSize(screen);
    const point = { x: a % shown.width, y: b % shown.height };
    const real = onScreen(point, screen);
    ok(real && real.x >= 0 && real.y >= 0 && real.x < width && real.y < height);
    deepStrictEqual(inPicture(real, screen), point);
  }));
});

Deno.test("riskOf() goes by where it goes", async (t) => {
  const place = { x: 0, y: 0, width: 10, height: 10 };
  const editor = { id: "1", title: "notes", place, isTerminal: false };
  const terminal = { ...editor, isTerminal: true };
  const secret = { ...editor, title: "Authentication Required" };
  const at = { x: 1, y: 1 };
  const click: DesktopAct = { kind: "click", at, button: "left", count: 1 };
  const type: DesktopAct = { kind: "type", text: "a" };
  const key = (key: string, ...modifiers: ("ctrl" | "alt")[]): DesktopAct => ({
    kind: "key",
    chord: { modifiers, key },
  });
  const cases: [name: string, act: DesktopAct, window: DesktopWindow | undefined, risk: string][] =
    [
      ["moving", { kind: "move", at }, undefined, "act"],
      ["a click", click, editor, "act"],
      ["a click on what asks for a secret", click, secret, "sensitive"],
      ["typing", type, editor, "act"],
      ["typing into a terminal", type, terminal, "sensitive"],
      ["typing a secret", type, secret, "sensitive"],
      ["typing who knows where", type, undefined, "sensitive"],
      ["a key", key("c", "ctrl"), editor, "act"],
      ["a key in a terminal", key("c", "ctrl"), terminal, "sensitive"],
      ["a key that closes", key("f4", "alt"), editor, "sensitive"],
    ];
  for (const [name, act, window, risk] of cases) {
    await t.step(name, () => strictEqual(riskOf(act, window), risk));
  }
});

Deno.test("keptArguments() keeps no text that was typed", () => {
  deepStrictEqual(
    keptArguments({ action: "type", text: "höh 😀", x: 1, other: ["s"], nothing: null }),
    {
      action: "type",
      text: "[5 characters]",
      x: 1,
      other: "[5 characters]",
      nothing: "[4 characters]",
    },
  );
  deepStrictEqual(keptArguments({ action: "key", keys: "ctrl+c" }).keys, "ctrl+c");
  deepStrictEqual(keptArguments({ action: "key", keys: "S" }).keys, "1 character");
  deepStrictEqual(keptArguments({ action: "key", keys: "secret" }).keys, "[6 characters]");
});

Deno.test("x11Desktop() lets go of the mouse where a drag is given up", async () => {
  await using dir = await tempDir({});
  const xdotool = dir.join("xdotool");
  const script = `#!/bin/sh\necho "$*" >>'${dir.join("calls")}'\n` +
    `case $* in *mousedown*) exec sleep 600;; esac\n`;
  await Deno.writeTextFile(xdotool, script);
  await Deno.chmod(xdotool, 0o755);
  const environment = { PATH: "/usr/bin:/bin" };
  const screen = { capture: () => Promise.reject(), windows: () => Promise.resolve([]) };
  const desktop = x11Desktop({ xdotool, environment, python: "" }, screen);
  const calls = () => Deno.readTextFile(dir.join("calls")).catch(() => "");
  const stop = new AbortController();
  const at = { x: 1, y: 1 };
  const drag = desktop.act({ kind: "drag", from: at, to: at }, stop.signal);
  await until("a button that is held", async () => (await calls()).includes("mousedown"));
  stop.abort(new Error("enough"));
  await rejects(drag, /^Error: enough$/);
  match(await calls(), /\nmouseup 1\n$/);
});

Deno.test("xdotoolCall() hands a text over where no other process sees it", () => {
  const { argv, input } = xdotoolCall({ kind: "type", text: "secret" });
  strictEqual(argv.includes("secret"), false);
  strictEqual(input, "secret");
});

Deno.test("the longest text has the time that xdotool takes for it", () => {
  const text = "a".repeat(10_000);
  ok(computerParameters.safeParse({ action: "type", text }).success);
  const { argv, limitMs = 0 } = xdotoolCall({ kind: "type", text });
  ok(limitMs >= text.length * Number(argv[argv.indexOf("--delay") + 1]), String(limitMs));
  strictEqual(xdotoolCall({ kind: "move", at: { x: 1, y: 1 } }).limitMs, undefined);
});
