import type { ChildEnd, ChildEndState } from "../../tools/subagent/children.ts";
import type { ResultEvent } from "../events.ts";
import type { EndReason } from "../exit_code.ts";
import type { ProcessEnd } from "./child_line.ts";

/** Why a parent ended a child. */
export type StopCause = Extract<ChildEndState, "timeout" | "budget" | "cancelled">;

/** How a child ended, by all that its parent knows. */
export interface WholeEnd {
  readonly state: ChildEndState;
  readonly end: ChildEnd;
}

/** What a parent saw of a child's end. */
export interface SeenEnd {
  /** What the child itself said of its end. */
  readonly result?: ResultEvent | undefined;
  /** Why it was told to end. */
  readonly cause?: StopCause | undefined;
  /** The last error that it told. */
  readonly error?: string | undefined;
  readonly process: ProcessEnd;
}

/** Names the end. What a child finished before it was told to end counts. Pure. */
export function wholeEnd({ result, cause, error, process }: SeenEnd): WholeEnd {
  if (result && (result.reason !== "interrupted" || cause === undefined)) {
    const state = stateOf(result.reason);
    const why = state === "failure" && error !== undefined ? `: ${error}` : "";
    return { state, end: { reason: `${words(result.reason)}${why}`, text: result.text } };
  }
  const text = result?.text ?? "";
  if (cause !== undefined) return { state: cause, end: { reason: CAUSES[cause], text } };
  return { state: "failure", end: { reason: `its process ${crashText(process)}`, text } };
}

/** The end of one that was told to end before it had a process. Pure. */
export function stoppedUnstarted(cause: StopCause): WholeEnd {
  return { state: cause, end: { reason: CAUSES[cause], text: "" } };
}

const CAUSES: Readonly<Record<StopCause, string>> = {
  timeout: "its time was up",
  budget: "its budget was spent",
  cancelled: "it was cancelled",
};

function stateOf(reason: EndReason): ChildEndState {
  switch (reason) {
    case "done":
      return "success";
    case "turn_limit":
    case "budget":
      return "budget";
    case "time_limit":
      return "timeout";
    case "interrupted":
      return "cancelled";
    case "model_error":
    case "approval_unavailable":
    case "repeated_failure":
    case "failed":
    case "usage":
    case "config":
      return "failure";
  }
}

function crashText({ code, signal, lastWords, problem }: ProcessEnd): string {
  if (problem !== undefined) return `was ended: ${problem}`;
  const how = signal === null ? `ended with code ${code}` : `was killed by ${signal}`;
  const said = lastWords.trim();
  return `${how} and without a result${said === "" ? "" : `: ${said}`}`;
}

function words(reason: EndReason): string {
  return reason.replaceAll("_", " ");
}
