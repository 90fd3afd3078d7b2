import {
  type Asked,
  AttemptFailure,
  type Failure,
  saysModelMissing,
  toModelError,
} from "./failure.ts";
import type { Model, ModelEvent, ModelRequest } from "./model.ts";
import { type Clock, withRetries } from "./retry.ts";
import type { Transport } from "./transport.ts";
import type { Dialect, Wire } from "./wire.ts";

/** What a model behind a server is made from. */
export interface ServerModelOptions {
  readonly asked: Asked;
  readonly wires: Readonly<Record<Dialect["wire"], Wire>>;
  readonly transport: Transport;
  readonly clock: Clock;
}

/** A model behind HTTP. It learns the server's dialect from refusals and keeps it. */
export function serverModel(options: ServerModelOptions): Model {
  const { asked, clock } = options;
  const { provider } = asked;
  let dialect: Dialect = {
    wire: provider.wire === "auto" ? "chat" : provider.wire,
    streamOptions: true,
    maxTokensField: provider.maxTokensField,
    encryptedReasoning: true,
  };

  async function* attempt(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const seen = new Set<string>();
    let noEndpoint: AttemptFailure | undefined;
    for (let tried = dialect;;) {
      seen.add(JSON.stringify(tried));
      try {
        yield* askOnce(options, tried, request, signal);
        dialect = tried;
        return;
      } catch (error) {
        if (!(error instanceof AttemptFailure)) throw error;
        const next = adapt(tried, error.failure, provider.wire === "auto");
        if (!next || seen.has(JSON.stringify(next))) {
          // Where neither endpoint exists, the first refusal is the one to tell.
          throw leavesWire(error.failure) ? noEndpoint ?? error : error;
        }
        if (next.wire !== tried.wire) noEndpoint = error;
        tried = next;
      }
    }
  }

  return {
    name: asked.model,
    prepare: () => options.transport.prepare(),
    async *ask(request, signal) {
      try {
        yield* withRetries(() => attempt(request, signal), clock, signal);
      } catch (error) {
        if (signal.aborted) throw new DOMException("The request was stopped", "AbortError");
        if (!(error instanceof AttemptFailure)) throw error;
        throw toModelError(error.failure, asked, error);
      }
    },
  };
}

async function* askOnce(
  { wires, transport }: ServerModelOptions,
  dialect: Dialect,
  request: ModelRequest,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const wire = wires[dialect.wire];
  const body = await wire.encode(request, dialect);
  yield* wire.decode(transport.open(wire.path, body, signal), request);
}

/** The dialect to try after a refusal; undefined where the refusal is not about one. Pure. */
export function adapt(
  dialect: Dialect,
  failure: Failure,
  mayLeaveWire: boolean,
): Dialect | undefined {
  if (failure.kind !== "refused") return undefined;
  if (mayLeaveWire && leavesWire(failure)) {
    return { ...dialect, wire: dialect.wire === "chat" ? "responses" : "chat" };
  }
  if (failure.status !== 400 && failure.status !== 422) return undefined;
  const said = failure.body ?? failure.sentence;
  if (dialect.wire === "chat" && dialect.streamOptions && said.includes("stream_options")) {
    return { ...dialect, streamOptions: false };
  }
  if (dialect.wire === "chat" && refusesField(said, dialect.maxTokensField)) {
    return { ...dialect, maxTokensField: otherField(dialect.maxTokensField) };
  }
  if (
    dialect.wire === "responses" && dialect.encryptedReasoning && /encrypted.content/i.test(said)
  ) {
    return { ...dialect, encryptedReasoning: false };
  }
  return undefined;
}

/** Whether the server has no such endpoint, or names the other one. */
function leavesWire(failure: Failure): boolean {
  if (failure.kind !== "refused") return false;
  const { status = 0 } = failure;
  const said = failure.body ?? failure.sentence;
  if ([400, 404].includes(status) && /\bresponses api\b|v1\/responses/i.test(said)) {
    return true;
  }
  return [404, 405, 501].includes(status) && !saysModelMissing(failure);
}

function refusesField(said: string, field: Dialect["maxTokensField"]): boolean {
  return said.includes(`'${field}'`) && said.includes(otherField(field));
}

function otherField(field: Dialect["maxTokensField"]): Dialect["maxTokensField"] {
  return field === "max_tokens" ? "max_completion_tokens" : "max_tokens";
}
