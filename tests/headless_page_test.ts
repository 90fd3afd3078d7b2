import { deepStrictEqual } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import type { AgentEvent } from "../agent/events.ts";
import { EXIT } from "../agent/exit_code.ts";

const PAGE = await Deno.readTextFile(
  fileURLToPath(new URL("../docs/headless.md", import.meta.url)),
);

/** The fields of an event but its type, `?` after those that may be missing. */
type Fields<E> = {
  [K in Exclude<keyof E, "type"> as Pick<E, K> extends Required<Pick<E, K>> ? K : `${K & string}?`]:
    true;
};

/** Every event with its fields; the compiler refuses one too many or too few. */
const EVENTS: { [T in AgentEvent["type"]]: Fields<Extract<AgentEvent, { type: T }>> } = {
  session: {
    session_id: true,
    version: true,
    cwd: true,
    model: true,
    tier: true,
    tier_reason: true,
    profile: true,
  },
  turn: { n: true },
  text: { text: true },
  text_delta: { text: true },
  reasoning: { text: true },
  reasoning_delta: { text: true },
  tool_call: { call_id: true, name: true, arguments: true },
  tool_progress: { call_id: true, text: true },
  tool_result: {
    call_id: true,
    name: true,
    is_error: true,
    text: true,
    value: true,
    "diff?": true,
  },
  approval: { call_id: true, decision: true, reason: true, "arguments?": true },
  retry: { attempt: true, delay_ms: true, reason: true },
  user: { text: true },
  compaction: { before_tokens: true, after_tokens: true },
  compaction_failed: { reason: true },
  left_out: { results: true },
  job: { job_id: true, state: true, command: true },
  child: {
    child_id: true,
    role: true,
    description: true,
    state: true,
    "session_id?": true,
    "reason?": true,
  },
  hook: {
    event: true,
    command: true,
    origin: true,
    outcome: true,
    "call_id?": true,
    exit_code: true,
    duration_ms: true,
    "decision?": true,
    "reason?": true,
    "arguments?": true,
  },
  egress: {
    source: true,
    host: true,
    port: true,
    bytes_up: true,
    bytes_down: true,
  },
  usage: {
    input_tokens: true,
    cached_input_tokens: true,
    output_tokens: true,
    reasoning_tokens: true,
    "cost_usd?": true,
  },
  error: { message: true, code: true, "retry_after_ms?": true },
  result: {
    reason: true,
    exit_code: true,
    text: true,
    turns: true,
    usage: true,
    duration_ms: true,
  },
};

Deno.test("docs/headless.md: its table of events has every type and field", () => {
  const section = PAGE.split("\n## Events")[1]?.split("\n## ")[0] ?? "";
  const rows = [...section.matchAll(/^\| `(\w+)` +\| `([^`]+)` +\|/gm)];
  const told = rows.map(([, type = "", fields = ""]) => [type, fields.split(" ").sort()]);
  const known = Object.entries(EVENTS).map(([type, fields]) => [type, Object.keys(fields).sort()]);
  deepStrictEqual(Object.fromEntries(told), Object.fromEntries(known));
});

Deno.test("docs/headless.md: its exit codes are those of the program", () => {
  const section = PAGE.split("\n## Exit codes")[1]?.split("\n## ")[0];
  const told = [...(section ?? "").matchAll(/^\|\s*([\d, ]+)\s*\|/gm)].flatMap(([, codes = ""]) =>
    codes.split(",").map(Number)
  );
  deepStrictEqual(told.sort((a, b) => a - b), Object.values(EXIT).sort((a, b) => a - b));
});
