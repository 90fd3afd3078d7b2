import * as z from "zod";

/** When a hook can run, by the names that other agents have for these moments. */
export const HOOK_EVENTS = [
  "SessionStart",
  "UserPromptSubmit",
  "PreToolUse",
  "PermissionRequest",
  "PostToolUse",
  "PreCompact",
  "Stop",
  "SubagentStop",
  "Notification",
  "SessionEnd",
] as const;

/** A moment at which hooks run. */
export type HookEvent = typeof HOOK_EVENTS[number];

/** The longest that a hook may take, in seconds. */
const MAX_SECONDS = 600;

const hook = z.strictObject({
  type: z.literal("command").optional(),
  command: z.string().min(1),
  timeout: z.number().positive().max(MAX_SECONDS).optional(),
  strict: z.boolean().optional(),
  outside: z.boolean().optional(),
});

const group = z.strictObject({
  matcher: z.string().refine(isExpression, { message: "is no regular expression" }).optional(),
  hooks: z.array(hook),
});

/** The key `hooks` of a configuration file. */
export const hooksSchema = z.partialRecord(z.enum(HOOK_EVENTS), z.array(group)).describe(
  "commands that run at certain moments, by event: lists of `{ matcher, hooks }`, where a hook has " +
    "`command`, `timeout` (seconds, 60 where it is missing), `strict`, `outside`; see docs/hooks.md",
);

/** Hooks as a file has them. */
export type HooksConfig = z.infer<typeof hooksSchema>;

/** `*` is no expression, and is meant for all. */
export function expressionOf(matcher: string | undefined): RegExp | undefined {
  if (matcher === undefined || matcher === "" || matcher === "*") return undefined;
  return new RegExp(`^(?:${matcher})$`, "iu");
}

function isExpression(text: string): boolean {
  try {
    expressionOf(text);
    return true;
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}
