import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  type BrowserArguments,
  browserParameters,
  dialogOf,
  MAX_ACTION_MS,
  readAction,
  timeoutOf,
} from "../../../tools/browser/action.ts";

Deno.test("readAction()", async (t) => {
  const cases: [args: BrowserArguments, want: unknown][] = [
    [{ action: "open", url: "example.com/a" }, { kind: "open", url: "https://example.com/a" }],
    [{ action: "open", url: " localhost:3000 " }, { kind: "open", url: "http://localhost:3000" }],
    [{ action: "open", url: "a.test:8080/x" }, { kind: "open", url: "https://a.test:8080/x" }],
    [{ action: "open", url: "file:///x" }, { kind: "open", url: "file:///x" }],
    [{ action: "click", ref: "[ref=e12]" }, { kind: "click", ref: "e12" }],
    [{ action: "click", ref: "aria-ref=f1e2", double: true }, {
      kind: "click",
      ref: "f1e2",
      double: true,
    }],
    [{ action: "fill", ref: "e1", text: "" }, { kind: "fill", ref: "e1", text: "" }],
    [{ action: "press", key: "Enter" }, { kind: "press", key: "Enter" }],
    [{ action: "scroll" }, { kind: "scroll", to: "down" }],
    [{ action: "scroll", ref: "e1", to: "up" }, { kind: "scroll", ref: "e1" }],
    [{ action: "wait", text: "x", gone: true }, { kind: "wait", text: "x", gone: true }],
    [{ action: "wait", gone: true }, { kind: "wait" }],
    [{ action: "close_tab" }, { kind: "close_tab" }],
    [{ action: "upload", ref: "e1", path: "a" }, { kind: "upload", ref: "e1", path: "a" }],
  ];
  for (const [args, want] of cases) {
    await t.step(JSON.stringify(args), () => {
      deepStrictEqual(readAction(args), { ok: true, action: want });
    });
  }
});

Deno.test("readAction() says what is missing", async (t) => {
  const cases: [args: BrowserArguments, name: string][] = [
    [{ action: "open" }, "url"],
    [{ action: "click" }, "ref"],
    [{ action: "hover" }, "ref"],
    [{ action: "fill", text: "x" }, "ref"],
    [{ action: "fill", ref: "e1" }, "text"],
    [{ action: "select", ref: "e1" }, "values"],
    [{ action: "upload", ref: "e1" }, "path"],
    [{ action: "press" }, "key"],
    [{ action: "search", text: "" }, "text"],
    [{ action: "tab" }, "tab"],
    [{ action: "save_state" }, "name"],
    [{ action: "load_state" }, "name"],
  ];
  for (const [args, name] of cases) {
    await t.step(JSON.stringify(args), () => {
      const message = `Cannot ${args.action} without "${name}": say which`;
      deepStrictEqual(readAction(args), { ok: false, message });
    });
  }
});

Deno.test("every action can be written, and a name leads out of no folder", () => {
  for (const action of browserParameters.shape.action.options) {
    strictEqual(browserParameters.safeParse({ action }).success, true, action);
  }
  for (const name of ["../x", "a/b", "", "a.json", "x".repeat(41)]) {
    strictEqual(browserParameters.safeParse({ action: "save_state", name }).success, false, name);
  }
});

Deno.test("limits and answers", () => {
  strictEqual(timeoutOf({ action: "wait", timeout_ms: 1e9 }), MAX_ACTION_MS);
  strictEqual(timeoutOf({ action: "wait", timeout_ms: 5 }), 5);
  strictEqual(dialogOf({ action: "click" }), undefined);
  deepStrictEqual(dialogOf({ action: "click", dialog: "dismiss" }), { accept: false });
  deepStrictEqual(dialogOf({ action: "click", dialog_text: "x" }), { accept: true, text: "x" });
});
