import * as z from "zod";
import { parseJson } from "../model/json.ts";

/** What a hook said on its standard output. */
export interface HookAnswer {
  /** `deny` is a no; the others are about a call that would be asked for. */
  readonly decision?: "allow" | "deny" | "ask";
  readonly reason?: string;
  /** The call's arguments as the hook wants them. */
  readonly updatedInput?: Readonly<Record<string, unknown>>;
  /** For the model. */
  readonly context?: string;
  /** For the person. */
  readonly message?: string;
}

/** The answer of a hook's output, or what is wrong with it in half a sentence. */
export type ReadAnswer =
  | { readonly ok: true; readonly answer: HookAnswer }
  | { readonly ok: false; readonly problem: string };

const permission = z.enum(["allow", "deny", "ask"]).nullish();
const words = z.string().nullish();

const fields = {
  permissionDecision: permission,
  permissionDecisionReason: words,
  updatedInput: z.record(z.string(), z.unknown()).nullish(),
  additionalContext: words,
};

const output = z.looseObject({
  ...fields,
  /** Of the same meaning, as older hooks say it. */
  decision: z.enum(["approve", "block", "allow", "deny", "ask"]).nullish(),
  reason: words,
  continue: z.boolean().nullish(),
  stopReason: words,
  systemMessage: words,
  /** Where other agents have the fields that belong to one event. */
  hookSpecificOutput: z.looseObject(fields).nullish(),
});

/**
 * Reads what a hook printed: a JSON object, or text, which says nothing unless `plain` is set, where
 * it is for the model. Unknown fields are passed over.
 */
export function readAnswer(stdout: string, plain: boolean): ReadAnswer {
  const text = stdout.trim();
  if (!text.startsWith("{")) {
    return { ok: true, answer: plain && text !== "" ? { context: text } : {} };
  }
  const value = parseJson(text);
  if (value === undefined) return { ok: false, problem: "its output is no JSON" };
  const parsed = output.safeParse(value);
  if (parsed.success) return { ok: true, answer: answerOf(parsed.data) };
  const [issue] = parsed.error.issues;
  return { ok: false, problem: `its output cannot be used: ${issue?.path.join(".")} is wrong` };
}

function answerOf(said: z.infer<typeof output>): HookAnswer {
  const specific = said.hookSpecificOutput ?? {};
  const { updatedInput, permissionDecision, additionalContext } = { ...said, ...given(specific) };
  const decision = said.continue === false
    ? "deny"
    : permissionDecision ?? decisionOf(said.decision);
  const reason = specific.permissionDecisionReason ?? said.permissionDecisionReason ??
    said.reason ?? said.stopReason;
  return {
    ...(decision && { decision }),
    ...(reason && { reason }),
    ...(updatedInput && { updatedInput }),
    ...(additionalContext && { context: additionalContext }),
    ...(said.systemMessage && { message: said.systemMessage }),
  };
}

function decisionOf(said: z.infer<typeof output>["decision"]): HookAnswer["decision"] {
  switch (said) {
    case "approve":
      return "allow";
    case "block":
      return "deny";
    case "allow":
    case "deny":
    case "ask":
      return said;
    case null:
    case undefined:
      return undefined;
  }
}

/** An object without the fields that say nothing. */
function given<T extends object>(value: T): Partial<T> {
  const said = Object.entries(value).filter(([, field]) => field !== null && field !== undefined);
  // Fewer fields of the same types.
  return Object.fromEntries(said) as Partial<T>;
}
