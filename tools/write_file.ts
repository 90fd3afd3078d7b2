import * as z from "zod";
import { planWrite } from "../edit/save.ts";
import { planSave, renderSave, type Save, saveResult, writeSave } from "./save_text.ts";
import { schema } from "./schema.ts";
import { defineTool, text } from "./tool.ts";

const parameters = z.strictObject({ path: z.string().min(1), content: z.string() });

export const writeFile = defineTool({
  name: "write_file",
  description:
    'Make a file, with its folders, or replace the whole of one. To change a part of a file use edit_file or patch. Write everything out: comments like "// ... rest" are refused.',
  parameters: schema(parameters),
  needs: { read: ["workspace"], write: ["workspace"] },
  plan: (args, { files }) => planSave(files, saveOf(args)),
  run: (args, { files }, { prepared }) => writeSave(files, saveOf(args), prepared),
  result: schema(saveResult),
  render: (value) => [text(renderSave(value, "Wrote"))],
});

function saveOf({ path, content }: z.infer<typeof parameters>): Save {
  return {
    path,
    content,
    apply: planWrite,
    // A file that somebody else has just written must not be lost unseen.
    follows: false,
  };
}
