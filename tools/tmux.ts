import { resolve } from "node:path";
import * as z from "zod";
import type { Commands } from "../sandbox/commands/commands.ts";
import { schema } from "./schema.ts";
import { isKey, nearestKeys } from "./tmux/keys.ts";
import { HISTORY_LINES, TmuxServer } from "./tmux/server.ts";
import { renderTmux } from "./tmux/text.ts";
import { type TmuxRefusal, type TmuxValue, tmuxValue } from "./tmux/value.ts";
import { waitFor } from "./tmux/wait.ts";
import {
  closeWindow,
  listWindows,
  lookAt,
  openWindow,
  pressKeys,
  typeText,
  type WindowLook,
} from "./tmux/windows.ts";
import { defineTool, type Infer, text, type Touch } from "./tool.ts";
import { truncateOutput } from "./truncate.ts";

/** Windows at a time: each holds a program and its history. */
const MAX_WINDOWS = 16;

/** How long `wait` waits, in milliseconds: by default, and at the most. */
const DEFAULT_WAIT_MS = 10_000;
const MAX_WAIT_MS = 300_000;

/** Without anything to wait for, `wait` waits until nothing has changed for so long. */
const DEFAULT_IDLE_MS = 1_000;

const parameters = z.strictObject({
  action: z.enum(["new", "send", "capture", "wait", "kill", "list"]),
  name: z.string().regex(/^[A-Za-z0-9_-]{1,32}$/).default("main"),
  command: z.string().optional().describe("new: a bash line; default bash"),
  cwd: z.string().optional(),
  width: z.int().min(20).max(500).optional().describe("new: columns, default 120"),
  height: z.int().min(5).max(200).optional().describe("new: rows, default 40"),
  keys: z.array(z.string().min(1)).optional().describe(
    "send: after text, as C-c, Escape, Up",
  ),
  text: z.string().optional().describe("send: typed as it is; wait: looked for"),
  enter: z.boolean().optional().describe("send: Enter at the end"),
  history: z.int().min(0).max(HISTORY_LINES).optional().describe(
    "capture: lines above, too",
  ),
  exit: z.boolean().optional().describe("wait: for the program's end"),
  idle_ms: z.number().positive().optional().describe("wait: until so long unchanged"),
  timeout_ms: z.number().positive().optional().describe(
    `wait: default ${DEFAULT_WAIT_MS}, at most ${MAX_WAIT_MS}`,
  ),
});

type TmuxArguments = Infer<typeof parameters>;

const DESCRIPTION = "Interactive programs (editors, pagers, REPLs, prompts) in terminal windows " +
  "that stay open between calls: new starts one, send types into it, wait and capture show it.";

/** The tool `tmux`: windows of a server of our own, which the first call starts. */
export function tmuxTool() {
  const servers = new WeakMap<Commands, TmuxServer>();
  return defineTool({
    name: "tmux",
    description: DESCRIPTION,
    parameters: schema(parameters),
    needs: { run: ["bash", "tmux"] },
    plan: (args) => ({ touches: touchesOf(args) }),
    async run(args, { commands, signal }): Promise<TmuxValue> {
      const kept = servers.get(commands);
      const server = kept?.alive ? kept : await TmuxServer.start(commands);
      servers.set(commands, server);
      return await act(args, { server, cwd: commands.cwd, signal });
    },
    result: schema(tmuxValue),
    render: (value) => [text(renderTmux(value))],
  });
}

/** What is typed is judged as a command, since it may be one; and keys can run what was typed. */
function touchesOf({ action, name, command = "bash", text, keys = [] }: TmuxArguments): Touch[] {
  switch (action) {
    case "new":
      return [{ kind: "command", command }];
    case "send": {
      const typed = text === undefined ? [] : [{ kind: "command" as const, command: text }];
      return [...typed, {
        kind: "command",
        command: `tmux send-keys -t ${name} ${keys.map(quoted).join(" ")}`,
      }];
    }
    case "kill":
      return [{ kind: "command", command: `tmux kill-session -t ${name}` }];
    case "capture":
    case "wait":
    case "list":
      return [];
  }
}

