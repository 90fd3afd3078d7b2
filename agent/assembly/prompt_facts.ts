import { skillTool } from "../../tools/skill.ts";
import { todoWrite } from "../../tools/todo_write.ts";
import { extraFolders } from "../launch.ts";
import type { PromptFacts } from "../prompt.ts";
import type { AgentParts } from "./agent_parts.ts";

/** What the system prompt tells, as it is now; `tools`: the names of those that are offered. */
export function promptFacts(parts: AgentParts, tools: readonly string[]): PromptFacts {
  const { launch, enclosure, backing, instructions, session } = parts;
  const { grants, confinement, workspace } = enclosure.rights;
  return {
    workspace,
    cwd: backing.shell.cwd,
    platform: Deno.build.os,
    date: parts.now().toISOString().slice(0, 10),
    // A repository around the workspace is none that commands could see.
    isGitRepository: instructions.inRepository &&
      enclosure.view?.view.hiddenRepository === undefined,
    confinement,
    approval: launch.settings.approval,
    interactive: parts.interactive,
    tools,
    extraFolders: extraFolders(grants, "read", launch.places),
    instructions: instructions.text,
    ...(parts.answerSchema !== undefined && { answerSchema: parts.answerSchema }),
    ...(parts.role !== undefined && { role: parts.role }),
    ...(tools.includes(skillTool.name) && { skills: parts.skills.known }),
    todos: session.conversation.latest(todoWrite)?.todos ?? [],
  };
}
