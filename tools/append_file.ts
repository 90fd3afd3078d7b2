import * as z from "zod";
import { planAppend } from "../edit/save.ts";
import { planSave, renderSave, type Save, saveResult, writeSave } from "./save_text.ts";
import { schema } from "./schema.ts";
import { defineTool, text } from "./tool.ts";

const parameters = z.strictObject({ path: z.string().min(1), content: z.string() });

export const appendFile = defineTool({
  name: "append_file",
  description:
    "Add lines at the end of a file, which is made if missing. Line breaks before and after are seen to.",
  parameters: schema(parameters),
  needs: { read: ["workspace"], write: ["workspace"] },
  plan: (args, { files }) => planSave(files, saveOf(args)),
  run: (args, { files }, { prepared }) => writeSave(files, saveOf(args), prepared),
  result: schema(saveResult),
  render: (value) => [text(renderSave(value, "Appended to"))],
});

function saveOf({ path, content }: z.infer<typeof parameters>): Save {
  return {
    path,
    content,
    apply: planAppend,
    // What others appended meanwhile stays: the end is where it is now.
    follows: true,
  };
}
