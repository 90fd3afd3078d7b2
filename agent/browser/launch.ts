import type { Browser } from "playwright-core";
import { cdpPipe, pipedCommand } from "../../sandbox/browser/cdp_pipe.ts";
import { chromiumArguments } from "../../sandbox/browser/chromium.ts";
import type { BrowserPlace } from "../../sandbox/browser/place.ts";
import { LastWords } from "../../sandbox/cell/last_words.ts";
import type { PipedProcess } from "../../sandbox/commands/piped_process.ts";
import type { ChosenBrowser } from "./choose_browser.ts";
import { ChromiumSession } from "./chromium_session.ts";
import { Downloads } from "./downloads.ts";
import type { BrowserGround } from "./ground.ts";
import { loadLibrary } from "./load_library.ts";
import type { SavedStates } from "./saved_states.ts";

/** A browser comes up in two seconds; a loaded machine takes its time. In milliseconds. */
const START_MS = 45_000;

/** How long a browser has to end by itself, in milliseconds. */
const CLOSE_MS = 2_000;

/** What pages are laid out for, in CSS pixels. */
const VIEWPORT = { width: 1280, height: 800 };

/**
 * Starts a browser of our own, or takes the person's.
 * @throws {Error} where none comes up; the message says why.
 */
export async function startChromium(
  chosen: Exclude<ChosenBrowser, { kind: "text" }>,
  ground: () => Promise<BrowserGround>,
  states: SavedStates,
): Promise<ChromiumSession> {
  return chosen.kind === "attached"
    ? await attach(chosen.address, states)
    : await startOwn(chosen.program, await ground(), states);
}

async function startOwn(
  program: string,
  ground: BrowserGround,
  states: SavedStates,
): Promise<ChromiumSession> {
  await using held = new AsyncDisposableStack();
  held.use(ground);
  const { place } = ground;
  const process = place.start(pipedCommand([program, ...argumentsFor(place)]));
  held.defer(() => endProcess(process));
  const words = new LastWords(process);
  const browser = await connect(process, place, words, program);
  const newContext = (storageState?: string) =>
    browser.newContext({
      ...{ viewport: VIEWPORT, acceptDownloads: true, serviceWorkers: "allow" },
      ...(storageState !== undefined && { storageState }),
    });
  const context = await newContext();
  const whole = held.move();
  return new ChromiumSession({
    ...{ browser, context, newContext, states },
    downloads: new Downloads(place.downloads),
    beginStep: () => ground.beginStep(),
    takeRefusals: () => ground.takeRefusals(),
    async end() {
      await closeInTime(browser);
      await whole.disposeAsync();
      await words.ended;
    },
  });
}

function argumentsFor({ proxyPort, privateFolder, ownSandbox }: BrowserPlace): string[] {
  return chromiumArguments({ proxyPort, ownSandbox, profile: `${privateFolder}/profile` });
}

async function connect(
  process: PipedProcess,
  { downloads }: BrowserPlace,
  words: LastWords,
  program: string,
): Promise<Browser> {
  const { chromium } = await loadLibrary();
  const pipe = cdpPipe(process);
  try {
    return await chromium.connectOverCDP(pipe, { artifactsDir: downloads, timeout: START_MS });
  } catch (cause) {
    process.kill();
    throw new Error(`Cannot start the browser "${program}": ${await words.obituary()}`, { cause });
  }
}

/** What it keeps is thrown away with it, so nothing is lost where it does not end by itself. */
async function closeInTime(browser: Browser): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, CLOSE_MS);
  try {
    await Promise.race([browser.close().catch(() => {}), promise]);
  } finally {
    clearTimeout(timer);
  }
}

async function endProcess(process: PipedProcess): Promise<void> {
  process.kill();
  await process.status;
}

/** The person's own browser: their tabs, their downloads, and it stays when we go. */
async function attach(address: string, states: SavedStates): Promise<ChromiumSession> {
  const { chromium } = await loadLibrary();
  let browser: Browser;
  try {
    browser = await chromium.connectOverCDP(address, { noDefaults: true, timeout: START_MS });
  } catch (cause) {
    const fix = "start it with --remote-debugging-port, or change browser.cdp";
    throw new Error(`Cannot reach your browser at "${address}": ${fix}`, { cause });
  }
  const context = browser.contexts()[0] ?? await browser.newContext();
  return new ChromiumSession({
    ...{ browser, context, states },
    beginStep() {},
    takeRefusals: () => [],
    end: () => closeInTime(browser),
  });
}
