import { isOfSystem } from "../sandbox/files/system_errors.ts";
import { ToolError } from "../tools/tool_error.ts";
import { BatchError } from "./batch/error.ts";
import { UsageError } from "./command_line/parse.ts";
import { type EndReason, EXIT } from "./exit_code.ts";
import { ConfigurationError } from "./json_file.ts";
import { ModelError } from "./model/model.ts";
import { endOfModelError } from "./loop/model_error_end.ts";
import { SessionLogError } from "./session/error.ts";
import { StateError } from "./state_error.ts";

/** What an error means for the end of a run. */
export interface Failure {
  readonly reason: EndReason;
  readonly exitCode: number;
  /** One sentence for people. */
  readonly message: string;
  /** Stable, for the event stream. */
  readonly code: string;
  /** Of an error that nobody expected. */
  readonly stack?: string;
}

const FAILED = { reason: "failed", exitCode: EXIT.failed } as const;

/** The end that an error brings; one that nobody expected is a bug. */
export function failureOf(error: unknown): Failure {
  if (error instanceof UsageError) {
    return { reason: "usage", exitCode: EXIT.usage, message: error.message, code: "usage" };
  }
  if (error instanceof ConfigurationError) {
    const code = "configuration";
    return { reason: "config", exitCode: EXIT.configuration, message: error.message, code };
  }
  if (error instanceof ModelError) {
    return { ...endOfModelError(error.kind), message: error.message, code: error.kind };
  }
  if (error instanceof SessionLogError) {
    const usage = error.kind === "missing" || error.kind === "locked";
    return {
      reason: usage ? "usage" : "failed",
      exitCode: usage ? EXIT.usage : EXIT.failed,
      message: error.message,
      code: `session_${error.kind}`,
    };
  }
  if (error instanceof ToolError) return { ...FAILED, message: error.message, code: "tool" };
  if (error instanceof BatchError) return { ...FAILED, message: error.message, code: "batch" };
  if (error instanceof StateError) return { ...FAILED, message: error.message, code: "state" };
  if (isOfSystem(error)) {
    return { ...FAILED, message: `The system refused: ${error.message}`, code: "system" };
  }
  return {
    ...FAILED,
    message: "This is a bug in Cordon: please report it with the lines on stderr",
    code: "bug",
    stack: error instanceof Error ? error.stack ?? error.message : String(error),
  };
}
