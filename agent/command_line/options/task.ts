import type { Option } from "../option.ts";

/** What a timer of JavaScript can wait for: 2^31 - 1 milliseconds, some 24 days, in seconds. */
const MAX_TIMER_SECONDS = 2_147_483;

/** What a task is made of, and how far it may go. */
export const TASK_OPTIONS = {
  print: {
    kind: "toggle",
    short: "p",
    group: "task",
    help: "answer and exit, for scripts",
    flagOnly: true,
  },
  cd: { kind: "text", placeholder: "DIR", short: "C", group: "task", help: "work in this folder" },
  image: {
    kind: "list",
    placeholder: "FILE",
    short: "i",
    group: "task",
    help: "attach an image to the prompt",
  },
  "max-turns": {
    kind: "number",
    placeholder: "N",
    minimum: 1,
    maximum: 1_000_000,
    integer: true,
    group: "task",
    help: "stop after N turns",
  },
  timeout: {
    kind: "number",
    placeholder: "SECONDS",
    minimum: 0.001,
    maximum: MAX_TIMER_SECONDS,
    group: "task",
    help: "stop after this time",
  },
  "max-budget-usd": {
    kind: "number",
    placeholder: "USD",
    minimum: 0,
    maximum: 1_000_000,
    group: "task",
    help: "stop when this much is spent",
  },
} as const satisfies Record<string, Option>;
