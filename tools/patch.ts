import * as z from "zod";
import { parseHunks } from "../edit/hunk_grammar.ts";
import { applyHunks, sizeHint } from "../edit/hunks.ts";
import { isRefusal } from "../edit/refusal.ts";
import { planEdit, writeEdit } from "./apply_edit.ts";
import { edited, notEdited, renderEdited } from "./edit_result.ts";
import type { Recovery } from "./explain_refusal.ts";
import { ladderEdit } from "./ladder_edit.ts";
import { schema } from "./schema.ts";
import { defineTool, text } from "./tool.ts";

const parameters = z.strictObject({ path: z.string().min(1), patch: z.string() });

/** Changes several places of one file by hunks between conflict markers: all of them or none. */
export function patchTool({ recovery }: { readonly recovery: Recovery }) {
  const editOf = ({ path, patch }: z.infer<typeof parameters>) =>
    ladderEdit({
      path,
      apply(source) {
        const hunks = parseHunks(patch);
        return isRefusal(hunks) ? hunks : applyHunks(source, hunks);
      },
      view: { form: "patch", recovery },
      hint: (fresh) => sizeHint(patch, fresh.text),
    });
  return defineTool({
    name: "patch",
    description:
      "Change several places of one file, all or none. patch holds hunks of whole lines; an empty UPDATED part deletes:\n<<<<<<< ORIGINAL\nold lines\n=======\nnew lines\n>>>>>>> UPDATED",
    parameters: schema(parameters),
    needs: { read: ["workspace"], write: ["workspace"] },
    plan: (args, { files }) => planEdit(files, editOf(args)),
    run: (args, { files }, { prepared }) => writeEdit(files, editOf(args), prepared),
    result: schema(z.union([edited, notEdited])),
    render: (value) => [text(renderEdited(value))],
  });
}
