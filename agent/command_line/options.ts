import type { Option } from "./option.ts";
import { BATCH_OPTIONS } from "./options/batch.ts";
import { MODEL_OPTIONS } from "./options/model.ts";
import { OTHER_OPTIONS } from "./options/other.ts";
import { OUTPUT_OPTIONS } from "./options/output.ts";
import { RIGHTS_OPTIONS } from "./options/rights.ts";
import { SESSION_OPTIONS } from "./options/session.ts";
import { TASK_OPTIONS } from "./options/task.ts";

/** Every option, once, in the order of the help. */
export const OPTIONS = {
  ...TASK_OPTIONS,
  ...MODEL_OPTIONS,
  ...OUTPUT_OPTIONS,
  ...SESSION_OPTIONS,
  ...RIGHTS_OPTIONS,
  ...BATCH_OPTIONS,
  ...OTHER_OPTIONS,
} as const satisfies Record<string, Option>;

export type OptionName = keyof typeof OPTIONS;

type ValueOf<O> = O extends { kind: "choice"; choices: readonly (infer C)[] } ? C
  : O extends { kind: "toggle" } ? boolean
  : O extends { kind: "text" } ? string
  : O extends { kind: "number" } ? number
  : O extends { kind: "list" } ? readonly string[]
  : O extends { kind: "extent" } ? "all" | readonly string[]
  : never;

/** The options that were given, by name. */
export type OptionValues = {
  -readonly [K in OptionName]?: ValueOf<(typeof OPTIONS)[K]>;
};
