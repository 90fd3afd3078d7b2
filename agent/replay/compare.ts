import { unifiedDiff } from "../../edit/diff.ts";
import { normaliseText, normaliseValue } from "./normalise.ts";
import type { RecordedCall, RecordedResult, Recording } from "./recording.ts";

/** What became of one call of a recording. */
export interface Comparison {
  readonly callId: string;
  readonly name: string;
  readonly outcome:
    | { readonly kind: "same" }
    /** Between both, as a unified diff. */
    | { readonly kind: "different"; readonly diff: string }
    | { readonly kind: "not_compared"; readonly why: string };
}

/**
 * Tools whose answers come from somewhere else than the workspace: a replay does not run them, and
 * compares nothing.
 */
export const OUTSIDE: ReadonlySet<string> = new Set([
  ..."web_fetch web_search browser screenshot computer morph".split(" "),
  ..."subagent subagent_status subagent_wait subagent_cancel subagent_reply".split(" "),
  ..."subagent_list subagent_read_log subagent_batch".split(" "),
]);

/** Texts as they are compared: the places of both runs have the same names. */
export interface Naming {
  recorded(text: string): string;
  replayed(text: string): string;
}

/** Compares all calls that the model made, in their order. Pure. */
export function compareCalls(
  { steps, calls }: Recording,
  replayed: ReadonlyMap<string, RecordedResult>,
  naming: Naming,
): Comparison[] {
  const ids = steps.flatMap(({ answer }) => answer.toolCalls.map(({ callId }) => callId));
  return ids.flatMap((callId) => {
    const call = calls.get(callId);
    return call ? [compareCall(call, replayed.get(callId), naming)] : [];
  });
}

function compareCall(
  { callId, name, result }: RecordedCall,
  now: RecordedResult | undefined,
  naming: Naming,
): Comparison {
  const as = (outcome: Comparison["outcome"]) => ({ callId, name, outcome });
  if (!result) return as({ kind: "not_compared", why: "it had no result" });
  if (OUTSIDE.has(name)) {
    return as({ kind: "not_compared", why: "its answer comes from outside the workspace" });
  }
  if (!now) return as({ kind: "different", diff: "The replay did not come to this call\n" });
  const diff = diffOf(result, now, naming);
  return as(diff === "" ? { kind: "same" } : { kind: "different", diff });
}

function diffOf(then: RecordedResult, now: RecordedResult, naming: Naming): string {
  const text = unifiedDiff(
    NAMES,
    headed(then, normaliseText(naming.recorded(then.text))),
    headed(now, normaliseText(naming.replayed(now.text))),
  );
  if (text !== "") return withoutNames(text);
  const value = unifiedDiff(
    NAMES,
    normaliseValue(then.value, naming.recorded),
    normaliseValue(now.value, naming.replayed),
  );
  return withoutNames(value);
}

const NAMES = { old: "recorded", fresh: "replayed" };

/** What a result is comes before what it says. */
function headed({ isError }: RecordedResult, text: string): string {
  return `${isError ? "[error]\n" : ""}${text}\n`;
}

/** Both sides have no path. */
function withoutNames(diff: string): string {
  return diff.replace(/^--- a\/(.*)\n\+\+\+ b\/(.*)\n/, "--- $1\n+++ $2\n");
}
