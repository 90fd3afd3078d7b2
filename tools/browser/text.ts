import { byteSize } from "../byte_size.ts";
import { type Content, text } from "../tool.ts";
import { fenced } from "../web/outside.ts";
import type { BrowserValue, BrowserValueEvent, BrowserValueFile } from "./value.ts";

/** What the model reads: what could not be done, the page within its fence, markers, a picture. */
export function renderBrowser(value: BrowserValue): Content[] {
  const { message, reason, image, file } = value;
  const page = pageText(value);
  const lines = [
    ...(message === undefined ? [] : [message]),
    ...(page === "" ? [] : [fenced(page, sourceOf(value), value.fence)]),
    ...markers(value),
    ...(reason === undefined ? [] : [`[not done: ${reason}]`]),
  ];
  return [
    text(lines.length === 0 ? "[done]" : lines.join("\n")),
    ...(image !== undefined && file
      ? [{ type: "image", blob: image, mediaType: file.media_type } as const]
      : []),
  ];
}

function sourceOf({ source }: BrowserValue): string {
  return source ?? "the browser";
}

/** All that may hold words of a page. */
function pageText(value: BrowserValue): string {
  const { title, detail, events, tabs, text: shown, action, offset } = value;
  const told = events.flatMap(eventInPage);
  const listsTabs = tabs.length > 1 || action === "tabs";
  return [
    ...(detail ? [`The browser says: ${detail}`] : []),
    ...told,
    ...(listsTabs ? ["Tabs:", ...tabs.map(tabLine)] : []),
    ...(title && offset === 0 && action !== "tabs" ? [`Title: ${title}`] : []),
    ...(shown === "" ? [] : [...(told.length + tabs.length > 0 ? [""] : []), shown]),
  ].join("\n").trim();
}

function tabLine({ tab, url, title, active }: BrowserValue["tabs"][number]): string {
  return `- ${tab}${active ? " (in front)" : ""}: ${title ? `${title} ` : ""}${url}`;
}

function eventInPage(event: BrowserValueEvent): string[] {
  switch (event.kind) {
    case "dialog": {
      const { type, message, accepted } = event;
      return [`The page asked (${type}): ${message} - ${accepted ? "accepted" : "dismissed"}`];
    }
    case "new_tab":
      return [`A new tab was opened: ${event.url}`];
    case "download":
      return [`Downloaded ${event.file.name} from ${event.url}`];
    case "download_failed":
      return [`Not downloaded: ${event.name}`];
    case "tab_closed":
    case "crashed":
    case "restarted":
    case "refused":
      return [];
  }
}

/** Lines of ours alone. */
function markers(value: BrowserValue): string[] {
  const { events, file, offset, text: shown, total_chars, next_offset } = value;
  return [
    ...events.flatMap(eventMarker),
    ...emptyMarker(value),
    ...(file ? [fileMarker(value.action, file)] : []),
    ...(offset > 0 && offset >= total_chars
      ? [`[offset ${offset} is past the end: there are ${total_chars} characters]`]
      : []),
    ...(next_offset === undefined ? [] : [
      `[characters ${offset}-${offset + shown.length} of ${total_chars}; ` +
      `continue with action=${value.action === "read" ? "read" : "snapshot"}, ` +
      `offset=${next_offset}]`,
    ]),
  ];
}

/** A page of which nothing is shown, as an image, is no work that was done in silence. */
function emptyMarker({ action, events, reason, source, total_chars }: BrowserValue): string[] {
  if (total_chars > 0 || reason !== undefined || source === undefined) return [];
  switch (action) {
    case "read":
      return ["[no text: action=snapshot shows what can be used, action=screenshot a picture]"];
    case "open":
    case "snapshot":
      // What only brought a file shows none.
      return events.length > 0
        ? []
        : ["[no text and no controls: action=screenshot shows a picture]"];
    default:
      return [];
  }
}

function eventMarker(event: BrowserValueEvent): string[] {
  switch (event.kind) {
    case "dialog":
      return event.accepted ? [] : [
        "[a question of the page was dismissed: say dialog=accept with the action to accept it]",
      ];
    case "new_tab":
      return [`[tab ${event.tab} was opened and is in front now]`];
    case "tab_closed":
      return [`[tab ${event.tab} was closed]`];
    case "download":
      return [fileMarker("download", event.file)];
    case "download_failed":
      return [`[download failed: ${event.why}]`];
    case "crashed":
      return [`[tab ${event.tab} crashed and was closed]`];
    case "restarted":
      return ["[the browser had ended; another one was started, without what it had kept]"];
    case "refused":
      return [`[${event.message}]`];
  }
}

function fileMarker(what: string, { bytes, path }: BrowserValueFile): string {
  return `[${what}: ${byteSize(bytes)}, ${
    path === undefined ? "not kept: nothing may be written here" : `in ${path}`
  }]`;
}
