import { deepStrictEqual, strictEqual, throws } from "node:assert/strict";
import { RequestError } from "@agentclientprotocol/sdk";
import { endText, stopReasonOf } from "../../../agent/acp/stop_reason.ts";
import type { EndReason } from "../../../agent/exit_code.ts";

function end(reason: EndReason, exitCode = 1) {
  return { reason, exitCode, text: "", turns: 1 };
}

Deno.test("stopReasonOf() knows every end of a turn", () => {
  const cases: [reason: EndReason, code: string | undefined, want: string][] = [
    ["done", undefined, "end_turn"],
    ["approval_unavailable", undefined, "end_turn"],
    ["repeated_failure", undefined, "end_turn"],
    ["turn_limit", undefined, "max_turn_requests"],
    ["budget", undefined, "max_turn_requests"],
    ["time_limit", undefined, "max_turn_requests"],
    ["interrupted", undefined, "cancelled"],
    ["model_error", "length", "max_tokens"],
    ["model_error", "content_filter", "refusal"],
    ["failed", "hook", "refusal"],
  ];
  for (const [reason, code, want] of cases) {
    const error = code === undefined ? undefined : { message: "why", code };
    strictEqual(stopReasonOf(end(reason), error), want);
  }
});

Deno.test("stopReasonOf() throws where no answer could be had, with the reason", () => {
  const numbers: [exitCode: number, number: number][] = [[1, -32603], [75, -32603], [76, -32000]];
  for (const [exitCode, number] of numbers) {
    throws(
      () => stopReasonOf(end("model_error", exitCode), { message: "why", code: "x" }),
      (error) => {
        deepStrictEqual(error, new RequestError(number, "why", { code: "x" }));
        return true;
      },
    );
  }
});

Deno.test("endText() says what the protocol's reason does not", () => {
  for (
    const reason of ["turn_limit", "budget", "repeated_failure", "approval_unavailable"] as const
  ) {
    strictEqual(typeof endText(end(reason), undefined), "string");
  }
  strictEqual(endText(end("done", 0), undefined), undefined);
  strictEqual(
    endText(end("failed"), { message: "A hook refused it", code: "hook" }),
    "A hook refused it",
  );
});
