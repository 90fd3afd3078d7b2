import type { Option } from "../option.ts";

/** Who is asked, and how. */
export const MODEL_OPTIONS = {
  model: {
    kind: "text",
    placeholder: "NAME",
    short: "m",
    group: "model",
    help: "model to ask; scripted:FILE plays a script",
  },
  "base-url": {
    kind: "text",
    placeholder: "URL",
    group: "model",
    help: "any OpenAI-compatible server",
    instead: "provider",
  },
  provider: {
    kind: "text",
    placeholder: "NAME",
    group: "model",
    help: "server by name, as openai, ollama or a configured one",
    instead: "base-url",
  },
  wire: {
    kind: "choice",
    choices: ["auto", "chat", "responses"],
    group: "model",
    help: "API that the server speaks",
  },
  "tool-format": {
    kind: "choice",
    choices: ["native", "markdown"],
    group: "model",
    help: "markdown: for models without function calling",
  },
  "context-window": {
    kind: "number",
    placeholder: "TOKENS",
    minimum: 1000,
    maximum: 1_000_000_000,
    integer: true,
    group: "model",
    help: "size of the model's window",
  },
  "max-output-tokens": {
    kind: "number",
    placeholder: "N",
    minimum: 1,
    maximum: 1_000_000_000,
    integer: true,
    group: "model",
    help: "longest answer to ask for",
  },
} as const satisfies Record<string, Option>;
