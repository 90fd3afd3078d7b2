import { confinementLine } from "../../sandbox/rights/tier.ts";
import { type Content, text } from "../../tools/tool.ts";
import type { Agent } from "../agent.ts";
import { attachImages } from "../attachments.ts";
import { EXIT } from "../exit_code.ts";
import type { OptionValues } from "../command_line/options.ts";
import type { Invocation } from "../command_line/parse.ts";
import { interruptionOf } from "../interruption.ts";
import { startAgent } from "../start.ts";
import { askByLine } from "./approval/ask_by_line.ts";
import { personByLine } from "./approval/ask_person.ts";
import { editText } from "./approval/edit_text.ts";
import { editorLine, editOutside } from "./external_editor.ts";
import { type Host, outputFor } from "./headless.ts";
import type { Output, OutputStreams } from "./output.ts";
import { readPromptFiles } from "./prompt_files.ts";
import { joinPrompt } from "./prompt_input.ts";
import { type ReadLine, terminalLines } from "./read_line.ts";
import { onSignals } from "./signals.ts";
import { styleFor } from "./style.ts";

/** Talks with a person at the terminal, task by task, until they leave; resolves to the exit code. */
export async function runConversation(
  { options, operands }: Invocation,
  host: Host,
): Promise<number> {
  const output = outputFor(options, host);
  const leave = new AbortController();
  let turn: AbortController | undefined;
  const held: { agent?: Agent } = {};
  using signals = onSignals({
    interrupt(reason) {
      turn?.abort(reason);
      // Without a turn to stop, Ctrl-C leaves.
      if (turn === undefined || reason.exitCode !== EXIT.interrupted) leave.abort(reason);
    },
    async quit(reason) {
      leave.abort(reason);
      await held.agent?.abandon();
      host.exit(reason.exitCode);
    },
  });
  const { images: attached, ...typedFirst } = await readPromptFiles(operands, host.cwd);
  const readLine = afterOutput(terminalLines(() => signals.press()), host.streams);
  const agent = await startAgent(options, host.env, host.cwd, {
    emit: (event) => output.emit(event),
    note: (line) => output.note(line),
    alarm: (line) => output.alarm(line),
    ...askedByLine(readLine, options, host),
    interactive: true,
  });
  held.agent = agent;
  greet(agent, output);
  let reason = "done";
  try {
    let images = await attachImages(
      [...options.image ?? [], ...attached],
      host.cwd,
      agent.session.blobs,
    );
    let typed: string | undefined = joinPrompt(typedFirst);
    while (typed !== undefined && !leave.signal.aborted) {
      if (typed.trim() !== "") {
        turn = new AbortController();
        reason = await takeTurn(agent, [text(typed), ...images], turn.signal, output);
        turn = undefined;
        images = [];
      }
      if (!leave.signal.aborted) typed = await readLine("> ", leave.signal);
    }
  } finally {
    await agent.close(reason);
  }
  return leave.signal.aborted ? interruptionOf(leave.signal).exitCode : EXIT.done;
}

/** Who answers questions here: the person, by lines that they type. */
function askedByLine(readLine: ReadLine, { color }: OptionValues, host: Host) {
  const { env, streams: { stderr } } = host;
  const write = (asked: string) => stderr.write(asked);
  const editor = editorLine(env);
  const edit = editText({
    ...{ readLine, write },
    ...(editor !== undefined && {
      outside: async (text: string, name: string) => {
        await stderr.flush();
        return await editOutside(text, name, editor, env);
      },
    }),
  });
  const style = styleFor({ flag: color ?? "auto", isTerminal: host.stderrIsTerminal, env });
  return {
    approve: askByLine({ readLine, write, style, edit }),
    person: personByLine(readLine, write),
  };
}

function greet({ started, session }: Agent, output: Output): void {
  output.emit(started);
  output.note(confinementLine({
    tier: started.tier,
    tierReason: started.tier_reason,
    profile: started.profile,
  }));
  output.note(`session ${session.id}, model ${started.model}; Ctrl-D leaves`);
}

/** Lets the agent work on what was said, and tells how it ended; resolves to the reason. */
async function takeTurn(
  agent: Agent,
  content: readonly Content[],
  signal: AbortSignal,
  output: Output,
): Promise<string> {
  const began = performance.now();
  const end = await agent.task(content, signal);
  output.emit({
    type: "result",
    reason: end.reason,
    exit_code: end.exitCode,
    text: end.text,
    turns: end.turns,
    usage: agent.usage(),
    duration_ms: Math.round(performance.now() - began),
  });
  return end.reason;
}

/** A line is asked for when everything before it can be read. */
function afterOutput(readLine: ReadLine, { stdout, stderr }: OutputStreams): ReadLine {
  return async (prompt, signal, how) => {
    await Promise.all([stdout.flush(), stderr.flush()]);
    return await readLine(prompt, signal, how);
  };
}
