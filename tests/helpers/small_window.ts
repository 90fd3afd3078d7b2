import type { Reply, ScriptEntry, SeenRequest } from "./model_server.ts";
import type { Said } from "./model_streams.ts";

/** A model whose window is small, as a script of {@linkcode modelServer}. */
export interface SmallWindow {
  /** In tokens, of four bytes each. */
  readonly tokens: number;
  /** The error for a request of so many tokens. */
  readonly refusal?: (requested: number, window: number) => Reply;
  /** What it makes of the older part; the default names what it was given. */
  readonly summary?: (request: SeenRequest) => Reply;
}

/** The replies of a task, each to be had by a request that fits the window. */
export function inSmallWindow(
  { tokens, refusal = asOpenAi, summary = () => ({ text: "A SUMMARY" }) }: SmallWindow,
  answers: readonly Said[],
): {
  readonly script: ScriptEntry[];
  readonly asked: () => number;
  readonly summaries: () => number;
} {
  let asked = 0;
  let summaries = 0;
  const reply = (request: SeenRequest): Reply => {
    const requested = tokensIn(request);
    if (requested > tokens) return refusal(requested, tokens);
    if (isSummaryRequest(request)) {
      summaries++;
      return counted(summary(request), requested);
    }
    const answer = answers[asked++];
    if (!answer) return { status: 400, body: { error: { message: "nothing more to say" } } };
    return counted(answer, requested);
  };
  // More than any task here asks for: each answer, and as many tries that did not fit.
  const script: ScriptEntry[] = Array(answers.length * 4 + 20).fill(reply);
  return { script, asked: () => asked, summaries: () => summaries };
}

/** Whether a request asks for a summary. */
export function isSummaryRequest({ body }: SeenRequest): boolean {
  return String(body.messages[0].content).startsWith("You sum up");
}

/** The tokens of a request, four bytes each. */
export function tokensIn({ body }: SeenRequest): number {
  const { messages, tools } = body;
  return Math.ceil(new TextEncoder().encode(JSON.stringify({ messages, tools })).length / 4);
}

function counted(reply: Reply, input: number): Reply {
  return "status" in reply || "raw" in reply ? reply : { ...reply, usage: { input, output: 5 } };
}

function asOpenAi(requested: number, window: number): Reply {
  const message =
    `This model's maximum context length is ${window} tokens. However, your messages ` +
    `resulted in ${requested} tokens. Please reduce the length of the messages.`;
  return { status: 400, body: { error: { message, code: "context_length_exceeded" } } };
}
