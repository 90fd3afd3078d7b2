import * as z from "zod";
import type { Infer } from "../tool.ts";
import { type BrowserAction, type DialogAnswer, SCROLL_TARGETS } from "./browser.ts";

/** What an action may take, in milliseconds: by default, and at the most. */
export const DEFAULT_ACTION_MS = 20_000;
export const MAX_ACTION_MS = 120_000;

const actionNames = z.enum([
  "open",
  "snapshot",
  "read",
  "search",
  "click",
  "fill",
  "select",
  "press",
  "hover",
  "scroll",
  "wait",
  "back",
  "forward",
  "tabs",
  "tab",
  "new_tab",
  "close_tab",
  "screenshot",
  "console",
  "network",
  "pdf",
  "upload",
  "save_state",
  "load_state",
  "close",
]);

/** What the model writes: one action, and what that takes. */
export const browserParameters = z.strictObject({
  action: actionNames,
  url: z.string().min(1).optional(),
  ref: z.string().min(1).describe("Of the last snapshot, as e12").optional(),
  text: z.string().describe("To fill in, search or wait for").optional(),
  values: z.array(z.string()).describe("select: values or labels").optional(),
  key: z.string().min(1).describe("As Enter, Control+a").optional(),
  submit: z.boolean().describe("fill: Enter at the end").optional(),
  double: z.boolean().describe("click").optional(),
  to: z.enum(SCROLL_TARGETS).describe("scroll").optional(),
  gone: z.boolean().describe("wait: for no such text").optional(),
  tab: z.int().min(1).optional(),
  full: z.boolean().describe("screenshot: the whole page").optional(),
  path: z.string().min(1).describe("upload").optional(),
  name: z.string().regex(/^[A-Za-z0-9_-]{1,40}$/).describe("save_state, load_state").optional(),
  dialog: z.enum(["accept", "dismiss"]).describe("If the page asks").optional(),
  dialog_text: z.string().optional(),
  offset: z.int().min(0).describe("Characters to skip").optional(),
  timeout_ms: z.number().positive()
    .describe(`Default ${DEFAULT_ACTION_MS}, at most ${MAX_ACTION_MS}`).optional(),
});

/** What the model wrote. */
export type BrowserArguments = Infer<typeof browserParameters>;

/** An action that is whole, but for the bytes of files; or the parameter that is missing. */
export type ReadAction =
  | { readonly ok: true; readonly action: Exclude<BrowserAction, { kind: "upload" }> }
  | { readonly ok: true; readonly action: UploadAction }
  | { readonly ok: false; readonly message: string };

/** An upload whose file is still to be read. */
export interface UploadAction {
  readonly kind: "upload";
  readonly ref: string;
  readonly path: string;
}

/** Reads what the model wrote as an action. Pure. */
export function readAction(args: BrowserArguments): ReadAction {
  const { action: kind, ref } = args;
  switch (kind) {
    case "open":
      return args.url === undefined
        ? missing(kind, "url")
        : whole({ kind, url: addressOf(args.url) });
    case "new_tab":
      return whole({ kind, ...(args.url !== undefined && { url: addressOf(args.url) }) });
    case "click":
    case "hover": {
      if (ref === undefined) return missing(kind, "ref");
      const double = kind === "click" && args.double ? { double: true } : {};
      return whole({ kind, ref: plainRef(ref), ...double });
    }
    case "fill":
      if (ref === undefined) return missing(kind, "ref");
      if (args.text === undefined) return missing(kind, "text");
      return whole({
        ...{ kind, ref: plainRef(ref), text: args.text },
        ...(args.submit && { submit: true }),
      });
    case "select":
      if (ref === undefined) return missing(kind, "ref");
      if (args.values === undefined) return missing(kind, "values");
      return whole({ kind, ref: plainRef(ref), values: args.values });
    case "upload":
      if (ref === undefined) return missing(kind, "ref");
      if (args.path === undefined) return missing(kind, "path");
      return { ok: true, action: { kind, ref: plainRef(ref), path: args.path } };
    case "press":
      if (args.key === undefined) return missing(kind, "key");
      return whole({ kind, key: args.key, ...(ref !== undefined && { ref: plainRef(ref) }) });
    case "scroll":
      return whole(
        ref === undefined ? { kind, to: args.to ?? "down" } : { kind, ref: plainRef(ref) },
      );
    case "search":
      return args.text ? whole({ kind, text: args.text }) : missing(kind, "text");
    case "wait":
      return whole({
        kind,
        ...(args.text && { text: args.text }),
        ...(args.text && args.gone && { gone: true }),
      });
    case "tab":
      return args.tab === undefined ? missing(kind, "tab") : whole({ kind, tab: args.tab });
    case "close_tab":
      return whole({ kind, ...(args.tab !== undefined && { tab: args.tab }) });
    case "screenshot":
      return whole({
        kind,
        ...(ref !== undefined && { ref: plainRef(ref) }),
        ...(args.full && { full: true }),
      });
    case "save_state":
    case "load_state":
      return args.name === undefined ? missing(kind, "name") : whole({ kind, name: args.name });
    case "snapshot":
    case "read":
    case "back":
    case "forward":
    case "tabs":
    case "console":
    case "network":
    case "pdf":
    case "close":
      return whole({ kind });
  }
}

/** How long an action may take. */
export function timeoutOf({ timeout_ms = DEFAULT_ACTION_MS }: BrowserArguments): number {
  return Math.min(timeout_ms, MAX_ACTION_MS);
}

/** What a page's question is answered with; undefined where nothing was said. */
export function dialogOf({ dialog, dialog_text }: BrowserArguments): DialogAnswer | undefined {
  if (dialog === undefined && dialog_text === undefined) return undefined;
  return {
    accept: dialog !== "dismiss",
    ...(dialog_text !== undefined && { text: dialog_text }),
  };
}

/** As a person would type it into a browser; one on this machine has no certificate. */
function addressOf(url: string): string {
  const plain = url.trim();
  if (/^localhost(?=[:/]|$)/i.test(plain)) return `http://${plain}`;
  // A number after the colon is a port.
  return /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(plain) ? plain : `https://${plain}`;
}

/** `e12`, however much of `[ref=e12]` was copied with it. */
function plainRef(ref: string): string {
  return ref.trim().replace(/^\[?(?:aria-)?(?:ref=)?/, "").replace(/\]$/, "");
}

function whole(action: Exclude<BrowserAction, { kind: "upload" }>): ReadAction {
  return { ok: true, action };
}

function missing(kind: string, name: string): ReadAction {
  return { ok: false, message: `Cannot ${kind} without "${name}": say which` };
}
