import type { Backing } from "../backing/backing.ts";
import type { Enclosure } from "../enclosure.ts";
import { instructionFiles, viewedInstructionFiles } from "../instruction_files.ts";
import { gatherInstructions, type Instructions } from "../instructions.ts";
import type { Launch } from "../launch.ts";

/** The instructions of the workspace, read in the view where this process may not look at them. */
export async function instructionsFor(
  { places: { workspace, config }, grants }: Launch,
  { view }: Enclosure,
  { commands }: Backing,
  note: (line: string) => void,
): Promise<Instructions> {
  const files = view && !grants.allows("read", workspace)
    ? viewedInstructionFiles(commands, workspace)
    : instructionFiles;
  const instructions = await gatherInstructions(workspace, config, files);
  if (instructions.truncated) note("warning: AGENTS.md files are cut at 32 KiB");
  return instructions;
}
