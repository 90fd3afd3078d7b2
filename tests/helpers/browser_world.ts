import { BrowserDriver } from "../../agent/browser/driver.ts";
import type { ChosenBrowser } from "../../agent/browser/choose_browser.ts";
import { makeGround } from "../../agent/browser/make_ground.ts";
import { pageGate } from "../../agent/browser/page_gate.ts";
import { createDialer } from "../../sandbox/egress/dial.ts";
import type { EgressEvent } from "../../sandbox/egress/events.ts";
import { egressGate } from "../../sandbox/egress/permission.ts";
import { startProxy } from "../../sandbox/egress/proxy.ts";
import type { BrowserAction, BrowserStep, DialogAnswer } from "../../tools/browser/browser.ts";
import { confinedHouse } from "./confined.ts";
import { processesWith } from "./processes.ts";
import { page, type WebHandler } from "./web_world.ts";

/** A server of this machine, and a browser that may reach it as `localhost` and nothing else. */
export interface BrowserWorld extends AsyncDisposable {
  readonly driver: BrowserDriver;
  /** `http://localhost:PORT`. */
  readonly origin: string;
  /** Method, path and query of each request, in order. */
  readonly requests: readonly string[];
  /** What happened on the way out. */
  readonly egress: readonly EgressEvent[];
  /** The folder that all of it lies in. */
  readonly folder: string;
  /** The ids of its processes whose command line holds these words; only in a view. */
  processes(words: string): Promise<number[]>;
  act(action: BrowserAction, options?: WorldOptions): Promise<BrowserStep>;
  /** Opens a path of the server. */
  open(path: string, options?: WorldOptions): Promise<BrowserStep>;
}

export interface WorldOptions {
  readonly timeoutMs?: number;
  readonly dialog?: DialogAnswer;
  readonly signal?: AbortSignal;
}

/** Of a test; far more than any page here takes. */
const LONG_MS = 60_000;

/** Starts a world; `confined`: in a kernel view, else on the machine itself. */
export async function browserWorld(
  handler: WebHandler,
  { chosen = { kind: "own", program: "chromium" }, confined = true }: {
    readonly chosen?: ChosenBrowser;
    readonly confined?: boolean;
  } = {},
): Promise<BrowserWorld> {
  const requests: string[] = [];
  // Pages that never come are not waited for.
  const ending = new AbortController();
  const options = { hostname: "127.0.0.1", port: 0, signal: ending.signal, onListen() {} };
  const server = Deno.serve(options, (request) => {
    const url = new URL(request.url);
    requests.push(`${request.method} ${url.pathname}${url.search}`);
    const answer = handler(url, request);
    return typeof answer === "string" ? page(answer) : answer;
  });
  const { port } = server.addr;
  const house = await confinedHouse({ "home/.secret": "of a person", "ws/file.txt": "of work" });
  const opened = confined ? await house.open() : undefined;
  if (opened && !opened.ok) throw new Error(`${opened.reason}: ${opened.fix}`);
  const egress: EgressEvent[] = [];
  const rules = { allow: [`localhost:${port}`] };
  const gate = pageGate(egressGate({ rules }), rules);
  const driver = new BrowserDriver({
    chosen,
    confined,
    states: { folder: house.dir.join("states"), workspace: house.workspace },
    ground: () =>
      makeGround({
        chosen,
        view: opened,
        environment: { PATH: "/usr/local/bin:/usr/bin:/bin" },
        async openWayOut(heard) {
          const log = (event: EgressEvent) => {
            egress.push(event);
            heard(event);
          };
          const dialer = createDialer({ granted: rules.allow });
          const proxy = await startProxy({ paths: [house.dir.join("p.sock")], gate, log, dialer });
          return {
            path: proxy.path,
            beginStep: () => gate.beginStep(),
            [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
          };
        },
      }),
  });
  const act: BrowserWorld["act"] = (action, { timeoutMs = LONG_MS, dialog, signal } = {}) =>
    driver.act(action, {
      ...{ timeoutMs, signal: signal ?? new AbortController().signal },
      ...(dialog && { dialog }),
    });
  return {
    ...{ driver, requests, egress, act, folder: house.dir.path },
    processes: (words) => processFamily(house.dir.path, words),
    origin: `http://localhost:${port}`,
    open: (path, options) => act({ kind: "open", url: `http://localhost:${port}${path}` }, options),
    async [Symbol.asyncDispose]() {
      await driver[Symbol.asyncDispose]();
      ending.abort();
      await server.finished;
      await house[Symbol.asyncDispose]();
    },
  };
}

/** Of the processes that descend from one whose command line names `folder`, those with `words`. */
export async function processFamily(folder: string, words: string): Promise<number[]> {
  const roots = new Set(await processesWith(folder));
  const wanted = await processesWith(words);
  const found: number[] = [];
  for (const pid of wanted) if (await descends(pid, roots)) found.push(pid);
  return found;
}

async function descends(pid: number, roots: ReadonlySet<number>): Promise<boolean> {
  for (let at = pid; at > 1; at = await parentOf(at)) if (roots.has(at)) return true;
  return false;
}

async function parentOf(pid: number): Promise<number> {
  try {
    const stat = await Deno.readTextFile(`/proc/${pid}/stat`);
    return Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return 0;
    throw error;
  }
}

/** The reference of the first line of a snapshot that holds a text. */
export function refOf({ page }: BrowserStep, text: string): string {
  const line = page?.snapshot.split("\n").find((line) => line.includes(text)) ?? "";
  const ref = /\[ref=([^\]]+)\]/.exec(line)?.[1];
  if (ref === undefined) throw new Error(`no ref of ${text} in ${page?.snapshot}`);
  return ref;
}
