/** Why a run ended, as the event stream and the log tell it. */
export type EndReason =
  | "done"
  | "turn_limit"
  | "budget"
  | "time_limit"
  | "interrupted"
  | "model_error"
  | "approval_unavailable"
  | "repeated_failure"
  /** The log could not be written, or the output schema was not met. */
  | "failed"
  | "usage"
  | "config";

/** The published exit codes (README); 128 + N is the shell's way to say "signal N". */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  limit: 3,
  approval: 4,
  tryLater: 75,
  credentials: 76,
  modelUnavailable: 77,
  configuration: 78,
  hangup: 129,
  interrupted: 130,
  terminated: 143,
} as const;

/** What each published exit code says. */
export const EXIT_MEANINGS: readonly (readonly [code: number, meaning: string])[] = [
  [EXIT.done, "done"],
  [EXIT.failed, "failed"],
  [EXIT.usage, "usage"],
  [EXIT.limit, "stopped by a limit"],
  [EXIT.approval, "approval nobody could give"],
  [EXIT.tryLater, "try later"],
  [EXIT.credentials, "credentials"],
  [EXIT.modelUnavailable, "model unavailable"],
  [EXIT.configuration, "configuration"],
  [EXIT.hangup, "SIGHUP"],
  [EXIT.interrupted, "SIGINT"],
  [EXIT.terminated, "SIGTERM"],
];

/** The exit code of every reason but `model_error` and `interrupted`, which have several. */
export function exitCodeOf(reason: Exclude<EndReason, "model_error" | "interrupted">): number {
  switch (reason) {
    case "done":
      return EXIT.done;
    case "turn_limit":
    case "budget":
    case "time_limit":
      return EXIT.limit;
    case "approval_unavailable":
      return EXIT.approval;
    case "repeated_failure":
    case "failed":
      return EXIT.failed;
    case "usage":
      return EXIT.usage;
    case "config":
      return EXIT.configuration;
  }
}
