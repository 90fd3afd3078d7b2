/** A browser that is driven one action at a time; the first action starts it. */
export interface Browser {
  /** What an action would act on; looks, never starts anything. */
  look(): BrowserLook;
  /**
   * Does one action, and looks at what is there after it. Actions come one after the other.
   * @throws {Error} where no browser can be had; the reason of the signal once that is raised.
   */
  act(action: BrowserAction, options: ActOptions): Promise<BrowserStep>;
}

/** What a browser is, before it is used. */
export interface BrowserLook {
  /** `own`: started by us, with nothing of a person; `attached`: a person's own; `text`: lynx. */
  readonly kind: "own" | "attached" | "text";
  readonly running: boolean;
  /** Whether something holds it, as the kernel view does. */
  readonly confined: boolean;
}

export interface ActOptions {
  readonly signal: AbortSignal;
  /** What the action may take; the page's own slowness included. */
  readonly timeoutMs: number;
  /** How a page's question is answered that comes up meanwhile; default: it is dismissed. */
  readonly dialog?: DialogAnswer;
}

/** An answer to `alert`, `confirm` and `prompt`. */
export interface DialogAnswer {
  readonly accept: boolean;
  /** What is typed into a prompt. */
  readonly text?: string;
}

/** What can be done in a browser. A `ref` is one of the snapshot that was shown last. */
export type BrowserAction =
  | { readonly kind: "open"; readonly url: string }
  | { readonly kind: "snapshot" | "read" | "back" | "forward" | "pdf" | "console" | "network" }
  | { readonly kind: "tabs" | "close" }
  | { readonly kind: "search"; readonly text: string }
  | { readonly kind: "click"; readonly ref: string; readonly double?: boolean }
  | { readonly kind: "hover"; readonly ref: string }
  | {
    readonly kind: "fill";
    readonly ref: string;
    readonly text: string;
    /** Enter at the end. */
    readonly submit?: boolean;
  }
  | { readonly kind: "select"; readonly ref: string; readonly values: readonly string[] }
  | { readonly kind: "upload"; readonly ref: string; readonly files: readonly BrowserFile[] }
  | { readonly kind: "press"; readonly key: string; readonly ref?: string }
  | { readonly kind: "scroll"; readonly to: ScrollTarget }
  | { readonly kind: "scroll"; readonly ref: string }
  /** Until the text is there, or with `gone` no longer; without a text for some seconds. */
  | { readonly kind: "wait"; readonly text?: string; readonly gone?: boolean }
  | { readonly kind: "tab"; readonly tab: number }
  | { readonly kind: "close_tab"; readonly tab?: number }
  | { readonly kind: "new_tab"; readonly url?: string }
  /** Reads a page in a tab of its own, which is closed then: all others stay as they are. */
  | { readonly kind: "peek"; readonly url: string }
  | { readonly kind: "screenshot"; readonly ref?: string; readonly full?: boolean }
  | { readonly kind: "save_state" | "load_state"; readonly name: string };

/** Where a page is scrolled to: a screen up or down, or its ends. */
export type ScrollTarget = (typeof SCROLL_TARGETS)[number];
export const SCROLL_TARGETS = ["up", "down", "top", "bottom"] as const;

/** A file on its way into the browser or out of it. */
export interface BrowserFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** What is there after an action, whether it could be done or not. */
export interface BrowserStep {
  /** Why it could not be done. */
  readonly refusal?: BrowserRefusal;
  /** The tab in front; absent where none is open. */
  readonly page?: PageView;
  readonly tabs: readonly TabView[];
  /** What happened meanwhile, in order. */
  readonly events: readonly BrowserEvent[];
  /** The page's source, of `read`. */
  readonly html?: string;
  /** The page that was peeked at, and where it was found. */
  readonly source?: { readonly url: string; readonly html: string };
  /** What was asked for instead of the page, of `console`, `network` and `search`. */
  readonly text?: string;
  /** Of `screenshot` and `pdf`. */
  readonly file?: BrowserFile;
}

export interface BrowserRefusal {
  readonly reason: BrowserRefusalReason;
  /** One sentence; nothing in it is a page's. */
  readonly message: string;
  /** What the browser says, which may have words of a page in it. */
  readonly detail?: string;
}

/** Stable identifiers of what an action can fail for. */
export type BrowserRefusalReason = (typeof BROWSER_REFUSALS)[number];
export const BROWSER_REFUSALS = [
  /** Not an address that is opened here. */
  "bad_url",
  /** Nothing came from there. */
  "unreachable",
  /** The reference is of a page that has changed. */
  "stale_ref",
  "timeout",
  /** There is no such tab, key, state, or nothing to go back to. */
  "not_found",
  /** The element or page does not take it. */
  "failed",
  "crashed",
  /** The browser ended, and another one was started. */
  "lost",
  /** This browser cannot do it. */
  "unsupported",
  /** A parameter is missing. */
  "bad_arguments",
] as const;

export interface PageView {
  /** From 1, in the order in which the tabs were opened. */
  readonly tab: number;
  readonly url: string;
  readonly title: string;
  /** The page as an accessibility tree, with `[ref=…]` for what can be acted on. */
  readonly snapshot: string;
}

export interface TabView {
  readonly tab: number;
  readonly url: string;
  readonly title: string;
  readonly active: boolean;
}

/** What a page, or the browser, did by itself. Texts are the page's. */
export type BrowserEvent =
  | {
    readonly kind: "dialog";
    readonly type: string;
    readonly message: string;
    readonly accepted: boolean;
  }
  /** It is in front now. */
  | { readonly kind: "new_tab"; readonly tab: number; readonly url: string }
  | { readonly kind: "tab_closed"; readonly tab: number }
  | { readonly kind: "download"; readonly file: BrowserFile; readonly url: string }
  | { readonly kind: "download_failed"; readonly name: string; readonly why: string }
  | { readonly kind: "crashed"; readonly tab: number }
  | { readonly kind: "restarted" }
  /** Hosts that it wanted and did not reach; the message is ours. */
  | { readonly kind: "refused"; readonly message: string };
