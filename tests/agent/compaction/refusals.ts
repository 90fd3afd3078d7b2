import type { ToldSizes } from "../../../agent/compaction/told_window.ts";

/** How a server refuses a conversation that is too long. */
export interface ServerRefusal {
  readonly server: string;
  readonly status: number;
  readonly body: (requested: number, window: number) => unknown;
  /** What can be read from it; both numbers where it is missing. */
  readonly tells?: readonly (keyof ToldSizes)[];
}

const error = (fields: Record<string, unknown>) => ({ error: fields });

/** The wordings that were met, as bodies of responses. */
export const REFUSALS: readonly ServerRefusal[] = [
  {
    server: "OpenAI, messages",
    status: 400,
    body: (n, w) =>
      error({
        message: `This model's maximum context length is ${w} tokens. However, your messages ` +
          `resulted in ${n} tokens. Please reduce the length of the messages.`,
        type: "invalid_request_error",
        param: "messages",
        code: "context_length_exceeded",
      }),
  },
  {
    server: "OpenAI, messages and completion",
    status: 400,
    body: (n, w) =>
      error({
        message: `This model's maximum context length is ${w} tokens. However, you requested ` +
          `${n} tokens (${n - 100} in the messages, 100 in the completion). Please reduce the ` +
          "length of the messages or completion.",
        code: "context_length_exceeded",
      }),
  },
  {
    server: "OpenAI, Responses",
    status: 400,
    body: () =>
      error({
        message: "Your input exceeds the context window of this model. Please adjust your input " +
          "and try again.",
        code: "context_length_exceeded",
      }),
    tells: [],
  },
  {
    server: "vLLM",
    status: 400,
    body: (n, w) => ({
      object: "error",
      message: `This model's maximum context length is ${w} tokens. However, you requested ` +
        `${n} tokens in the messages, Please reduce the length of the messages.`,
      type: "BadRequestError",
      code: 400,
    }),
  },
  {
    server: "vLLM, prompt",
    status: 400,
    body: (n, w) => ({
      object: "error",
      message: `The prompt (total length ${n}) is too long to fit into the model (maximum ` +
        `length ${w}). Make sure that max_model_len is no smaller than the number of text tokens.`,
    }),
  },
  {
    server: "vLLM, decoder",
    status: 400,
    body: (n, w) =>
      error({
        message: `The decoder prompt (length ${n}) is longer than the maximum model length of ` +
          `${w}. Make sure that max_model_len is no smaller than the number of text tokens.`,
      }),
  },
  {
    server: "vLLM, input",
    status: 400,
    body: (n, w) =>
      error({
        message: `You passed ${n} input tokens and requested 16 output tokens. However, the ` +
          `model's context length is only ${w} tokens, resulting in a maximum input length of ` +
          `${w - 16} tokens. Please reduce the length of the input prompt.`,
      }),
  },
  {
    server: "SGLang",
    status: 400,
    body: (n, w) => ({
      object: "error",
      message: `The input (${n} tokens) is longer than the model's context length (${w} tokens).`,
    }),
  },
  {
    server: "llama.cpp",
    status: 400,
    body: (n, w) =>
      error({
        code: 400,
        message: "the request exceeds the available context size. try increasing the context " +
          "size or enable context shift",
        type: "exceed_context_size_error",
        n_prompt_tokens: n,
        n_ctx: w,
      }),
  },
  {
    server: "llama.cpp, in words",
    status: 400,
    body: (n, w) =>
      error({
        code: 400,
        message: `request (${n} tokens) exceeds the available context size (${w} tokens), try ` +
          "increasing it",
      }),
  },
  {
    server: "llama.cpp, an older one",
    status: 500,
    body: () => error({ code: 500, message: "the request exceeds the available context size" }),
    tells: [],
  },
  {
    server: "LM Studio",
    status: 400,
    body: (n, w) => ({
      error:
        `Trying to keep the first ${n} tokens when context the overflows. However, the model ` +
        `is loaded with context length of only ${w} tokens, which is not enough.`,
    }),
    tells: ["window"],
  },
  {
    server: "Ollama",
    status: 400,
    body: () => error({ message: "prompt too long; exceeded max context length by 123 tokens" }),
    tells: [],
  },
  {
    server: "OpenRouter",
    status: 400,
    body: (n, w) =>
      error({
        message: `This endpoint's maximum context length is ${w} tokens. However, you requested ` +
          `about ${n} tokens (${n} of text input). Please reduce the length of either one, or use ` +
          'the "middle-out" transform to compress your prompt automatically.',
        code: 400,
      }),
  },
  {
    server: "OpenRouter, relayed",
    status: 400,
    body: (n, w) =>
      error({
        message: "Provider returned error",
        code: 400,
        metadata: {
          raw: JSON.stringify(
            error({
              message: `This model's maximum context length is ${w} tokens. However, your ` +
                `messages resulted in ${n} tokens.`,
            }),
          ),
        },
      }),
  },
  {
    server: "Anthropic",
    status: 400,
    body: (n, w) => ({
      type: "error",
      error: {
        type: "invalid_request_error",
        message: `prompt is too long: ${n} tokens > ${w} maximum`,
      },
    }),
  },
  {
    server: "Anthropic, with the answer",
    status: 400,
    body: (n, w) => ({
      type: "error",
      error: {
        type: "invalid_request_error",
        message: `input length and \`max_tokens\` exceed context limit: ${n - 50} + 50 > ${w}, ` +
          "decrease input length or `max_tokens` and try again",
      },
    }),
    tells: ["window"],
  },
  {
    server: "a server behind a Go proxy",
    status: 400,
    body: (n, w) => `{"error":{"message":"prompt is too long: ${n} tokens \\u003e ${w} maximum"}}`,
  },
  {
    server: "Gemini",
    status: 400,
    body: (n, w) =>
      error({
        code: 400,
        message:
          `The input token count (${n}) exceeds the maximum number of tokens allowed (${w}).`,
        status: "INVALID_ARGUMENT",
      }),
  },
  {
    server: "Mistral",
    status: 400,
    body: (n, w) => ({
      object: "error",
      message: `Prompt contains ${n} tokens and 0 draft tokens, too large for model with ${w} ` +
        "maximum context length",
    }),
  },
  {
    server: "xAI",
    status: 400,
    body: (n, w) => ({
      code: "Client specified an invalid argument",
      error: `This model's maximum prompt length is ${w} but the request contains ${n} tokens.`,
    }),
  },
  {
    server: "Text Generation Inference",
    status: 422,
    body: (n, w) => ({
      error: `Input validation error: \`inputs\` tokens + \`max_new_tokens\` must be <= ${w}. ` +
        `Given: ${n} \`inputs\` tokens and 0 \`max_new_tokens\``,
    }),
    tells: ["window"],
  },
  {
    server: "one that writes numbers with commas",
    status: 400,
    body: (n, w) =>
      error({
        message: `This model's maximum context length is ${w.toLocaleString("en")} tokens. ` +
          `However, you requested ${n.toLocaleString("en")} tokens.`,
      }),
  },
  {
    server: "one that says nothing but the fact",
    status: 413,
    body: () => error({ message: "Input is too long for requested model." }),
    tells: [],
  },
];
