import { confinementLine } from "../../sandbox/tier.ts";
import { text } from "../../tools/tool.ts";
import { attachImages } from "../attachments.ts";
import { EXIT } from "../exit_code.ts";
import type { Invocation } from "../command_line/parse.ts";
import { startAgent } from "../start.ts";
import { askAtTerminal } from "./ask_at_terminal.ts";
import { type Host, outputFor } from "./headless.ts";
import { terminalLines } from "./read_line.ts";
import { onSignals } from "./signals.ts";

/** Talks with a person at the terminal, task by task, until they leave; resolves to the exit code. */
export async function runConversation(
  { options, operands }: Invocation,
  host: Host,
): Promise<number> {
  const output = outputFor(options, host);
  const readLine = terminalLines();
  const agent = await startAgent(options, host.env, host.cwd, {
    emit: (event) => output.emit(event),
    note: (line) => output.note(line),
    alarm: (line) => output.alarm(line),
    approve: askAtTerminal(readLine, (asked) => host.streams.stderr.write(asked)),
    interactive: true,
  });
  const { started } = agent;
  output.note(confinementLine({
    tier: started.tier,
    tierReason: started.tier_reason,
    profile: started.profile,
  }));
  output.note(`session ${agent.session.id}, model ${started.model}; Ctrl-D leaves`);
  let exitCode: number = EXIT.done;
  let leaving = false;
  let reason = "done";
  let images = await attachImages(options.image ?? [], host.cwd, agent.session.blobs);
  let prompt: string | undefined = operands.join(" ").trim();
  try {
    while (!leaving) {
      prompt ||= await readLine("> ", new AbortController().signal);
      if (prompt === undefined) break;
      if (prompt.trim() === "") {
        prompt = "";
        continue;
      }
      const stop = new AbortController();
      using _signals = onSignals({
        interrupt(interruption) {
          leaving = interruption.exitCode !== EXIT.interrupted;
          exitCode = leaving ? interruption.exitCode : exitCode;
          stop.abort(interruption);
        },
        quit: (interruption) => host.exit(interruption.exitCode),
      });
      const began = performance.now();
      const end = await agent.task([text(prompt), ...images], stop.signal);
      images = [];
      reason = end.reason;
      output.emit({
        type: "result",
        reason: end.reason,
        exit_code: end.exitCode,
        text: end.text,
        turns: end.turns,
        usage: agent.usage(),
        duration_ms: Math.round(performance.now() - began),
      });
      prompt = "";
    }
  } finally {
    await agent.close(reason);
  }
  return exitCode;
}
