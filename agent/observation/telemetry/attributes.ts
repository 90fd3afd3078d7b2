/**
 * What spans are called and say of themselves: the names of OpenTelemetry's semantic conventions for
 * generative AI, version 0.1.0 (open-telemetry/semantic-conventions-genai, depends on 1.45.0 of the
 * general ones; status "development"), and for what these have no name ones that begin with `cordon.`.
 */
export const ATTR = {
  operation: "gen_ai.operation.name",
  provider: "gen_ai.provider.name",
  conversation: "gen_ai.conversation.id",
  agentName: "gen_ai.agent.name",
  agentVersion: "gen_ai.agent.version",
  requestModel: "gen_ai.request.model",
  requestStream: "gen_ai.request.stream",
  maxTokens: "gen_ai.request.max_tokens",
  responseModel: "gen_ai.response.model",
  finishReasons: "gen_ai.response.finish_reasons",
  /** In seconds. */
  firstChunk: "gen_ai.response.time_to_first_chunk",
  inputTokens: "gen_ai.usage.input_tokens",
  cachedTokens: "gen_ai.usage.cache_read.input_tokens",
  outputTokens: "gen_ai.usage.output_tokens",
  reasoningTokens: "gen_ai.usage.reasoning.output_tokens",
  inputMessages: "gen_ai.input.messages",
  outputMessages: "gen_ai.output.messages",
  toolName: "gen_ai.tool.name",
  toolType: "gen_ai.tool.type",
  toolCallId: "gen_ai.tool.call.id",
  toolArguments: "gen_ai.tool.call.arguments",
  toolResult: "gen_ai.tool.call.result",
  mcpMethod: "mcp.method.name",
  errorType: "error.type",
  serverAddress: "server.address",
  serverPort: "server.port",
  exitCode: "process.exit.code",
  /** Why a task ended, as the event `result` says it. */
  endReason: "cordon.end_reason",
  turns: "cordon.turns",
  retries: "cordon.retries",
  /** `unasked`, or what was decided: `allow`, `deny`, `unavailable`. */
  gateVerdict: "cordon.gate.verdict",
  gateReason: "cordon.gate.reason",
  readOnly: "cordon.tool.read_only",
  beforeTokens: "cordon.compaction.before_tokens",
  afterTokens: "cordon.compaction.after_tokens",
  asked: "cordon.compaction.asked",
  childId: "cordon.child.id",
  childState: "cordon.child.state",
} as const;
