import * as z from "zod";
import { replaceUnique } from "../edit/ladder.ts";
import { planEdit, writeEdit } from "./apply_edit.ts";
import { edited, notEdited, renderEdited } from "./edit_result.ts";
import type { Recovery } from "./explain_refusal.ts";
import { ladderEdit } from "./ladder_edit.ts";
import { schema } from "./schema.ts";
import { defineTool, text } from "./tool.ts";

const parameters = z.strictObject({
  path: z.string().min(1),
  old_string: z.string(),
  new_string: z.string(),
  replace_all: z.boolean().optional(),
});

/** Replaces one place of a file, or all places, by their text. */
export function editFileTool({ recovery }: { readonly recovery: Recovery }) {
  const editOf = (args: z.infer<typeof parameters>) =>
    ladderEdit({
      path: args.path,
      apply: (source) =>
        replaceUnique(source, args.old_string, args.new_string, {
          replaceAll: args.replace_all ?? false,
        }),
      view: { form: "edit", recovery },
    });
  return defineTool({
    name: "edit_file",
    description:
      "Replace old_string, which must occur once (or replace_all), by new_string. Copy it from the file, without line numbers. For several places of a file use patch, for a new file write_file.",
    parameters: schema(parameters),
    needs: { read: ["workspace"], write: ["workspace"] },
    plan: (args, { files }) => planEdit(files, editOf(args)),
    run: (args, { files }, { prepared }) => writeEdit(files, editOf(args), prepared),
    result: schema(z.union([edited, notEdited])),
    render: (value) => [text(renderEdited(value))],
  });
}
