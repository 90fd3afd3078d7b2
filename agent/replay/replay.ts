import { builtinTools } from "../../tools/mod.ts";
import { text } from "../../tools/tool.ts";
import type { Agent } from "../agent.ts";
import type { OptionValues } from "../command_line/options.ts";
import type { ReadVariable } from "../environment.ts";
import { nobody } from "../gate/approver.ts";
import { startAgent } from "../start.ts";
import { OUTSIDE } from "./compare.ts";
import { pathSwap } from "./paths.ts";
import type { Deed, RecordedResult, Recording } from "./recording.ts";
import { REPLAY_MODEL, replayedModel } from "./replayed_model.ts";
import { type Places, replayedApprover, replayedPerson } from "./replayed_person.ts";

/** What is played, where, and how. */
export interface ReplayOptions {
  readonly recording: Recording;
  /** The copy in which the tools work; absolute, links resolved. */
  readonly workspace: string;
  /** A state folder for this alone. */
  readonly state: string;
  /** What a person said of rights and tools; the rest comes from here. */
  readonly options: OptionValues;
  readonly env: ReadVariable;
  /** From where names in the options are taken. */
  readonly cwd: string;
  /** Whether what a person decided in the recording was decided here. */
  readonly trusted: boolean;
  readonly note: (line: string) => void;
}

/** A window that nothing fills: what was summed up then is played as it came. */
const ENDLESS_WINDOW_TOKENS = 1_000_000_000;

/** Runs a recording again, and resolves to what its calls came to, by id. */
export async function replay(
  replayed: ReplayOptions,
  signal: AbortSignal,
): Promise<Map<string, RecordedResult>> {
  const { recording, workspace, trusted, note } = replayed;
  const results = new Map<string, RecordedResult>();
  const places: Places = {
    toRecorded: pathSwap(workspace, recording.cwd),
    toReplay: pathSwap(recording.cwd, workspace),
  };
  const model = replayedModel({
    steps: recording.steps,
    toReplay: places.toReplay,
    steer: (said) => agent.steer([text(said)]),
  });
  const person = replayedPerson(recording);
  const agent: Agent = await startAgent(optionsFor(replayed), replayed.env, replayed.cwd, {
    model,
    emit(event) {
      if (event.type !== "tool_result") return;
      const { call_id, is_error: isError, text, value } = event;
      results.set(call_id, { isError, text, value });
    },
    note,
    alarm: note,
    approve: trusted ? replayedApprover(recording, places) : nobody,
    interactive: false,
    ...(person && { person }),
  });
  try {
    await play(agent, model, replayed, signal);
  } finally {
    await agent.close(signal.aborted ? "interrupted" : "done");
  }
  return results;
}

/** One task after the other, until all answers were given. */
async function play(
  agent: Agent,
  model: ReturnType<typeof replayedModel>,
  replayed: ReplayOptions,
  signal: AbortSignal,
): Promise<void> {
  for (let step = model.next; step && !signal.aborted; step = model.next) {
    const said: string[] = [];
    for (const deed of step.before) {
      if (deed.kind === "said") said.push(deed.text);
      else await doAgain(deed, agent, replayed, signal);
    }
    await agent.task(said.length > 0 ? said.map((words) => text(words)) : GOES_ON, signal);
    // A task that ended before it asked would end so for ever.
    if (model.next === step) return;
  }
}

/** A task that went on by itself, as where a hook had it go on. */
const GOES_ON = [text("[the recording goes on]")];

/** What the person did between two tasks. */
async function doAgain(
  deed: Exclude<Deed, { kind: "said" }>,
  agent: Agent,
  { trusted, note, recording, workspace }: ReplayOptions,
  signal: AbortSignal,
): Promise<void> {
  if (deed.kind === "move") {
    const prepared = await agent.moves.prepareMove(deed.role, deed.steps);
    if (prepared.ok) await agent.moves.makeMove(prepared);
    else note(`${deed.role} was not done again: ${prepared.why}`);
    return;
  }
  // A person's own command asks nobody, so somebody else's must not run so.
  if (!trusted) return note(`not run, as no person of this machine typed it: ${deed.command}`);
  await agent.runCommand(pathSwap(recording.cwd, workspace)(deed.command), signal, () => {});
}

function optionsFor({ options, workspace, state, recording }: ReplayOptions): OptionValues {
  // Whatever their limits are: it is about their names.
  const known = builtinTools({ bashTimeoutMs: 0 }).map(({ name }) => name);
  const used = [...new Set([...recording.calls.values()].map(({ name }) => name))]
    .filter((name) => known.includes(name) && !OUTSIDE.has(name));
  return {
    ...options,
    ...{ cd: workspace, state, model: REPLAY_MODEL, "tool-format": "native" },
    "context-window": ENDLESS_WINDOW_TOKENS,
    tools: options.tools ?? used.map((name) => `+${name}`),
    ...profileFor(recording, options),
  };
}

/**
 * A session that only looked is replayed so; to no other profile a recording has a say, for it may
 * come from elsewhere and all others do more.
 */
function profileFor({ profiles }: Recording, options: OptionValues): OptionValues {
  const only = profiles.length === 1 ? profiles[0] : undefined;
  return options.profile === undefined && only === "plan" ? { profile: only } : {};
}
