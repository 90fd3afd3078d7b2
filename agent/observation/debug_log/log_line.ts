import { clipped } from "../../clipped.ts";
import type { Observation } from "../observation.ts";

/** The longest text in a line, in UTF-16 units: the session's own log has all of it. */
export const MAX_TEXT_CHARS = 2_000;

/** The longest line, in UTF-16 units, its end not counted. */
export const MAX_LINE_CHARS = 64 * 1024;

/** Entries of a list or an object that a line tells, and how deep it goes. */
const MAX_ENTRIES = 100;
const MAX_DEPTH = 8;

/** Whose line it is. */
export interface LineOf {
  /** As `Date.prototype.toISOString` writes it. */
  readonly time: string;
  /** Absent before the session is open. */
  readonly session?: string;
  /** Of a sub-agent: the session that started it. */
  readonly parent?: string;
}

/** An observation as one line of JSON, its end included; long texts are cut. Pure. */
export function logLine(of: LineOf, observation: Observation): string {
  const { type, ...fields } = told(observation);
  const entries = Object.entries(fields).map(([name, value]) => [name, cut(value, 0)] as const);
  const line = JSON.stringify({ ...of, type, ...Object.fromEntries(entries) });
  if (line.length <= MAX_LINE_CHARS) return `${line}\n`;
  // Many texts, each short enough: what holds no others tells most of what there is to tell.
  const plain = entries.filter(([, value]) => typeof value !== "object");
  return `${JSON.stringify({ ...of, type, ...Object.fromEntries(plain), cut: line.length })}\n`;
}

/** An answer's words follow as an event; twice they would be twice as long. */
function told(observation: Observation): { readonly type: string } {
  if (observation.type !== "request_ended") return observation;
  const { answer: _, ...rest } = observation;
  return rest;
}

function cut(value: unknown, depth: number): unknown {
  if (typeof value === "string") return clipped(value, MAX_TEXT_CHARS);
  if (typeof value !== "object" || value === null) return value;
  if (depth === MAX_DEPTH) return "…";
  if (Array.isArray(value)) {
    const items = value.slice(0, MAX_ENTRIES).map((item) => cut(item, depth + 1));
    return value.length > MAX_ENTRIES ? [...items, `… ${value.length - MAX_ENTRIES} more`] : items;
  }
  const entries = Object.entries(value);
  const kept = entries.slice(0, MAX_ENTRIES).map(([name, item]) => [
    clipped(name, MAX_TEXT_CHARS),
    cut(item, depth + 1),
  ]);
  const more = entries.length - kept.length;
  return Object.fromEntries(more > 0 ? [...kept, ["…", `${more} more`]] : kept);
}
