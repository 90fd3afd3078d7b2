import { RequestError } from "@agentclientprotocol/sdk";
import { EXIT } from "../exit_code.ts";
import { type Failure, failureOf } from "../failure.ts";

/** What the protocol calls "authentication required". */
const AUTHENTICATION = -32000;
const INVALID_PARAMS = -32602;
const INTERNAL = -32603;

/** An error as the editor is told of it; `log` takes the stack of one that nobody expected. */
export function requestErrorOf(error: unknown, log: (line: string) => void): RequestError {
  if (error instanceof RequestError) return error;
  const failure = failureOf(error);
  if (failure.stack !== undefined) log(failure.stack);
  return failedRequest(failure);
}

/** A refusal as the answer to a request: one sentence, and a stable code beside it. */
export function failedRequest(
  { exitCode, message, code }: Pick<Failure, "exitCode" | "message" | "code">,
): RequestError {
  return new RequestError(numberFor(exitCode), message, { code });
}

/** Refuses a request for what it asks, in one sentence. */
export function refusedRequest(message: string): RequestError {
  return new RequestError(INVALID_PARAMS, message);
}

function numberFor(exitCode: number): number {
  switch (exitCode) {
    case EXIT.credentials:
      return AUTHENTICATION;
    case EXIT.usage:
      return INVALID_PARAMS;
    default:
      return INTERNAL;
  }
}
