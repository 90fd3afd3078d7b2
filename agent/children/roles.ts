import type { RoleFacts } from "../../tools/subagent/children.ts";

/** A kind of child: how it works, with what, by which model. */
export interface Role extends RoleFacts {
  /** Told to the child before its task. */
  readonly instructions: string;
  /** Names of the only tools that it gets, of those that its parent has; absent: all of them. */
  readonly tools?: readonly string[];
  /** The model that it asks; absent: its parent's. */
  readonly model?: string;
  /** Whether it only reads, whatever its parent may. */
  readonly readOnly?: true;
}

const SUB_AGENT = "You are a sub-agent: another agent, which has not shown you its conversation, " +
  "gave you one task. Your last message is all that it gets of your work, so put the result there: " +
  "what you found or did, with the paths and lines that matter, and what is left open.";

/** The roles that are always there. */
export const BUILT_IN_ROLES: readonly Role[] = [
  {
    name: "explore",
    description: "looks around and answers; changes nothing",
    instructions:
      `${SUB_AGENT} You look and change nothing. Search broadly first, then read what ` +
      "matters; say what you did not find.",
    tools: [
      "bash",
      "read_file",
      "list_dir",
      "glob",
      "grep",
      "todo_write",
      "web_fetch",
      "web_search",
    ],
    readOnly: true,
  },
  {
    name: "implement",
    description: "makes a change and checks it",
    instructions:
      `${SUB_AGENT} Make the change that the task asks for and no other, and run what ` +
      "shows that it works. Others may work in the same folder: leave alone what is not yours.",
  },
  {
    name: "verify",
    description: "checks a claim or a change by running things; mends nothing",
    instructions:
      `${SUB_AGENT} Check whether what the task claims is true: run the tests, try odd ` +
      "input, read the change. Mend nothing. Begin your last message with PASS or FAIL, then the " +
      "evidence.",
    tools: [
      ...["bash", "job_list", "job_output", "job_kill", "python"],
      ...["read_file", "list_dir", "glob", "grep", "todo_write"],
    ],
  },
];

/** What a role made by a person says first: it is about the work, and knows nothing of children. */
export function personalInstructions(body: string): string {
  return `${SUB_AGENT}\n\n${body.trim()}`;
}
