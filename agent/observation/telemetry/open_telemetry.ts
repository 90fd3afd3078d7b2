import { type Context, ROOT_CONTEXT, type Span, trace, TraceFlags } from "@opentelemetry/api";
import { parseKeyPairsIntoRecord, parseTraceParent, TraceState } from "@opentelemetry/core";
import { defaultResource, type Resource, resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { after } from "../../../sandbox/commands/timers.ts";
import type { Observation } from "../observation.ts";
import type { Recorder } from "../recorders.ts";
import { OtlpExporter } from "./otlp_exporter.ts";
import type { RunFacts } from "./run_attributes.ts";
import { MAX_CONTENT_CHARS } from "./span_attributes.ts";
import { SpanRecorder } from "./span_recorder.ts";
import { SpanTree } from "./span_tree.ts";
import {
  MAX_TIMEOUT_MS,
  type Sampler as SamplerChoice,
  type TelemetrySettings,
} from "./telemetry_settings.ts";

/** What traces of a run are opened with. */
export interface TelemetryParts {
  readonly settings: TelemetrySettings;
  readonly facts: Omit<RunFacts, "content">;
  /** Takes what nobody may be shown. */
  readonly secret: (value: string) => void;
  readonly warn: (line: string) => void;
  readonly fetch: typeof fetch;
}

/** How long a process waits that ends at once, and anyone for a collector that failed before, in milliseconds. */
const AT_ONCE_MS = 250;

/**
 * Spans that are not sent yet, and those of a request, at the most (the SDK's own numbers). The time
 * for a request is the exporter's, who reports no failure; the processor's own must not come first.
 */
const QUEUE = {
  maxQueueSize: 2_048,
  maxExportBatchSize: 512,
  exportTimeoutMillis: 2 * MAX_TIMEOUT_MS,
};

/** Opens traces of a run for the collector that the settings name; nothing is sent yet. */
export function openTelemetry(
  { settings, facts, secret, warn, fetch }: TelemetryParts,
): Recorder {
  const headers = headersOf(settings, warn);
  Object.values(headers).flatMap(secretsIn).forEach(secret);
  const exporter = new OtlpExporter({ settings, headers, warn, fetch });
  const processor = new BatchSpanProcessor({ exporter, ...QUEUE });
  const provider = new TracerProvider({
    sampler: samplerOf(settings.sampler),
    resource: resourceOf(settings, facts.version),
    spanProcessors: [processor],
    // What holds content is bounded by itself; this is for the rest, as an id that a model's server made up.
    spanLimits: { attributeValueLengthLimit: 4 * MAX_CONTENT_CHARS },
  });
  const tracer = provider.getTracer("cordon", facts.version);
  const spans = new SpanTree(tracer, outsideOf(settings));
  const recorder = new SpanRecorder({ ...facts, content: settings.content }, spans);
  return {
    record: (observation: Observation) => recorder.record(observation),
    traceparentOf(childId) {
      const span = recorder.spanOfChild(childId);
      return span && traceparent(span);
    },
    close: () => end(exporter.hasFailed ? AT_ONCE_MS : settings.lastWordsMs),
    abandon: () => end(AT_ONCE_MS),
  };

  async function end(patienceMs: number): Promise<void> {
    spans.endAll();
    using patience = after(patienceMs);
    const sent = processor.forceFlush().then(() => exporter.settled());
    await Promise.race([sent, patience.passed]);
    await exporter.shutdown();
  }
}

/** The headers of each request; what cannot be one is left out, and told without its value. */
function headersOf(
  { headers }: TelemetrySettings,
  warn: (line: string) => void,
): Record<string, string> {
  const pairs = Object.entries(parseKeyPairsIntoRecord(headers));
  const usable = pairs.filter(([name, value]) => isHeader(name, value));
  if (usable.length < pairs.length) {
    warn("OTEL_EXPORTER_OTLP_HEADERS holds what no header can hold, which is left out");
  }
  return Object.fromEntries(usable);
}

/** A header's value, and what follows the word of a scheme such as `Bearer`. */
function secretsIn(value: string): string[] {
  return [...new Set([value, value.replace(/^\S+ +/, "")])];
}

function isHeader(name: string, value: string): boolean {
  try {
    new Headers([[name, value]]);
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}

function samplerOf({ parentBased, ratio }: SamplerChoice): Sampler {
  const root = ratio === 1
    ? new AlwaysOnSampler()
    : ratio === 0
    ? new AlwaysOffSampler()
    : new TraceIdRatioBasedSampler(ratio);
  return parentBased ? new ParentBasedSampler({ root }) : root;
}

/** What a person says of this program goes before what it says of itself. */
function resourceOf({ serviceName, resource }: TelemetrySettings, version: string): Resource {
  return defaultResource()
    .merge(resourceFromAttributes({ "service.name": "cordon", "service.version": version }))
    .merge(resourceFromAttributes(parseKeyPairsIntoRecord(resource)))
    .merge(
      resourceFromAttributes(serviceName === undefined ? {} : { "service.name": serviceName }),
    );
}

/** The trace that this run is a part of; one that cannot be read counts as none. */
function outsideOf({ traceparent, tracestate }: TelemetrySettings): Context {
  const parent = traceparent === undefined ? null : parseTraceParent(traceparent);
  if (!parent) return ROOT_CONTEXT;
  return trace.setSpanContext(ROOT_CONTEXT, {
    ...parent,
    isRemote: true,
    ...(tracestate !== undefined && { traceState: new TraceState(tracestate) }),
  });
}

/** Version 00 of W3C Trace Context. */
function traceparent(span: Span): string {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const sampled = (traceFlags & TraceFlags.SAMPLED) === 0 ? "00" : "01";
  return `00-${traceId}-${spanId}-${sampled}`;
}
