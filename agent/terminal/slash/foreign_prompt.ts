import type { GetPromptResult } from "@modelcontextprotocol/client";
import { text } from "../../../tools/tool.ts";
import { cleanLine, cleanText } from "../../../tools/web/outside.ts";
import { UsageError } from "../../command_line/parse.ts";
import type { ForeignPrompt } from "../../mcp/foreign_tools.ts";
import { nameApart } from "../../mcp/names.ts";
import type { SlashCommand } from "./command.ts";
import { wordsOf } from "./user/expand.ts";

/** The prompts of MCP servers as commands, `/mcp__server__prompt`. */
export function promptCommands(prompts: readonly ForeignPrompt[]): SlashCommand[] {
  const taken = new Set<string>();
  return prompts.flatMap((one) => {
    const name = nameApart(one.server, one.prompt.name, taken);
    if (name === undefined) return [];
    taken.add(name);
    return [promptCommand(name, one)];
  });
}

function promptCommand(command: string, { server, prompt, link }: ForeignPrompt): SlashCommand {
  const { name, description = "", arguments: wanted = [] } = prompt;
  const hints = wanted.map((one) => one.required ? one.name : `[${one.name}]`);
  return {
    name: command,
    hint: cleanLine(hints.join(" "), 100),
    description: cleanLine(description, 100),
    origin: "mcp",
    async run(argument, desk, { more }) {
      const args = promptArguments(name, wanted, argument);
      const { messages } = await desk.working(
        `asking ${cleanLine(server, 40)}`,
        (signal) => link.prompt(name, args, signal),
      );
      await desk.submit({ content: [text(promptText(messages)), ...more] });
    },
  };
}

/**
 * The arguments of a prompt as they were typed: `name=value`, or words in the order in which the
 * server names them, of which the last takes all that is left.
 * @throws {UsageError} where one is missing that has to be there.
 */
export function promptArguments(
  prompt: string,
  wanted: readonly { readonly name: string; readonly required?: boolean | undefined }[],
  typed: string,
): Record<string, string> {
  const given: Record<string, string> = {};
  const rest: string[] = [];
  for (const word of wordsOf(typed)) {
    const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(word) ?? [];
    if (wanted.some((one) => one.name === name)) given[name] = value;
    else rest.push(word);
  }
  const open = wanted.filter(({ name }) => !Object.hasOwn(given, name));
  for (const [i, { name }] of open.entries()) {
    const isLast = i === open.length - 1;
    const words = isLast ? rest.slice(i) : rest.slice(i, i + 1);
    if (words.length > 0) given[name] = words.join(" ");
  }
  const missing = wanted.find(({ name, required }) => required && !Object.hasOwn(given, name));
  if (!missing) return given;
  throw new UsageError(`Cannot give "${cleanLine(prompt, 60)}": its ${missing.name} is missing`);
}

/** What a server made of a prompt, as the person's own words; roles but theirs are named. */
function promptText(messages: GetPromptResult["messages"]): string {
  return messages.map(({ role, content }) => {
    const words = content.type === "text"
      ? content.text
      : content.type === "resource" && "text" in content.resource
      ? content.resource.text
      : `[${content.type}, which is not shown]`;
    return cleanText(role === "user" ? words : `${role}: ${words}`);
  }).join("\n\n");
}
