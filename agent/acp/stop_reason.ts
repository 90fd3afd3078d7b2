import type { StopReason } from "@agentclientprotocol/sdk";
import type { TaskEnd } from "../loop/loop.ts";
import { failedRequest } from "./request_errors.ts";

/** What went wrong last in a turn. */
export type TurnError = { readonly message: string; readonly code: string } | undefined;

/**
 * How a turn ended, in the words of the protocol; `error` tells of an end by the model which of them.
 * Pure.
 * @throws {RequestError} where no answer could be had, with the reason as a sentence.
 */
export function stopReasonOf({ reason, exitCode }: TaskEnd, error: TurnError): StopReason {
  switch (reason) {
    case "done":
    case "approval_unavailable":
    case "repeated_failure":
      return "end_turn";
    case "turn_limit":
    case "budget":
    case "time_limit":
      return "max_turn_requests";
    case "interrupted":
      return "cancelled";
    case "model_error":
    case "failed":
    case "usage":
    case "config":
      return reasonOfError(exitCode, error);
    default:
      return reason satisfies never;
  }
}

/** What a person should know of an end, beyond its reason in the protocol; undefined: nothing. Pure. */
export function endText({ reason }: TaskEnd, error: TurnError): string | undefined {
  switch (reason) {
    case "turn_limit":
      return "The turn was ended: it has had as many turns of the model as --max-turns lets it";
    case "budget":
      return "The turn was ended: it has cost what --max-budget-usd lets it";
    case "repeated_failure":
      return "The turn was ended: the model repeated a call that keeps failing";
    case "approval_unavailable":
      return "Something was not done, since the editor could not ask for it";
    default:
      return error?.message;
  }
}

function reasonOfError(exitCode: number, error: TurnError): StopReason {
  switch (error?.code) {
    case "length":
      return "max_tokens";
    case "content_filter":
    case "hook":
      return "refusal";
    default: {
      const { message, code } = error ?? { message: "The turn failed", code: "failed" };
      throw failedRequest({ exitCode, message, code });
    }
  }
}
