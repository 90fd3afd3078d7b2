import type { ReadVariable } from "../../environment.ts";

/** Where traces go and how, as the variables of OpenTelemetry say (specification 1.56). */
export interface TelemetrySettings {
  /** The address that takes traces, without name and password. */
  readonly url: string;
  readonly protocol: Protocol;
  readonly gzip: boolean;
  /** How long a request may take, in milliseconds. */
  readonly timeoutMs: number;
  /** How long a run that is over waits until everything is sent, in milliseconds. */
  readonly lastWordsMs: number;
  /** `name=value` pairs with commas between them, as they stand in the variable; secret. */
  readonly headers: string;
  /** The same of what describes this program. */
  readonly resource: string;
  readonly serviceName: string | undefined;
  readonly sampler: Sampler;
  /** The trace that this run is a part of, as W3C writes it. */
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  /** Whether what is said, asked for and answered goes along. */
  readonly content: boolean;
}

export type Protocol = "http/protobuf" | "http/json";

/** Which traces are recorded; `ratio` of them, in [0, 1]. */
export interface Sampler {
  /** Whether a trace that came from outside keeps what was decided there. */
  readonly parentBased: boolean;
  readonly ratio: number;
}

/** What variables make of traces. */
export type TelemetryChoice =
  /** Nobody asked for them. */
  | { readonly kind: "off" }
  /** Somebody did, and they cannot be had: half a sentence on why, and what helps. */
  | { readonly kind: "unusable"; readonly why: string }
  | { readonly kind: "on"; readonly settings: TelemetrySettings };

/** Where a collector listens by default (OTLP specification, OTLP/HTTP default port). */
const DEFAULT_ENDPOINT = "http://localhost:4318";

/** The specification's own default for a request, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 10_000;

/** Who does not say otherwise waits so long for a collector at the end, in milliseconds. */
const LAST_WORDS_MS = 2_000;

/** No duration may be longer, in milliseconds. */
export const MAX_TIMEOUT_MS = 60_000;

/** Reads what a person asked for by the variables `OTEL_*`; whatever they say stops no run. */
export function telemetryChoice(env: ReadVariable): TelemetryChoice {
  const exporter = set(env, "OTEL_TRACES_EXPORTER");
  const endpoint = set(env, "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT");
  const base = set(env, "OTEL_EXPORTER_OTLP_ENDPOINT");
  const wanted = (endpoint ?? base) !== undefined || exporter === "otlp";
  if (!wanted || exporter === "none") return { kind: "off" };
  if (set(env, "OTEL_SDK_DISABLED")?.toLowerCase() === "true") return { kind: "off" };
  if (exporter !== undefined && exporter !== "otlp") {
    return unusable(`OTEL_TRACES_EXPORTER is ${JSON.stringify(exporter)}, and only otlp is there`);
  }
  const url = endpoint ?? tracesBelow(base ?? DEFAULT_ENDPOINT);
  const protocol = ofTraces(env, "PROTOCOL") ?? "http/protobuf";
  if (!isProtocol(protocol)) {
    const remedy = "set OTEL_EXPORTER_OTLP_PROTOCOL to http/protobuf or http/json";
    return unusable(`they are not sent over ${JSON.stringify(protocol)}, ${remedy}`);
  }
  const wrong = whyNoAddress(url);
  if (wrong !== undefined) return unusable(wrong);
  return {
    kind: "on",
    settings: {
      ...{ url, protocol },
      gzip: ofTraces(env, "COMPRESSION") === "gzip",
      timeoutMs: durationOf(ofTraces(env, "TIMEOUT"), DEFAULT_TIMEOUT_MS),
      lastWordsMs: durationOf(set(env, "OTEL_BSP_EXPORT_TIMEOUT"), LAST_WORDS_MS),
      headers: ofTraces(env, "HEADERS") ?? "",
      resource: set(env, "OTEL_RESOURCE_ATTRIBUTES") ?? "",
      serviceName: set(env, "OTEL_SERVICE_NAME"),
      sampler: samplerOf(set(env, "OTEL_TRACES_SAMPLER"), set(env, "OTEL_TRACES_SAMPLER_ARG")),
      traceparent: set(env, "TRACEPARENT"),
      tracestate: set(env, "TRACESTATE"),
      content: set(env, "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT")?.toLowerCase() ===
        "true",
    },
  };
}

/** An empty variable counts as not set. */
function set(env: ReadVariable, name: string): string | undefined {
  return env(name)?.trim() || undefined;
}

/** What is said of traces alone goes before what is said of everything. */
function ofTraces(env: ReadVariable, name: string): string | undefined {
  return set(env, `OTEL_EXPORTER_OTLP_TRACES_${name}`) ?? set(env, `OTEL_EXPORTER_OTLP_${name}`);
}

function unusable(why: string): TelemetryChoice {
  return { kind: "unusable", why };
}

function isProtocol(name: string): name is Protocol {
  return name === "http/protobuf" || name === "http/json";
}

/** The address of traces below that of a collector; its query stays. */
function tracesBelow(base: string): string {
  if (!URL.canParse(base)) return base;
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/v1/traces`;
  return url.href;
}

function whyNoAddress(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== "http:" && url?.protocol !== "https:") {
    return `${JSON.stringify(text)} is no address like ${DEFAULT_ENDPOINT}`;
  }
  if (url.username === "" && url.password === "") return undefined;
  return "its address holds a name or a password, say them by OTEL_EXPORTER_OTLP_HEADERS";
}

/** In milliseconds; what is no duration counts as the default. */
function durationOf(text: string | undefined, otherwise: number): number {
  const ms = Number(text);
  return ms > 0 ? Math.min(ms, MAX_TIMEOUT_MS) : otherwise;
}

const PARENT_BASED = "parentbased_";

/** A sampler that is not known counts as the default, as the specification has it. */
function samplerOf(name = "parentbased_always_on", argument: string | undefined): Sampler {
  const parentBased = name.startsWith(PARENT_BASED);
  switch (parentBased ? name.slice(PARENT_BASED.length) : name) {
    case "always_on":
      return { parentBased, ratio: 1 };
    case "always_off":
      return { parentBased, ratio: 0 };
    case "traceidratio":
      return { parentBased, ratio: ratioOf(argument) };
    default:
      return { parentBased: true, ratio: 1 };
  }
}

/** One without a number in [0, 1] takes everything (specification of OTEL_TRACES_SAMPLER_ARG). */
function ratioOf(argument: string | undefined): number {
  const ratio = Number(argument ?? 1);
  return ratio >= 0 && ratio <= 1 ? ratio : 1;
}
