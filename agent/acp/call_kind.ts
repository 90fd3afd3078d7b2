import type { ToolKind } from "@agentclientprotocol/sdk";

const KINDS: Readonly<Record<string, ToolKind>> = {
  read_file: "read",
  view_anchored: "read",
  view_image: "read",
  screenshot: "read",
  list_dir: "search",
  glob: "search",
  grep: "search",
  rag_index: "search",
  rag_search: "search",
  rag_status: "search",
  write_file: "edit",
  append_file: "edit",
  edit_file: "edit",
  patch: "edit",
  patch_many: "edit",
  patch_anchored: "edit",
  morph: "edit",
  bash: "execute",
  python: "execute",
  tmux: "execute",
  job_list: "execute",
  job_output: "execute",
  job_kill: "execute",
  web_fetch: "fetch",
  web_search: "fetch",
  browser: "fetch",
  todo_write: "think",
  skill: "think",
};

/** What an editor sorts a tool's calls under; tools that are not ours are "other". Pure. */
export function kindOf(tool: string): ToolKind {
  return Object.hasOwn(KINDS, tool) ? KINDS[tool] ?? "other" : "other";
}
