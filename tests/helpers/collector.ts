/** What the collector does with one request: takes it, refuses it, or never answers. */
export type CollectorReply = "take" | "silence" | number;

/** A span as OTLP/JSON writes it, its attributes as a plain object. */
export interface SeenSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty where it has none. */
  readonly parentSpanId: string;
  /** 1 internal, 3 client. */
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly events: readonly { readonly name: string; readonly attributes: unknown }[];
  /** 0 unset, 2 error. */
  readonly status: { readonly code?: number; readonly message?: string };
  /** What the program says of itself. */
  readonly resource: Readonly<Record<string, unknown>>;
}

/** A request as the collector got it. */
export interface CollectedRequest {
  readonly path: string;
  readonly headers: Headers;
  /** Unpacked. */
  readonly bytes: Uint8Array;
}

/** A collector of OpenTelemetry on 127.0.0.1, over HTTP. */
export interface Collector extends AsyncDisposable {
  /** Without a path. */
  readonly url: string;
  /** As `127.0.0.1:PORT`. */
  readonly host: string;
  readonly requests: readonly CollectedRequest[];
  /** Those that were taken, as JSON, in the order of their coming. */
  readonly spans: readonly SeenSpan[];
  /** All bodies as text, whatever they are. */
  text(): string;
}

/** Starts a collector; the replies are given in order, and the last one from then on. */
export function collector(...replies: readonly CollectorReply[]): Collector {
  const requests: CollectedRequest[] = [];
  const spans: SeenSpan[] = [];
  const stop = new AbortController();
  const server = Deno.serve({
    hostname: "127.0.0.1",
    port: 0,
    signal: stop.signal,
    onListen: () => {},
  }, async (request) => {
    const seen = await see(request);
    const reply = replies[Math.min(requests.length, replies.length - 1)] ?? "take";
    requests.push(seen);
    if (reply === "silence") await raised(stop.signal);
    if (typeof reply === "number") return new Response("no", { status: reply });
    if (isJson(seen)) spans.push(...spansIn(JSON.parse(new TextDecoder().decode(seen.bytes))));
    return Response.json({});
  });
  const host = `127.0.0.1:${server.addr.port}`;
  return {
    ...{ url: `http://${host}`, host, requests, spans },
    text: () => requests.map(({ bytes }) => new TextDecoder().decode(bytes)).join("\n"),
    async [Symbol.asyncDispose]() {
      stop.abort();
      await server.finished;
    },
  };
}

/** Each span with its ancestors, as `parent > child`, sorted; for comparing whole trees. */
export function treeOf(spans: readonly SeenSpan[]): string[] {
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  const pathOf = (span: SeenSpan): string => {
    const parent = byId.get(span.parentSpanId);
    return parent ? `${pathOf(parent)} > ${span.name}` : span.name;
  };
  return spans.map(pathOf).sort();
}

/** The spans that an export of OTLP/JSON holds. */
// deno-lint-ignore no-explicit-any -- the form of the protocol is looked into by hand
export function spansIn({ resourceSpans }: any): SeenSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }: { resource: Raw; scopeSpans: Raw[] }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map((span: Raw) => ({
        ...{ parentSpanId: "", events: [], status: {} },
        ...span,
        attributes: plain(span.attributes),
        events: (span.events ?? []).map((event: Raw) => ({
          name: event.name,
          attributes: plain(event.attributes),
        })),
        resource: plain(resource.attributes),
      }))
    )
  );
}

// deno-lint-ignore no-explicit-any -- as above
type Raw = any;

function plain(attributes: readonly { key: string; value: Raw }[]): Record<string, unknown> {
  return Object.fromEntries(attributes.map(({ key, value }) => [key, valueOf(value)]));
}

function valueOf(value: Raw): unknown {
  if ("arrayValue" in value) return value.arrayValue.values.map(valueOf);
  if ("intValue" in value) return Number(value.intValue);
  return Object.values(value)[0];
}

async function see(request: Request): Promise<CollectedRequest> {
  const { headers } = request;
  const gzip = headers.get("content-encoding") === "gzip";
  const body = gzip ? request.body?.pipeThrough(new DecompressionStream("gzip")) : request.body;
  const bytes = new Uint8Array(await new Response(body ?? null).arrayBuffer());
  return { path: new URL(request.url).pathname, headers, bytes };
}

function isJson({ headers }: CollectedRequest): boolean {
  return headers.get("content-type") === "application/json";
}

function raised(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
