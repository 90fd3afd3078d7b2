import { basename } from "node:path";
import type { Store } from "../tool.ts";
import { cleanLine, newFence } from "../web/outside.ts";
import { sliceOf } from "../web/slice.ts";
import type { BrowserEvent, BrowserFile, BrowserRefusalReason, BrowserStep } from "./browser.ts";
import type { BrowserValue, BrowserValueEvent, BrowserValueFile } from "./value.ts";

/** Characters of a page that are shown at a time; about 5 000 tokens. */
export const SHOWN_CHARS = 20_000;

/** A text that came out of the browser, and the page that it is of. */
export interface Shown {
  readonly text: string;
  readonly source?: string;
  readonly title?: string;
}

/** A step in which nothing was done. */
export function refusedStep(reason: BrowserRefusalReason, message: string): BrowserStep {
  return { refusal: { reason, message }, tabs: [], events: [] };
}

/** The value of a step, with the part of the text from `offset` on; files are kept in `store`. */
export async function stepValue(
  action: string,
  step: BrowserStep,
  { text: whole, source, title }: Shown,
  { store, offset = 0 }: { readonly store: Store; readonly offset?: number },
): Promise<BrowserValue> {
  const { refusal, file } = step;
  const { text, next } = sliceOf(whole, offset, SHOWN_CHARS);
  const events: BrowserValueEvent[] = [];
  for (const event of step.events) events.push(await eventValue(event, store));
  return {
    ok: refusal === undefined,
    untrusted: true,
    action,
    ...(source !== undefined && { source: cleanLine(source, 500) }),
    ...(title !== undefined && { title: cleanLine(title) }),
    tabs: step.tabs.map((tab) => ({
      ...tab,
      url: cleanLine(tab.url, 500),
      title: cleanLine(tab.title),
    })),
    events,
    ...{ text, offset, total_chars: whole.length },
    ...(next !== undefined && { next_offset: next }),
    ...(file && await keptFile(file, store)),
    ...(refusal && { reason: refusal.reason, message: cleanLine(refusal.message, 500) }),
    ...(refusal?.detail && { detail: cleanLine(refusal.detail, 500) }),
    fence: newFence(),
  };
}

async function keptFile(
  file: BrowserFile,
  store: Store,
): Promise<Pick<BrowserValue, "file" | "image">> {
  const { told, name } = await keep(file, store);
  return { file: told, ...(file.mediaType.startsWith("image/") && { image: name }) };
}

/** Saves a file; `name` is that under which the store has it. */
async function keep(
  { name, bytes, mediaType }: BrowserFile,
  store: Store,
): Promise<{ readonly told: BrowserValueFile; readonly name: string }> {
  const plain = plainName(name);
  const path = await store.save(plain, bytes);
  const told = { name: plain, bytes: bytes.length, media_type: mediaType };
  return {
    told: { ...told, ...(path !== undefined && { path }) },
    name: path === undefined ? plain : basename(path),
  };
}

/** A name that a page gave, of characters that mean nothing anywhere. */
function plainName(name: string): string {
  const plain = name.normalize("NFKC").replaceAll(/[^\w.-]+/g, "_").replace(/^[._-]+/, "");
  return plain.slice(-100) || "file";
}

async function eventValue(event: BrowserEvent, store: Store): Promise<BrowserValueEvent> {
  switch (event.kind) {
    case "download": {
      const { told } = await keep(event.file, store);
      return { kind: "download", file: told, url: cleanLine(event.url, 500) };
    }
    case "download_failed":
      return { ...event, name: plainName(event.name), why: cleanLine(event.why) };
    case "dialog":
      return { ...event, type: cleanLine(event.type, 20), message: cleanLine(event.message, 1000) };
    case "new_tab":
      return { ...event, url: cleanLine(event.url, 500) };
    case "refused":
      return { ...event, message: cleanLine(event.message) };
    case "tab_closed":
    case "crashed":
    case "restarted":
      return event;
  }
}
