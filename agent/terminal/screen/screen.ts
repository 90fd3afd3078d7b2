import { after } from "../../../sandbox/commands/timers.ts";
import { confinementLine } from "../../../sandbox/rights/tier.ts";
import type { Agent } from "../../agent.ts";
import type { Invocation } from "../../command_line/parse.ts";
import { EXIT } from "../../exit_code.ts";
import type { Interruption } from "../../interruption.ts";
import { findPlaces } from "../../places.ts";
import type { Audience } from "../../start/audience.ts";
import type { Host } from "../headless.ts";
import { readPromptFiles } from "../prompt_files.ts";
import { onSignals } from "../signals.ts";
import { Seat, type Starter } from "../slash/seat.ts";
import { styleFor } from "../style.ts";
import { warnedOnce } from "../warned_once.ts";
import { basename } from "node:path";
import { askApproval } from "./approval_modal.ts";
import { askPerson } from "./ask_person.ts";
import { Attention } from "./attention.ts";
import { Board } from "./board.ts";
import { Conductor } from "./conductor.ts";
import { TerminalDevice } from "./device.ts";
import { type FirstWords, firstWords } from "./first_words.ts";
import { type History, openHistory } from "./history.ts";
import { cleared, inputOf, withEditor } from "./input.ts";
import { Keyboard } from "./keyboard.ts";

/** How long a process that is told to end at once waits for its last words, in ms. */
const LAST_WORDS_MS = 200;

/**
 * Talks with a person at the screen: what is said and done scrolls by for good, and below it stand
 * what goes on and the line that they write in, also while the agent works. Resolves to the exit
 * code.
 */
export async function runScreen({ options, operands }: Invocation, host: Host): Promise<number> {
  const { env, cwd } = host;
  const said = firstWords(await readPromptFiles(operands, cwd), options.image ?? [], cwd);
  const { state } = findPlaces(options, env, cwd);
  const history = await openHistory(options["no-session"] ? undefined : state);
  const left = Promise.withResolvers<number>();
  const leave = () => left.resolve(EXIT.done);
  using device = new TerminalDevice(host.streams.stdout, env("TERM"));
  const style = styleFor({ flag: options.color ?? "auto", isTerminal: true, env });
  const board = new Board(device, style);
  const attention = new Attention({
    write: (text) => device.signal(text),
    name: basename(options.cd ?? cwd),
    now: () => performance.now(),
  });
  const conductor = new Conductor({ board, attention, cwd, leave });
  const held: { seat?: Seat } = {};
  using signals = onSignals({
    interrupt: (reason) => interrupt(reason, { conductor, board, history, left }),
    quit: (reason) => quit(reason, { board, device, seat: held.seat, host }),
  });
  const keyboard = new Keyboard({
    ...{ board, conductor, device, history, leave, env, cwd },
    interrupt: () => signals.press(),
    now: () => performance.now(),
  });
  board.input = inputOf(history.entries());
  device.open({
    onKey: (key) => keyboard.press(key),
    onFocus: (isAway) => attention.isAway = isAway,
    onChange: () => board.redraw(),
    onEnd: () => left.resolve(EXIT.hangup),
  });
  attention.rest();
  board.update();
  begin(said, conductor, board);
  try {
    const seated = takeSeat();
    // What is left to be done shows when the start ends, one way or the other.
    const code = await Promise.race([
      left.promise,
      conductor.failed,
      seated.then(() => left.promise),
    ]);
    await seated;
    return code;
  } finally {
    await conductor.close();
    await board.end();
  }

  async function takeSeat(): Promise<void> {
    using _busy = board.activities.begin("Starting");
    // Loading holds the process for moments: what was drawn is to stand there by then.
    await host.streams.stdout.flush();
    // The person writes already; what answers them is loaded meanwhile.
    const [{ checkStart, startAgent }] = await Promise.all([
      import("../../start.ts"),
      board.loadRenderers(),
    ]);
    const audience = audienceOf(board, conductor, attention);
    const starter: Starter = {
      check: (asked) => checkStart(asked, env, cwd),
      start: (asked) => startAgent(asked, env, cwd, audience),
    };
    const seat = await Seat.take(starter, options, (agent) => greet(agent, conductor, board));
    held.seat = seat;
    conductor.seat(seat);
    const { waitingForTrust } = await import("../waiting_for_trust.ts");
    const waiting = await waitingForTrust(seat.agent.launch, true);
    if (waiting !== undefined) audience.note(`warning: ${waiting}`);
  }
}

/** Who watches at the screen, and answers there. */
function audienceOf(board: Board, conductor: Conductor, attention: Attention): Audience {
  async function calling<T>(ask: () => Promise<T>): Promise<T> {
    attention.ask();
    try {
      return await ask();
    } finally {
      attention.goOn();
    }
  }
  const { dim, red } = board.view.style;
  return {
    emit: (event) => conductor.emit(event),
    note: warnedOnce((line) => board.say(line, dim)),
    alarm: (line) => board.say(line, red),
    approve: (question, signal) => calling(() => askApproval(question, board, signal)),
    person: { ask: (question, signal) => calling(() => askPerson(question, board, signal)) },
    interactive: true,
  };
}

function begin(said: FirstWords, conductor: Conductor, board: Board): void {
  if (said.kind === "keep") board.input = withEditor(board.input, said.editor);
  // Errors of what is done come by `failed`.
  else void conductor.send(said.written, said.more);
}

function greet(agent: Agent, conductor: Conductor, board: Board): void {
  const { started, session } = agent;
  const line = confinementLine({
    tier: started.tier,
    tierReason: started.tier_reason,
    profile: started.profile,
  });
  board.say(`${line}\nsession ${session.id}, model ${started.model}`, board.view.style.dim);
  conductor.greetAgent(agent);
}

/** What a first Ctrl-C finds: a turn to stop, words to clear, or nothing. */
function interrupt(
  reason: Interruption,
  { conductor, board, history, left }: {
    readonly conductor: Conductor;
    readonly board: Board;
    readonly history: History;
    readonly left: PromiseWithResolvers<number>;
  },
): void {
  const stopped = conductor.stop(reason);
  if (reason.exitCode !== EXIT.interrupted) return left.resolve(reason.exitCode);
  if (stopped) return;
  if (board.input.editor.text !== "") board.input = cleared(board.input, history.entries());
  else board.say("Ctrl-C once more quits", board.view.style.dim);
  board.update();
}

/** Ends the process at once; the terminal is given back before. */
async function quit(
  reason: Interruption,
  { board, device, seat, host }: {
    readonly board: Board;
    readonly device: TerminalDevice;
    readonly seat: Seat | undefined;
    readonly host: Host;
  },
): Promise<void> {
  using patience = after(LAST_WORDS_MS);
  await Promise.race([board.end(), patience.passed]);
  device[Symbol.dispose]();
  await seat?.agent.abandon();
  host.exit(reason.exitCode);
}
