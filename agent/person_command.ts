import { bashTool } from "../tools/bash.ts";
import type { Tool } from "../tools/tool.ts";
import { UsageError } from "./command_line/parse.ts";
import { type Capabilities, toolContext } from "./capabilities.ts";
import type { Launch } from "./launch.ts";
import type { Redaction } from "./redaction.ts";
import { personCommandRecord } from "./session/convert.ts";
import type { Session } from "./session/log.ts";
import type { Sweeping } from "./backing/sweeping.ts";

/** Nobody judges what a person typed. */
const PLAN = { touches: [] };

/** What a command of the person's runs in: that of the model's commands. */
export interface PersonCommandParts {
  readonly launch: Launch;
  /** The tools that are offered. */
  readonly tools: readonly Tool[];
  readonly capabilities: Capabilities;
  readonly sweeping: Sweeping;
  readonly redaction: Redaction;
  readonly append: Session["append"];
}

/**
 * Runs a shell command that a person typed, in the shell of the model's own commands, confined as
 * they are; resolves to what it came to, as the model will read it with the next prompt. Nobody is
 * asked: whoever would be has said it. A command that meets its limit goes on as a job.
 * @throws {UsageError} where no command can be run here.
 */
export async function runPersonCommand(
  command: string,
  parts: PersonCommandParts,
  signal: AbortSignal,
  progress: (part: string) => void,
): Promise<string> {
  const { redaction, sweeping } = parts;
  const bash: Tool = bashTool({ timeoutMs: parts.launch.settings.bashTimeoutMs });
  if (!parts.tools.some(({ name }) => name === bash.name)) {
    throw new UsageError("Cannot run commands here: bash is not offered, see /tools");
  }
  const args = bash.parameters.parse({ command });
  if (!args.ok) throw new UsageError(`Cannot run this: ${args.problems.join("; ")}`);
  await sweeping.ready();
  const context = toolContext(bash.needs, parts.capabilities, {
    callId: "person",
    signal,
    progress: (part) => progress(redaction.redact(part)),
  });
  const { result, lines } = await sweeping.call(() => bash.run(args.value, context, PLAN));
  const shown = bash.render(result).flatMap((part) => part.type === "text" ? [part.text] : []);
  const output = redaction.redact([...shown, ...lines.map((line) => `[${line}]`)].join("\n"));
  await parts.append(personCommandRecord(command, output));
  return output;
}
