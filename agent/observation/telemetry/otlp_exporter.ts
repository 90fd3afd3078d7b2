import { type ExportResult, ExportResultCode } from "@opentelemetry/core";
import { JsonTraceSerializer, ProtobufTraceSerializer } from "@opentelemetry/otlp-transformer";
import type { ReadableSpan, SpanExporter } from "@opentelemetry/sdk-trace";
import { reasonOf } from "../../session/error.ts";
import type { TelemetrySettings } from "./telemetry_settings.ts";

/** What an exporter needs. */
export interface OtlpExporterParts {
  readonly settings: Pick<TelemetrySettings, "url" | "protocol" | "gzip" | "timeoutMs">;
  readonly headers: Readonly<Record<string, string>>;
  /** Takes a sentence that a person should read; called once at the most. */
  readonly warn: (line: string) => void;
  readonly fetch: typeof fetch;
}

/** Spans that wait for a collector which does not take them, at the most; the newest are kept. */
export const MAX_WAITING = 2_048;

/** Statuses after which the same may be sent again (OTLP specification, "Retryable Response Codes"). */
const RETRYABLE: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/**
 * Sends spans to a collector over OTLP/HTTP. What it may take later goes with the next batch; what
 * fails is told once, and nothing waits for it.
 */
export class OtlpExporter implements SpanExporter {
  readonly #parts: OtlpExporterParts;
  readonly #stop = new AbortController();
  readonly #sending = new Set<Promise<void>>();
  #waiting: readonly ReadableSpan[] = [];
  #failed = false;

  constructor(parts: OtlpExporterParts) {
    this.#parts = parts;
  }

  /** Whether the collector did not take something. */
  get hasFailed(): boolean {
    return this.#failed;
  }

  export(spans: ReadableSpan[], done: (result: ExportResult) => void): void {
    const batch = [...this.#waiting, ...spans];
    this.#waiting = [];
    const sending = this.#send(batch).then((outcome) => {
      if (outcome === "later") this.#waiting = [...batch, ...this.#waiting].slice(-MAX_WAITING);
      // Whatever became of it, the processor has no part in it.
      done({ code: ExportResultCode.SUCCESS });
    });
    this.#sending.add(sending);
    void sending.then(() => this.#sending.delete(sending));
  }

  /** Resolves once nothing is on its way. */
  async settled(): Promise<void> {
    await Promise.all(this.#sending);
  }

  /** Ends what is on its way; a person is told, if anything was. */
  shutdown(): Promise<void> {
    if (this.#sending.size > 0) this.#fail("it did not answer before the run had ended");
    this.#stop.abort();
    return Promise.resolve();
  }

  async #send(spans: ReadableSpan[]): Promise<"done" | "later"> {
    const { settings, headers, fetch } = this.#parts;
    try {
      const json = settings.protocol === "http/json";
      const serializer = json ? JsonTraceSerializer : ProtobufTraceSerializer;
      const bytes = serializer.serializeRequest(spans) ?? new Uint8Array();
      const response = await fetch(settings.url, {
        method: "POST",
        headers: {
          ...headers,
          "content-type": json ? "application/json" : "application/x-protobuf",
          ...(settings.gzip && { "content-encoding": "gzip" }),
        },
        body: settings.gzip ? await gzipped(bytes) : new Uint8Array(bytes),
        // Headers may hold a key, which is for this address alone.
        redirect: "manual",
        signal: AbortSignal.any([this.#stop.signal, AbortSignal.timeout(settings.timeoutMs)]),
      });
      await response.body?.cancel();
      if (response.ok) return "done";
      this.#fail(`it answers ${response.status}`);
      return RETRYABLE.has(response.status) ? "later" : "done";
    } catch (error) {
      if (!this.#stop.signal.aborted) this.#fail(whyNot(error, settings.timeoutMs));
      return "later";
    }
  }

  #fail(why: string): void {
    if (!this.#failed) {
      const { settings: { url }, warn } = this.#parts;
      warn(`Cannot send traces to "${url}": ${why}; the run goes on without them`);
    }
    this.#failed = true;
  }
}

/** Deno's fetch says only in its cause what it met. */
function whyNot(error: unknown, timeoutMs: number): string {
  if (!(error instanceof Error)) return reasonOf(error);
  if (error.name === "TimeoutError") return `it did not answer within ${timeoutMs} ms`;
  return reasonOf(error.cause ?? error);
}

async function gzipped(bytes: Uint8Array): Promise<ArrayBuffer> {
  const stream = new Blob([new Uint8Array(bytes)]).stream();
  return await new Response(stream.pipeThrough(new CompressionStream("gzip"))).arrayBuffer();
}
