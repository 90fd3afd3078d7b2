/** One answer: text alone, a bash call, or a call of another tool. */
export type Answer =
  | { readonly text: string }
  | { readonly command: string }
  | { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> };

/** When the turns of a run began and ended for the server, in milliseconds. */
export interface Turn {
  readonly requestAt: number;
  readonly answeredAt: number;
  readonly requestBytes: number;
}

/** A model that answers at once, over Chat Completions as a stream. */
export interface ZeroLatencyModel extends AsyncDisposable {
  readonly url: string;
  readonly turns: readonly Turn[];
  /** Called when the `n`th request (from 1) has come. */
  onTurn: (n: number) => void;
}

/** Starts the model; `answers` are given in order, one a request. */
export function zeroLatencyModel(answers: readonly Answer[]): ZeroLatencyModel {
  const turns: Turn[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const body = new Uint8Array(await request.arrayBuffer());
      const requestAt = performance.now();
      const answer = answers[turns.length] ?? { text: "done" };
      const response = new Response(eventStream(answer, turns.length), {
        headers: { "content-type": "text/event-stream" },
      });
      turns.push({ requestAt, answeredAt: performance.now(), requestBytes: body.length });
      model.onTurn(turns.length);
      return response;
    },
  );
  const model: ZeroLatencyModel = {
    url: `http://127.0.0.1:${server.addr.port}/v1`,
    turns,
    onTurn: () => {},
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return model;
}

function eventStream(answer: Answer, n: number): string {
  const delta = "text" in answer ? { content: answer.text } : {
    tool_calls: [{ index: 0, id: `call_${n}`, type: "function", function: callOf(answer) }],
  };
  const chunks = [
    chunk({ role: "assistant", ...delta }, null),
    chunk({}, "text" in answer ? "stop" : "tool_calls"),
    {
      ...chunk({}, null),
      choices: [],
      usage: { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 },
    },
  ];
  return [...chunks.map((value) => `data: ${JSON.stringify(value)}\n\n`), "data: [DONE]\n\n"].join(
    "",
  );
}

function callOf(answer: Exclude<Answer, { readonly text: string }>) {
  return "command" in answer
    ? { name: "bash", arguments: JSON.stringify({ command: answer.command }) }
    : { name: answer.tool, arguments: JSON.stringify(answer.arguments) };
}

function chunk(delta: unknown, finish: string | null) {
  return {
    id: "c",
    object: "chat.completion.chunk",
    created: 0,
    model: "bench",
    choices: [{ index: 0, delta, finish_reason: finish }],
  };
}