function quoted(key: string): string {
  return `'${key.replaceAll("'", () => `'\\''`)}'`;
}

interface ActContext {
  readonly server: TmuxServer;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

async function act(args: TmuxArguments, context: ActContext): Promise<TmuxValue> {
  const { server } = context;
  const { action, name } = args;
  switch (action) {
    case "new":
      return await open(args, context);
    case "send":
      return await send(args, server);
    case "capture": {
      const look = await lookAt(server, name, args.history ?? 0);
      return look ? { ok: true, action, name, ...shown(look) } : await noWindow(server, name);
    }
    case "wait":
      return await wait(args, context);
    case "kill": {
      const problem = await closeWindow(server, name);
      return problem === "" ? { ok: true, action, name } : await noWindow(server, name);
    }
    case "list":
      return { ok: true, action, windows: await listWindows(server) };
  }
}

async function open(args: TmuxArguments, { server, cwd }: ActContext): Promise<TmuxValue> {
  const { name, command, width = 120, height = 40 } = args;
  const windows = await listWindows(server);
  const same = windows.find((window) => window.name === name);
  if (same?.state.running) {
    return refused("exists", `Cannot open window ${name}: it is open, kill it or name another`);
  }
  if (same) await closeWindow(server, name);
  if (windows.length >= MAX_WINDOWS) {
    return refused("too_many", `Cannot open window ${name}: ${MAX_WINDOWS} are open, kill one`);
  }
  const folder = resolve(cwd, args.cwd ?? ".");
  const problem = await openWindow(server, { name, command, cwd: folder, width, height });
  return problem === "" ? { ok: true, action: "new", name } : refused("tmux", problem);
}

async function send(args: TmuxArguments, server: TmuxServer): Promise<TmuxValue> {
  const { name, text: typed = "", keys = [], enter = false } = args;
  const wrong = keys.find((key) => !isKey(key));
  if (wrong !== undefined) return badKey(wrong);
  const look = await lookAt(server, name, 0);
  if (!look) return await noWindow(server, name);
  if (!look.state.running) {
    return refused("ended", `Cannot send to window ${name}: its program has ended, open a new one`);
  }
  const pressed = [...keys, ...(enter ? ["Enter"] : [])];
  const problem = await typeText(server, name, typed) ||
    (pressed.length === 0 ? "" : await pressKeys(server, name, pressed));
  return problem === "" ? { ok: true, action: "send", name } : refused("tmux", problem);
}

async function wait(args: TmuxArguments, { server, signal }: ActContext): Promise<TmuxValue> {
  const { name, text: wanted, exit = false, idle_ms, timeout_ms = DEFAULT_WAIT_MS } = args;
  const nothingSaid = wanted === undefined && !exit && idle_ms === undefined;
  const timeoutMs = Math.min(timeout_ms, MAX_WAIT_MS);
  const idleMs = nothingSaid ? DEFAULT_IDLE_MS : idle_ms;
  const end = await waitFor(server, name, { text: wanted, idleMs, timeoutMs, signal });
  if (!end) return await noWindow(server, name);
  const { met, look } = end;
  return { ok: true, action: "wait", name, met, timeout_ms: timeoutMs, ...shown(look) };
}

function shown({ text, state }: WindowLook) {
  const bytes = new TextEncoder().encode(text).length;
  const nothing = { head: "", tail: "", bytes: 0, omitted: 0 };
  const { stdout, truncated } = truncateOutput(
    { head: text, tail: "", bytes, omitted: 0 },
    nothing,
  );
  return { text: stdout, ...(truncated && { truncated }), state };
}

async function noWindow(server: TmuxServer, name: string): Promise<TmuxRefusal> {
  const names = (await listWindows(server)).map((window) => window.name);
  const open = names.length === 0 ? "none is open" : `open are ${names.join(", ")}`;
  return refused("no_window", `Cannot find window ${name}: ${open}`);
}

function badKey(key: string): TmuxRefusal {
  const near = nearestKeys(key);
  const advice = near.length === 0
    ? "send it as text, or use names as Enter, Escape, C-c, Up, F1"
    : `did you mean ${near.join(" or ")}?`;
  return refused("bad_key", `Cannot send "${key}": there is no such key, ${advice}`);
}

function refused(reason: TmuxRefusal["reason"], message: string): TmuxRefusal {
  return { ok: false, reason, message };
}
