import { type EndReason, EXIT } from "../exit_code.ts";
import type { ModelErrorKind } from "../model/model.ts";

/** How a task ends that a model's error has ended. */
export interface ModelErrorEnd {
  readonly reason: EndReason;
  readonly exitCode: number;
}

/** The end that a model's error brings. */
export function endOfModelError(kind: ModelErrorKind): ModelErrorEnd {
  const reason = kind === "configuration" ? "config" : "model_error";
  return { reason, exitCode: exitCodeOfError(kind) };
}

function exitCodeOfError(kind: ModelErrorKind): number {
  switch (kind) {
    case "credentials":
      return EXIT.credentials;
    case "model_unavailable":
      return EXIT.modelUnavailable;
    case "try_later":
      return EXIT.tryLater;
    case "configuration":
      return EXIT.configuration;
    case "context_overflow":
    case "failed":
      return EXIT.failed;
  }
}
