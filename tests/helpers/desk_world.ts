import { EXIT } from "../../agent/exit_code.ts";
import type { AgentEvent } from "../../agent/events.ts";
import type { Agent } from "../../agent/agent.ts";
import type { OptionValues } from "../../agent/command_line/options.ts";
import { checkStart, startAgent } from "../../agent/start.ts";
import type { Choice, Desk, TaskRequest } from "../../agent/terminal/slash/desk.ts";
import { handleLine } from "../../agent/terminal/slash/handle.ts";
import { windowText } from "../../agent/terminal/window_text.ts";
import { Seat } from "../../agent/terminal/slash/seat.ts";
import { styleFor } from "../../agent/terminal/style.ts";
import type { Turn } from "./cordon.ts";
import { tempDir } from "./temp_dir.ts";

/** What a desk draws for: plain ASCII. */
const VIEW = {
  width: 80,
  style: styleFor({ flag: "never", isTerminal: false, env: () => undefined }),
};

/** A conversation in this process: a real agent with a scripted model, and a desk that keeps what it shows. */
export interface DeskWorld extends AsyncDisposable {
  readonly desk: Desk;
  readonly seat: Seat;
  /** Everything that was said and warned of, in order; a warning begins with `! `. */
  readonly shown: string[];
  /** What was offered to choose from. */
  readonly offered: Choice[][];
  readonly requests: TaskRequest[];
  readonly hasLeft: boolean;
  /** The agents that took their place, the first included. */
  readonly seated: Agent[];
  /** Answers to questions, in their order; questions beyond them are declined. */
  answers: (string | number | boolean)[];
  /** Stops whatever a key could stop, as soon as it has begun. */
  stopSoon: boolean;
  /** Why no agent is to be had with these options; undefined: one is. */
  refuse(options: OptionValues): Error | undefined;
  join(...names: string[]): string;
  /** Types a line; resolves to what was shown since. */
  type(line: string): Promise<string>;
  /** Texts of the messages that the model would see now. */
  messages(): string[];
  /** A script of its own for a further model, `scripted:FILE`. */
  script(...turns: readonly Turn[]): Promise<string>;
}

/** Every kind is granted, so that no agent gives up rights of the test's own process. */
const ALL_RIGHTS: OptionValues = {
  "allow-read": "all",
  "allow-write": "all",
  "allow-run": "all",
  "allow-net": "all",
  "allow-env": "all",
  "allow-sys": "all",
};

/** Makes a project of `files` below `work/`, a home beside it, and an agent in it. */
export async function deskWorld(
  files: Readonly<Record<string, string | Uint8Array>> = {},
  turns: readonly Turn[] = [],
  options: OptionValues = {},
): Promise<DeskWorld> {
  const dir = await tempDir({ "work/": "", "home/.config/cordon/": "", "state/": "", ...files });
  let scripts = 0;
  async function script(...turns: readonly Turn[]): Promise<string> {
    const path = dir.join(`script-${++scripts}.json`);
    await Deno.writeTextFile(path, JSON.stringify({ turns }));
    return `scripted:${path}`;
  }
  const shown: string[] = [];
  const seated: Agent[] = [];
  const variables = { HOME: dir.join("home"), PATH: Deno.env.get("PATH") ?? "" };
  const env = (name: string) => new Map(Object.entries(variables)).get(name);
  const audience = {
    emit(event: AgentEvent) {
      const fitted = windowText(event);
      if (fitted !== undefined) shown.push(fitted);
    },
    note: (line: string) => shown.push(`note: ${line}`),
    alarm: (line: string) => shown.push(`! ${line}`),
    approve: () => Promise.resolve({ decision: "allow", by: "person" } as const),
    interactive: true,
  };
  const state: Pick<DeskWorld, "refuse"> = { refuse: () => undefined };
  const seat = await Seat.take(
    {
      check: (asked) => checkStart(asked, env, dir.path),
      async start(asked) {
        const refusal = state.refuse(asked);
        if (refusal) throw refusal;
        return await startAgent(asked, env, dir.path, audience);
      },
    },
    {
      ...ALL_RIGHTS,
      model: await script(...turns),
      cd: dir.join("work"),
      state: dir.join("state"),
      profile: "off",
      ...options,
    },
    (agent) => seated.push(agent),
  );
  const offered: Choice[][] = [];
  const requests: TaskRequest[] = [];
  let hasLeft = false;
  function answer<T>(isKind: (value: unknown) => value is T): T | undefined {
    const [next] = world.answers.splice(0, 1);
    return isKind(next) ? next : undefined;
  }
  async function busy<T>(act: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const stop = new AbortController();
    const acting = act(stop.signal);
    if (world.stopSoon) stop.abort(new DOMException("stopped", "AbortError"));
    return await acting;
  }
  const desk: Desk = {
    seat,
    say: (text) => void shown.push(text),
    draw: (lines) => void shown.push(lines(VIEW).join("\n")),
    note: (line) => void shown.push(`(${line})`),
    sayMarkdown: (markdown) => void shown.push(markdown),
    warn: (line) => void shown.push(`! ${line}`),
    ask: () => Promise.resolve(answer((value) => typeof value === "string")),
    confirm: () => Promise.resolve(answer((value) => typeof value === "boolean") ?? false),
    choose(_, choices) {
      offered.push([...choices]);
      return Promise.resolve(answer((value) => typeof value === "number"));
    },
    working: (_, act) => busy((signal) => act(signal, () => {})),
    async submit(request) {
      requests.push(request);
      const { content, tools } = request;
      const end = await busy((signal) => seat.agent.task(content, signal, tools && { tools }));
      seat.lastReason = end.reason;
      if (end.exitCode === EXIT.done) shown.push(end.text);
      else shown.push(`! ${end.reason}`);
    },
    leave: () => void (hasLeft = true),
  };
  const world: DeskWorld = {
    ...{ desk, seat, shown, offered, requests, seated, answers: [], stopSoon: false, script },
    get hasLeft() {
      return hasLeft;
    },
    set refuse(refuse: DeskWorld["refuse"]) {
      state.refuse = refuse;
    },
    get refuse() {
      return state.refuse;
    },
    join: dir.join,
    async type(line) {
      const before = shown.length;
      await handleLine(line, desk);
      return shown.slice(before).join("\n");
    },
    messages: () => seat.agent.session.conversation.messages.map(textOf),
    async [Symbol.asyncDispose]() {
      await seat.close();
      await dir[Symbol.asyncDispose]();
    },
  };
  return world;
}

function textOf(message: Agent["session"]["conversation"]["messages"][number]): string {
  if (message.role === "assistant") return message.text;
  return message.content.map((part) => part.type === "text" ? part.text : "[image]").join("\n");
}
