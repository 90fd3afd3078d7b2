import { askUser } from "./ask_user.ts";
import { bashTool } from "./bash.ts";
import { editTools } from "./edit_tools.ts";
import { browserTool } from "./browser.ts";
import type { Recovery } from "./explain_refusal.ts";
import { glob } from "./glob.ts";
import { grep } from "./grep.ts";
import { jobKill } from "./job_kill.ts";
import { jobList } from "./job_list.ts";
import { jobOutput } from "./job_output.ts";
import { listDir } from "./list_dir.ts";
import { pythonTool } from "./python.ts";
import { ragIndex } from "./rag_index.ts";
import { ragSearch } from "./rag_search.ts";
import { ragStatus } from "./rag_status.ts";
import { readFile } from "./read_file.ts";
import { skillTool } from "./skill.ts";
import { todoWrite } from "./todo_write.ts";
import { tmuxTool } from "./tmux.ts";
import { subagentTool } from "./subagent.ts";
import { subagentBatch } from "./subagent_batch.ts";
import { subagentCancel } from "./subagent_cancel.ts";
import { subagentList } from "./subagent_list.ts";
import { subagentReadLog } from "./subagent_read_log.ts";
import { subagentReply } from "./subagent_reply.ts";
import { subagentStatus } from "./subagent_status.ts";
import { subagentWait } from "./subagent_wait.ts";
import type { RoleFacts } from "./subagent/children.ts";
import type { Tool } from "./tool.ts";
import { computer } from "./computer.ts";
import { screenshot } from "./screenshot.ts";
import { viewImage } from "./view_image.ts";
import type { SearchEngine } from "./web/engines/engine.ts";
import { webFetch } from "./web_fetch.ts";
import { webSearch } from "./web_search.ts";

/** What a person may set of the built-in tools. */
export interface ToolOptions {
  /** Default time limit of a command, in milliseconds. */
  readonly bashTimeoutMs: number | undefined;
  /** How much of a file a refused edit shows; by default the closest place. */
  readonly recovery?: Recovery;
  /** What `web_search` asks, the first one first. */
  readonly search?: readonly SearchEngine[];
  /** What sub-agents can be. */
  readonly roles?: readonly RoleFacts[];
}

/** Every built-in tool, in the order in which the model is told of them. */
export function builtinTools(
  { bashTimeoutMs, recovery = "place", search = [], roles = [] }: ToolOptions,
): readonly Tool[] {
  return [
    bashTool({ timeoutMs: bashTimeoutMs }),
    jobList,
    jobOutput,
    jobKill,
    readFile,
    ...editTools({ recovery }),
    listDir,
    glob,
    grep,
    todoWrite,
    askUser,
    skillTool,
    pythonTool(),
    tmuxTool(),
    viewImage,
    screenshot,
    computer,
    webFetch(),
    webSearch(search),
    browserTool(),
    subagentTool(roles),
    subagentStatus,
    subagentWait,
    subagentCancel,
    subagentReply,
    subagentList,
    subagentReadLog,
    subagentBatch,
    ragSearch,
    ragIndex,
    ragStatus,
  ];
}

/** The tools that are on without being named. */
export const DEFAULT_TOOLS: readonly string[] = [
  "bash",
  "job_list",
  "job_output",
  "job_kill",
  "read_file",
  "write_file",
  "append_file",
  "edit_file",
  "patch",
  "patch_many",
  "list_dir",
  "glob",
  "grep",
  "todo_write",
  "ask_user",
  "skill",
];
