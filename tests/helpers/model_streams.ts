/** A whole answer of a fake model, spoken over either protocol. */
export interface Said {
  readonly text?: string;
  readonly toolCalls?: readonly SaidCall[];
  readonly reasoning?: string;
  readonly usage?: { readonly input?: number; readonly cached?: number; readonly output?: number };
  /** `tool_calls` where there are calls and `stop` otherwise, if it is missing. */
  readonly finish?: "stop" | "tool_calls" | "length" | "content_filter";
}

/** A call; an object becomes JSON text, a string is sent as it stands. */
export interface SaidCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>> | string;
}

/** An event of a stream, in its bytes' text. */
export function sse(data: unknown, event?: string): string {
  const name = event === undefined ? "" : `event: ${event}\n`;
  return `${name}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;
}

/** The answer as Chat Completions stream it, an event a string. */
export function chatStream(said: Said, newId: () => string, withUsage = true): string[] {
  const chunk = (delta: unknown, finish: string | null = null) =>
    sse({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 0,
      model: "fake",
      choices: [{ index: 0, delta, finish_reason: finish }],
    });
  const usage = sse({ id: "chatcmpl-1", choices: [], usage: chatUsage(said) });
  return [
    chunk({ role: "assistant", content: "" }),
    ...pieces(said.reasoning ?? "").map((text) => chunk({ reasoning_content: text })),
    ...pieces(said.text ?? "").map((text) => chunk({ content: text })),
    ...(said.toolCalls ?? []).flatMap((call, index) => [
      chunk({
        tool_calls: [{
          index,
          id: call.id ?? newId(),
          type: "function",
          function: { name: call.name, arguments: "" },
        }],
      }),
      ...pieces(argumentsOf(call)).map((text) =>
        chunk({ tool_calls: [{ index, function: { arguments: text } }] })
      ),
    ]),
    chunk({}, finishOf(said)),
    ...(withUsage ? [usage] : []),
    sse("[DONE]"),
  ];
}

/** The answer as the Responses API streams it, an event a string. */
export function responsesStream(said: Said, newId: () => string): string[] {
  const events: Record<string, unknown>[] = [{
    type: "response.created",
    response: { id: "resp" },
  }];
  const output: unknown[] = [];
  const done = (item: Record<string, unknown>) => {
    events.push({ type: "response.output_item.done", output_index: output.length, item });
    output.push(item);
  };
  if (said.reasoning !== undefined) {
    for (const delta of pieces(said.reasoning)) {
      events.push({ type: "response.reasoning_summary_text.delta", delta });
    }
    const summary = [{ type: "summary_text", text: said.reasoning }];
    done({ type: "reasoning", id: "rs_1", summary, encrypted_content: `sealed ${newId()}` });
  }
  if (said.text) {
    for (const delta of pieces(said.text)) {
      events.push({ type: "response.output_text.delta", delta });
    }
    const content = [{ type: "output_text", text: said.text, annotations: [] }];
    done({ type: "message", id: "msg_1", role: "assistant", status: "completed", content });
  }
  for (const call of said.toolCalls ?? []) {
    const item = { type: "function_call", call_id: call.id ?? newId(), name: call.name };
    events.push({ type: "response.output_item.added", item: { ...item, arguments: "" } });
    for (const delta of pieces(argumentsOf(call))) {
      events.push({ type: "response.function_call_arguments.delta", delta });
    }
    done({ ...item, arguments: argumentsOf(call) });
  }
  events.push(responsesEnd(said, output));
  return events.map((event) => sse(event, String(event.type)));
}

function responsesEnd(said: Said, output: unknown[]): Record<string, unknown> {
  const { input = 10, cached = 0, output: spent = 5 } = said.usage ?? {};
  const usage = {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: spent,
    output_tokens_details: { reasoning_tokens: 0 },
  };
  const cut = said.finish === "length" || said.finish === "content_filter";
  const reason = said.finish === "length" ? "max_output_tokens" : "content_filter";
  const response = cut
    ? { status: "incomplete", incomplete_details: { reason }, output, usage }
    : { status: "completed", output, usage };
  return { type: cut ? "response.incomplete" : "response.completed", response };
}

function chatUsage({ usage = {} }: Said): unknown {
  const { input = 10, cached = 0, output = 5 } = usage;
  return {
    prompt_tokens: input,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens: output,
    completion_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + output,
  };
}

function finishOf(said: Said): string {
  return said.finish ?? ((said.toolCalls ?? []).length > 0 ? "tool_calls" : "stop");
}

function argumentsOf(call: SaidCall): string {
  return typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments);
}

/** Up to three parts, cut between characters. */
function pieces(text: string): string[] {
  const characters = [...text];
  const size = Math.max(1, Math.ceil(characters.length / 3));
  const parts: string[] = [];
  for (let from = 0; from < characters.length; from += size) {
    parts.push(characters.slice(from, from + size).join(""));
  }
  return parts;
}
