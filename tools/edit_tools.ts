import { appendFile } from "./append_file.ts";
import { editFileTool } from "./edit_file.ts";
import type { Recovery } from "./explain_refusal.ts";
import { morph } from "./morph.ts";
import { patchTool } from "./patch.ts";
import { patchAnchored } from "./patch_anchored.ts";
import { patchManyTool } from "./patch_many.ts";
import type { Tool } from "./tool.ts";
import { viewAnchored } from "./view_anchored.ts";
import { writeFile } from "./write_file.ts";

/** The tools that change files, the common ones first. */
export function editTools({ recovery }: { readonly recovery: Recovery }): readonly Tool[] {
  return [
    writeFile,
    appendFile,
    editFileTool({ recovery }),
    patchTool({ recovery }),
    patchManyTool({ recovery }),
    viewAnchored,
    patchAnchored,
    morph,
  ];
}
