import type { Page, Request } from "playwright-core";
import { RecentLines } from "./recent_lines.ts";

/** What stays open for as long as a page likes, and so is never waited for. */
const ENDLESS: ReadonlySet<string> = new Set(["eventsource", "websocket", "media", "ping"]);

/** A tab, with what its page has said and asked for. */
export class Tab {
  /** From 1, in the order of opening; never given twice. */
  readonly id: number;
  readonly page: Page;
  /** It did not answer when it was looked at last. */
  hangs = false;
  readonly console = new RecentLines();
  readonly requests = new RecentLines();
  readonly #pending = new Set<Request>();
  #lastChange = performance.now();

  constructor(id: number, page: Page) {
    this.id = id;
    this.page = page;
    this.#listen(page);
  }

  /** How long no request of the page has begun or ended, in milliseconds; 0 while one is open. */
  get quietMs(): number {
    return this.#pending.size > 0 ? 0 : performance.now() - this.#lastChange;
  }

  /** Whether it is on its way to another page. */
  get navigates(): boolean {
    const main = this.page.mainFrame();
    for (const request of this.#pending) {
      if (request.isNavigationRequest() && frameOf(request) === main) return true;
    }
    return false;
  }

  #listen(page: Page): void {
    page.on("console", (message) => this.console.add(`${message.type()}: ${message.text()}`));
    page.on("pageerror", (error) => this.console.add(`uncaught: ${error.message}`));
    page.on("request", (request) => {
      if (ENDLESS.has(request.resourceType())) return;
      this.#pending.add(request);
      this.#lastChange = performance.now();
    });
    page.on("response", (response) => this.#log(response.request(), String(response.status())));
    page.on("requestfinished", (request) => this.#ended(request));
    page.on("requestfailed", (request) => {
      this.#ended(request);
      this.#log(request, request.failure()?.errorText ?? "failed");
    });
  }

  #ended(request: Request): void {
    if (this.#pending.delete(request)) this.#lastChange = performance.now();
  }

  #log(request: Request, how: string): void {
    this.requests.add(`${request.method()} ${how} ${request.resourceType()} ${request.url()}`);
  }
}

/** Requests of service workers have no frame. */
function frameOf(request: Request) {
  return request.serviceWorker() === null ? request.frame() : undefined;
}
