import type { Replacement } from "../edit/ladder.ts";
import { isRefusal, type Refusal } from "../edit/refusal.ts";
import { planWrite } from "../edit/save.ts";
import { Source } from "../edit/source.ts";
import { encodeText } from "../edit/encoding.ts";
import type { FileContent } from "../sandbox/files/files.ts";
import { type PlannedEdit, workOut } from "./apply_edit.ts";
import { type NotEdited, notEditedValue } from "./edit_result.ts";
import { explainRefusal, type Recovery } from "./explain_refusal.ts";
import { type Files, findPlace, isLink, link, missing, type Place } from "./file_places.ts";
import { applyRequest, type FileRequest, joinRequests } from "./file_requests.ts";
import { ladderEdit } from "./ladder_edit.ts";
import { asText, type TextFile } from "./text_file.ts";

/** What a call does to one place of the disk, worked out and not yet written. */
export interface FileChange {
  /** Absolute. */
  readonly path: string;
  /** How to show it. */
  readonly shown: string;
  /** What is there; undefined for a file that is to be made. */
  readonly before: FileContent | undefined;
  /** What will be there; undefined for a file that is to be removed. */
  readonly after: { readonly bytes: Uint8Array; readonly mode?: number } | undefined;
  /** The request that this comes from; a moved file has two changes. */
  readonly request: FileRequest;
  /** What the hunks do, where there are any. */
  readonly edit?: PlannedEdit<Replacement>;
  /** Where the file comes from, if it moves here. */
  readonly movedFrom?: Place;
}

/** All changes of a call, or why none can be made. */
export type FileChanges = { readonly ok: true; readonly changes: readonly FileChange[] };

/** A request, and what lies at its path. */
interface Target {
  readonly request: FileRequest;
  readonly place: Place;
}

/** Reads the files of all requests and works out every change; looks only. */
export async function workOutChanges(
  files: Files,
  requests: readonly FileRequest[],
  recovery: Recovery,
): Promise<FileChanges | NotEdited> {
  const targets = await findTargets(files, requests);
  if (!(targets instanceof Map)) return targets;
  const changes = new Map<string, FileChange>();
  const moves: Move[] = [];
  for (const { request, place } of targets.values()) {
    const change = await changeOf(files, request, place, recovery);
    if ("ok" in change) return change;
    const to = await destinationOf(files, request, place);
    if ("ok" in to) return to;
    const isMove = to.path !== place.path;
    if (isMove) moves.push({ from: place, to, change });
    changes.set(place.path, isMove ? { ...change, after: undefined } : change);
  }
  for (const move of moves) {
    const refusal = arrive(changes, move);
    if (refusal) return refusal;
  }
  // What is removed goes last: until then its bytes are somewhere, also without a journal.
  const all = [...changes.values()];
  const staying = all.filter(({ after }) => after !== undefined);
  return { ok: true, changes: [...staying, ...all.filter(({ after }) => after === undefined)] };
}

interface Move {
  readonly from: Place;
  readonly to: Place;
  /** What happens to the file where it was. */
  readonly change: FileChange;
}

/** Where the file will be: its own place unless it moves. */
async function destinationOf(
  files: Files,
  request: FileRequest,
  place: Place,
): Promise<Place | NotEdited> {
  if (request.kind !== "update" || request.moveTo === undefined) return place;
  if (await isLink(files, request.moveTo)) return link(request.moveTo);
  return await findPlace(files, request.moveTo);
}

/** Adds the change at a move's new place, which must be free or become so by the same call. */
function arrive(
  changes: Map<string, FileChange>,
  { from, to, change }: Move,
): NotEdited | undefined {
  const there = changes.get(to.path);
  const isFree = there === undefined ? to.content === undefined : there.after === undefined;
  if (!isFree) return occupied(to.shown);
  const bytes = change.after?.bytes ?? new Uint8Array();
  const mode = from.content?.facts.mode;
  changes.set(to.path, {
    path: to.path,
    shown: to.shown,
    before: to.content,
    after: { bytes, ...(mode === undefined ? {} : { mode }) },
    request: change.request,
    movedFrom: from,
    ...(change.edit && { edit: change.edit }),
  });
  return undefined;
}

async function findTargets(
  files: Files,
  requests: readonly FileRequest[],
): Promise<Map<string, Target> | NotEdited> {
  const targets = new Map<string, Target>();
  for (const request of requests) {
    const place = await findPlace(files, request.path);
    if ("ok" in place) return place;
    const before = targets.get(place.path);
    const joined = before ? joinRequests(before.request, request) : request;
    if (isRefusal(joined)) return explain(place.shown, joined);
    targets.set(place.path, { request: joined, place });
  }
  return targets;
}

async function changeOf(
  files: Files,
  request: FileRequest,
  place: Place,
  recovery: Recovery,
): Promise<FileChange | NotEdited> {
  const { content } = place;
  const change = { path: place.path, shown: place.shown, before: content, request };
  if (request.kind === "add") {
    if (content) return occupied(place.shown);
    if (await isLink(files, request.path)) return link(request.path);
    return withText(change, planWrite(undefined, request.text), undefined);
  }
  if (!content) return await missing(files, request.path);
  switch (request.kind) {
    case "delete":
      return await isLink(files, request.path)
        ? link(request.path)
        : { ...change, after: undefined };
    case "rewrite": {
      const file = asText(content);
      return file.ok ? withText(change, planWrite(file.text, request.text), file) : file;
    }
    case "update":
      if (request.moveTo !== undefined && await isLink(files, request.path)) {
        return link(request.path);
      }
      return updated(change, request, content, recovery);
  }
}

function updated(
  change: Omit<FileChange, "after">,
  { path, hunks }: FileRequest & { kind: "update" },
  content: FileContent,
  recovery: Recovery,
): FileChange | NotEdited {
  // A file that only moves need not be text.
  if (hunks.hunks.length === 0) return { ...change, after: { bytes: content.bytes } };
  const file = asText(content);
  if (!file.ok) return file;
  const planned = workOut(
    file,
    ladderEdit({
      path,
      apply: (source) => applyRequest(source, hunks),
      view: { form: hunks.form, recovery },
    }),
  );
  if (!planned.ok) return planned;
  const bytes = encodeText(planned.fresh.text, file.bom);
  return { ...change, after: { bytes }, edit: planned };
}

function withText(
  change: Omit<FileChange, "after">,
  saved: ReturnType<typeof planWrite>,
  file: TextFile | undefined,
): FileChange | NotEdited {
  if (!saved.ok) return explain(change.shown, saved);
  if (saved.unchanged) {
    const message = `${change.shown} has this very content already`;
    return notEditedValue({ ok: false, reason: "no_change", path: change.shown, message });
  }
  return { ...change, after: { bytes: encodeText(saved.text, file?.bom ?? false) } };
}

function explain(path: string, refusal: Refusal): NotEdited {
  return explainRefusal(path, new Source(""), refusal, { form: "codex", recovery: "none" });
}

function occupied(path: string): NotEdited {
  const message = `${path} is there already: update it, or delete it first in the same patch`;
  return notEditedValue({ ok: false, reason: "exists", path, message });
}
