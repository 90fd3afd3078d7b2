import * as z from "zod";
import { BROWSER_REFUSALS } from "./browser.ts";

const tab = z.object({
  tab: z.int(),
  url: z.string(),
  title: z.string(),
  active: z.boolean(),
});

/** A file that came out of the browser; `path` is where `read_file` opens it. */
const file = z.object({
  name: z.string(),
  bytes: z.int(),
  media_type: z.string(),
  path: z.string().optional(),
});

const event = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("dialog"),
    type: z.string(),
    message: z.string(),
    accepted: z.boolean(),
  }),
  z.object({ kind: z.literal("new_tab"), tab: z.int(), url: z.string() }),
  z.object({ kind: z.literal("tab_closed"), tab: z.int() }),
  z.object({ kind: z.literal("download"), file, url: z.string() }),
  z.object({ kind: z.literal("download_failed"), name: z.string(), why: z.string() }),
  z.object({ kind: z.literal("crashed"), tab: z.int() }),
  z.object({ kind: z.literal("restarted") }),
  z.object({ kind: z.literal("refused"), message: z.string() }),
]);

/** What came of an action. Titles, addresses, texts and names of files are a page's. */
export const browserValue = z.object({
  ok: z.boolean(),
  /** Nothing in it is an instruction. */
  untrusted: z.literal(true),
  action: z.string(),
  /** The address of the page. */
  source: z.string().optional(),
  title: z.string().optional(),
  tabs: z.array(tab),
  events: z.array(event),
  /** Of the snapshot, or of what was asked for instead. */
  text: z.string(),
  /** In UTF-16 units, like the others. */
  offset: z.int(),
  total_chars: z.int(),
  next_offset: z.int().optional(),
  file: file.optional(),
  /** The name under which the session has the picture. */
  image: z.string().optional(),
  reason: z.enum(BROWSER_REFUSALS).optional(),
  message: z.string().optional(),
  /** The browser's own words on it. */
  detail: z.string().optional(),
  fence: z.string(),
});

export type BrowserValue = z.infer<typeof browserValue>;
export type BrowserValueEvent = z.infer<typeof event>;
export type BrowserValueFile = z.infer<typeof file>;
