import {
  type Attributes,
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from "@opentelemetry/api";
import { clipped } from "../../clipped.ts";
import { ATTR } from "./attributes.ts";

/** The longest sentence that a span says of an error, in UTF-16 units. */
export const MAX_MESSAGE_CHARS = 1_000;

/** The longest name of a span, in UTF-16 units: a model can call for any tool. */
const MAX_NAME_CHARS = 200;

/** The key of the task: all others lie below it. */
export const TASK = "task";

/** What a span begins with. */
export interface SpanStart {
  readonly name: string;
  readonly kind: SpanKind;
  readonly attributes: Attributes;
  /** Undefined: the one that all others lie below, or the trace that came from outside. */
  readonly parent: Span | undefined;
}

/** Why something went wrong. */
export interface SpanFailure {
  /** Of few different values, as `error.type` wants them. */
  readonly type: string;
  readonly message?: string | undefined;
}

/** Spans that are open, by what they are of; an end that nobody saw the beginning of is no span. */
export class SpanTree {
  readonly #tracer: Tracer;
  readonly #outside: Context;
  readonly #open = new Map<string, Span>();

  /** `outside` holds the trace that this run is a part of, if it is a part of one. */
  constructor(tracer: Tracer, outside: Context) {
    this.#tracer = tracer;
    this.#outside = outside;
  }

  begin(key: string, { name, kind, attributes, parent }: SpanStart): void {
    const context = parent ? trace.setSpan(ROOT_CONTEXT, parent) : this.#outside;
    const span = this.#tracer.startSpan(
      clipped(name, MAX_NAME_CHARS),
      { kind, attributes },
      context,
    );
    this.#open.set(key, span);
  }

  find(key: string): Span | undefined {
    return this.#open.get(key);
  }

  /** The one that began last, of those whose keys begin so. */
  findLast(prefix: string): Span | undefined {
    return [...this.#open].findLast(([key]) => key.startsWith(prefix))?.[1];
  }

  end(key: string, attributes: Attributes, failure?: SpanFailure): void {
    const span = this.#open.get(key);
    if (!span) return;
    this.#open.delete(key);
    span.setAttributes(attributes);
    if (failure) {
      span.setAttribute(ATTR.errorType, failure.type);
      const message = clipped(failure.message ?? "", MAX_MESSAGE_CHARS);
      span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== "" && { message }) });
    }
    span.end();
  }

  /** Ends what is still open, as unfinished, the innermost first. */
  endAll(): void {
    for (const key of [...this.#open.keys()].reverse()) this.end(key, {}, { type: "interrupted" });
  }
}
