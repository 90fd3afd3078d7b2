import * as z from "zod";

/** What stands for the absolute path of an edited file in a command. */
export const FILE_WORD = "$FILE";

/** The longest that a check may take, in seconds. */
const MAX_SECONDS = 120;

const argv = z.array(z.string().min(1)).min(1);

const common = {
  match: z.string().min(1),
  timeout: z.number().positive().max(MAX_SECONDS).optional(),
};

const formatter = z.strictObject({
  ...common,
  command: argv.refine((words) => words.some((word) => word.includes(FILE_WORD)), {
    message: `no word of it holds ${FILE_WORD}, so it would not know what to format`,
  }),
});

const byCommand = z.strictObject({ ...common, command: argv });

const byServer = z.strictObject({
  ...common,
  lsp: argv,
  settings: z.record(z.string(), z.unknown()).optional(),
  language: z.string().min(1).optional(),
});

/** The key `format` of a configuration file. */
export const formatSchema = z.array(formatter).describe(
  "programs that format a file after an edit, each with `match` (a glob), `command` (words, " +
    "`$FILE` is the file), `timeout` (seconds, 10 where it is missing)",
);

/** The key `diagnostics` of a configuration file. */
export const diagnosticsSchema = z.array(z.union([byCommand, byServer])).describe(
  "what looks for new problems after an edit, each with `match` and `timeout` as in `format`, and " +
    "`command` (words, exit code 0 is no problem), or `lsp` (words that start a language server), " +
    "`settings`, `language`",
);

export type FormatterConfig = z.infer<typeof formatter>;
export type DiagnosticsConfig = z.infer<typeof diagnosticsSchema>[number];
export type CommandConfig = z.infer<typeof byCommand>;
export type ServerConfig = z.infer<typeof byServer>;
