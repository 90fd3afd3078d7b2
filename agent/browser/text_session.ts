import { LastWords } from "../../sandbox/cell/last_words.ts";
import { stopAt } from "../../sandbox/commands/timers.ts";
import type { ActOptions, BrowserAction, BrowserStep } from "../../tools/browser/browser.ts";
import type { BrowserGround } from "./ground.ts";
import { linesWith, type LynxPage, readLynxPage } from "./lynx_page.ts";
import { ActionRefused, staleRef } from "./refusals.ts";
import type { BrowserSession } from "./session.ts";

/** A page as text at the most, in bytes. */
const MAX_DUMP_BYTES = 4 * 1024 * 1024;

/** Pages that `back` knows. */
const MAX_HISTORY = 50;

const FLAGS = ["-dump", "-width=120", "-display_charset=utf-8", "-nomargins", "-nolog"];

interface Visited extends LynxPage {
  readonly url: string;
}

/** Lynx: pages as text, without scripts, each by a process that ends with it. */
export class TextSession implements BrowserSession {
  readonly #ground: BrowserGround;
  readonly #history: Visited[] = [];
  #at = -1;
  #ended = false;

  constructor(ground: BrowserGround) {
    this.#ground = ground;
  }

  get ended(): boolean {
    return this.#ended;
  }

  get url(): string | undefined {
    return this.#page?.url;
  }

  get #page(): Visited | undefined {
    return this.#history[this.#at];
  }

  async act(action: BrowserAction, options: ActOptions): Promise<BrowserStep> {
    this.#ground.beginStep();
    this.#ground.takeRefusals();
    try {
      return { ...this.#look(await this.#do(action, options)) };
    } catch (error) {
      if (!(error instanceof ActionRefused)) throw error;
      const { reason, message } = error;
      return { ...this.#look(undefined), refusal: { reason, message } };
    }
  }

  /** Resolves to what is shown instead of the page. */
  async #do(action: BrowserAction, options: ActOptions): Promise<string | undefined> {
    switch (action.kind) {
      case "open":
        await this.#open(action.url, options);
        return undefined;
      case "click": {
        const url = this.#need().links.get(Number(action.ref));
        if (url === undefined) throw staleRef("click", action.ref);
        await this.#open(url, options);
        return undefined;
      }
      case "back":
      case "forward":
        this.#travel(action.kind);
        return undefined;
      case "search":
        return linesWith(this.#need().text, action.text);
      case "snapshot":
      case "read":
        this.#need();
        return undefined;
      case "tabs":
      case "close":
        return undefined;
      default: {
        const why = "only lynx is here, which shows text and follows links; install chromium";
        throw new ActionRefused("unsupported", `Cannot ${action.kind}: ${why}`);
      }
    }
  }

  #need(): Visited {
    if (this.#page) return this.#page;
    throw new ActionRefused("not_found", "Cannot act on a page: none is open, open one first");
  }

  #travel(way: "back" | "forward"): void {
    const next = this.#at + (way === "back" ? -1 : 1);
    if (this.#history[next] === undefined) {
      throw new ActionRefused("not_found", `Cannot go ${way}: there is no page there`);
    }
    this.#at = next;
  }

  async #open(url: string, options: ActOptions): Promise<void> {
    const protocol = URL.parse(url)?.protocol;
    if (protocol !== "http:" && protocol !== "https:") {
      const why = "only http and https are opened";
      throw new ActionRefused("bad_url", `Cannot open ${JSON.stringify(url)}: ${why}`);
    }
    const page = readLynxPage(await this.#fetch(url, options));
    this.#history.splice(this.#at + 1, Infinity, { ...page, url });
    if (this.#history.length > MAX_HISTORY) this.#history.shift();
    this.#at = this.#history.length - 1;
  }

  /** @throws {ActionRefused} where nothing came. */
  async #fetch(url: string, { timeoutMs, signal }: ActOptions): Promise<string> {
    const { place } = this.#ground;
    const proxy = `http://127.0.0.1:${place.proxyPort}`;
    const process = place.start(["lynx", ...FLAGS, url], {
      ...{ http_proxy: proxy, https_proxy: proxy },
      TERM: "dumb",
    });
    const words = new LastWords(process);
    using limit = stopAt(timeoutMs, signal);
    const reading = readUpTo(process.stdout, MAX_DUMP_BYTES);
    await process.stdin.close().catch(() => {});
    const first = await Promise.race([reading, limit.reached]);
    process.kill();
    const text = await reading;
    const { code } = await process.status;
    const said = await words.obituary();
    signal.throwIfAborted();
    const [refused] = this.#ground.takeRefusals();
    if (refused) throw new ActionRefused("unreachable", refused.message);
    if (first === "timeout") {
      const message = `Cannot open: not done within ${timeoutMs / 1000} seconds`;
      throw new ActionRefused("timeout", message);
    }
    if (text === "" && code !== 0) {
      const why = /unknown host|Unable to|Can't|couldn't|connect/i.test(said)
        ? "nothing came from there"
        : "lynx does not show it";
      throw new ActionRefused("unreachable", `Cannot open ${JSON.stringify(url)}: ${why}`);
    }
    return text;
  }

  #look(text: string | undefined): BrowserStep {
    const page = this.#page;
    if (!page) return { tabs: [], events: [] };
    const tab = { tab: 1, url: page.url, title: "" };
    return {
      page: { ...tab, snapshot: page.text },
      tabs: [{ ...tab, active: true }],
      events: [],
      ...(text !== undefined && { text }),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ended = true;
    await this.#ground[Symbol.asyncDispose]();
  }
}

/** The text of a stream; what is longer is cut. */
async function readUpTo(stream: ReadableStream<Uint8Array>, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const piece of stream) {
    bytes += piece.length;
    text += decoder.decode(piece, { stream: true });
    if (bytes >= maxBytes) break;
  }
  return text + decoder.decode();
}
