import type { EditForm } from "../edit/advice.ts";
import type { Recovery } from "../edit/closest_message.ts";
import { failureMessage } from "../edit/failure_message.ts";
import type { Refusal } from "../edit/refusal.ts";
import type { Source } from "../edit/source.ts";
import type { NotEdited } from "./edit_result.ts";

export type { Recovery };

/** What a failure message goes by. */
export interface FailureView {
  /** In whose words the advice speaks. */
  readonly form: EditForm;
  readonly recovery: Recovery;
}

/** Time for finding the closest place, in milliseconds (edit.md 3: 150 for the whole miss). */
const SUGGESTION_MS = 80;

/** An engine's "no" as a value, in words. */
export function explainRefusal(
  path: string,
  source: Source,
  refusal: Refusal,
  view: FailureView,
): NotEdited {
  const start = performance.now();
  const expired = () => performance.now() - start > SUGGESTION_MS;
  const message = failureMessage(refusal, { path, source, ...view, expired });
  return { ok: false, reason: refusal.reason, path, message };
}
