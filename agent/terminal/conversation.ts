import { confinementLine } from "../../sandbox/rights/tier.ts";
import { text } from "../../tools/tool.ts";
import type { Agent } from "../agent.ts";
import { attachImages } from "../attachments.ts";
import type { AgentEvent } from "../events.ts";
import { EXIT } from "../exit_code.ts";
import type { OptionValues } from "../command_line/options.ts";
import type { Invocation } from "../command_line/parse.ts";
import { interruptionOf } from "../interruption.ts";
import { checkStart, startAgent } from "../start.ts";
import { askByLine } from "./approval/ask_by_line.ts";
import { personByLine } from "./approval/ask_person.ts";
import { editText } from "./approval/edit_text.ts";
import { editorLine, editOutside } from "./external_editor.ts";
import type { Host } from "./headless.ts";
import { outputFor } from "./report_failure.ts";
import type { Output, OutputStreams } from "./output.ts";
import { readPromptFiles } from "./prompt_files.ts";
import { plainDesk } from "./plain_desk.ts";
import { type ReadLine, terminalLines } from "./read_line.ts";
import { resultEvent } from "./result_event.ts";
import { onSignals } from "./signals.ts";
import type { TaskRequest } from "./slash/desk.ts";
import { Seat } from "./slash/seat.ts";
import { type Style, styleFor } from "./style.ts";
import { terminalSize } from "./terminal_size.ts";
import { waitingForTrust } from "./waiting_for_trust.ts";
import { warnedOnce } from "./warned_once.ts";

/** Talks with a person at the terminal, task by task, until they leave; resolves to the exit code. */
export async function runConversation(
  { options, operands }: Invocation,
  host: Host,
): Promise<number> {
  const output = outputFor(options, host);
  const leave = new AbortController();
  let turn: AbortController | undefined;
  const held: { seat?: Seat } = {};
  using signals = onSignals({
    interrupt(reason) {
      turn?.abort(reason);
      // Without a turn to stop, Ctrl-C leaves.
      if (turn === undefined || reason.exitCode !== EXIT.interrupted) leave.abort(reason);
    },
    async quit(reason) {
      leave.abort(reason);
      await held.seat?.agent.abandon();
      host.exit(reason.exitCode);
    },
  });
  const { images: attached, ...typedFirst } = await readPromptFiles(operands, host.cwd);
  const readLine = afterOutput(terminalLines(() => signals.press()), host.streams);
  const { env, stderrIsTerminal: isTerminal } = host;
  const style = styleFor({ flag: options.color ?? "auto", isTerminal, env });
  const audience = {
    emit: (event: AgentEvent) => output.emit(event),
    note: warnedOnce((line: string) => output.note(line)),
    alarm: (line: string) => output.alarm(line),
    ...askedByLine(readLine, style, host),
    interactive: true,
  };
  const starter = {
    check: (asked: OptionValues) => checkStart(asked, host.env, host.cwd),
    start: (asked: OptionValues) => startAgent(asked, host.env, host.cwd, audience),
  };
  const seat = await Seat.take(starter, options, (agent) => greet(agent, output));
  held.seat = seat;
  const waiting = await waitingForTrust(seat.agent.launch, true);
  if (waiting !== undefined) audience.note(`warning: ${waiting}`);
  let left = false;
  const desk = plainDesk({
    ...{ seat, output, readLine, busy, streams: host.streams },
    view: () => ({ width: terminalSize().columns, style }),
    submit: (request) => busy((signal) => takeTurn(seat, request, signal, output)),
    leave: () => left = true,
  });
  try {
    const { words, blocks } = typedFirst;
    const images = [...options.image ?? [], ...attached];
    const kept = await attachImages(images, host.cwd, seat.agent.session.blobs);
    let more = [...blocks.map(text), ...kept];
    let typed: string | undefined = words.join(" ");
    while (typed !== undefined && !left && !leave.signal.aborted) {
      // Images alone wait for a line that says something.
      if (typed.trim() !== "" || more.some(({ type }) => type === "text")) {
        // It is loaded for what a person typed, and not for a start.
        const { handleLine } = await import("./slash/handle.ts");
        await handleLine(typed, desk, { more });
        more = [];
      }
      if (!left && !leave.signal.aborted) typed = await readLine("> ", leave.signal);
    }
  } finally {
    await seat.close();
  }
  return leave.signal.aborted ? interruptionOf(leave.signal).exitCode : EXIT.done;

  /** Does something that Ctrl-C stops. */
  async function busy<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    turn = new AbortController();
    try {
      return await act(turn.signal);
    } finally {
      turn = undefined;
    }
  }
}

/** Who answers questions here: the person, by lines that they type. */
function askedByLine(readLine: ReadLine, style: Style, host: Host) {
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
  return {
    approve: askByLine({ readLine, write, style, edit, width: () => terminalSize().columns }),
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

/** Lets the agent work on what was said, and tells how it ended. */
async function takeTurn(
  seat: Seat,
  { content, tools }: TaskRequest,
  signal: AbortSignal,
  output: Output,
): Promise<void> {
  const began = performance.now();
  const { agent } = seat;
  const end = await agent.task(content, signal, tools && { tools });
  seat.lastReason = end.reason;
  output.emit(resultEvent(end, agent.usage(), began));
}

/** A line is asked for when everything before it can be read. */
function afterOutput(readLine: ReadLine, { stdout, stderr }: OutputStreams): ReadLine {
  return async (prompt, signal, how) => {
    await Promise.all([stdout.flush(), stderr.flush()]);
    return await readLine(prompt, signal, how);
  };
}
