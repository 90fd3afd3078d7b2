import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { telemetryChoice } from "../../../../agent/observation/telemetry/telemetry_settings.ts";
import { usableTelemetry } from "../../../../agent/observation/telemetry/usable_telemetry.ts";

type Variables = Readonly<Record<string, string>>;

const choice = (variables: Variables) => telemetryChoice((name) => variables[name]);

function settings(variables: Variables) {
  const chosen = choice({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318", ...variables });
  if (chosen.kind !== "on") throw new Error(JSON.stringify(chosen));
  return chosen.settings;
}

Deno.test("telemetryChoice() sends nothing where nobody asked for it", async (t) => {
  const cases: [what: string, variables: Variables, kind: string][] = [
    ["no variable", {}, "off"],
    ["a name alone", { OTEL_SERVICE_NAME: "x", TRACEPARENT: "00-1-2-01" }, "off"],
    ["an empty address", { OTEL_EXPORTER_OTLP_ENDPOINT: " " }, "off"],
    ["an address", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c" }, "on"],
    ["that of traces", { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://c" }, "on"],
    ["the exporter by name", { OTEL_TRACES_EXPORTER: "otlp" }, "on"],
    ["none", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c", OTEL_TRACES_EXPORTER: "none" }, "off"],
    ["disabled", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c", OTEL_SDK_DISABLED: "TRUE" }, "off"],
    ["not disabled", { OTEL_EXPORTER_OTLP_ENDPOINT: "http://c", OTEL_SDK_DISABLED: "0" }, "on"],
  ];
  for (const [what, variables, kind] of cases) {
    await t.step(what, () => strictEqual(choice(variables).kind, kind));
  }
});

Deno.test("telemetryChoice() says what cannot be had, and throws nothing", async (t) => {
  const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";
  const cases: [variables: Variables, why: RegExp][] = [
    [{ [ENDPOINT]: "http://c", OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, /"grpc".*http\/protobuf/],
    [{ [ENDPOINT]: "http://c", OTEL_TRACES_EXPORTER: "zipkin" }, /"zipkin", and only otlp/],
    [{ [ENDPOINT]: "c:4318" }, /"c:4318\/v1\/traces"|"c:4318" is no address/],
    [{ [ENDPOINT]: "collector" }, /"collector" is no address/],
    [{ [ENDPOINT]: "unix:///run/c.sock" }, /is no address/],
    [{ [ENDPOINT]: "http://me:secret@c" }, /^its address holds a name or a password/],
  ];
  for (const [variables, why] of cases) {
    await t.step(JSON.stringify(variables), () => {
      const chosen = choice(variables);
      strictEqual(chosen.kind, "unusable");
      if (chosen.kind === "unusable") match(chosen.why, why);
    });
  }
});

Deno.test("telemetryChoice() takes what is said of traces before what is said of everything", () => {
  deepStrictEqual(settings({}), {
    url: "http://c:4318/v1/traces",
    protocol: "http/protobuf",
    gzip: false,
    timeoutMs: 10_000,
    lastWordsMs: 2_000,
    headers: "",
    resource: "",
    serviceName: undefined,
    sampler: { parentBased: true, ratio: 1 },
    traceparent: undefined,
    tracestate: undefined,
    content: false,
  });
  strictEqual(
    settings({ OTEL_EXPORTER_OTLP_ENDPOINT: "https://c/base/?key=1" }).url,
    "https://c/base/v1/traces?key=1",
  );
  const both = settings({
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "https://t/exactly",
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/protobuf",
    OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_HEADERS: "a=1",
    OTEL_EXPORTER_OTLP_TRACES_HEADERS: "b=2",
    OTEL_EXPORTER_OTLP_TIMEOUT: "5",
    OTEL_EXPORTER_OTLP_TRACES_TIMEOUT: "70000",
    OTEL_EXPORTER_OTLP_COMPRESSION: "gzip",
    OTEL_BSP_EXPORT_TIMEOUT: "soon",
  });
  deepStrictEqual(
    [both.url, both.protocol, both.headers, both.timeoutMs, both.gzip, both.lastWordsMs],
    ["https://t/exactly", "http/json", "b=2", 60_000, true, 2_000],
  );
});

Deno.test("telemetryChoice() knows the samplers of the specification", async (t) => {
  const cases: [name: string, argument: string, parentBased: boolean, ratio: number][] = [
    ["always_on", "", false, 1],
    ["always_off", "", false, 0],
    ["traceidratio", "0.25", false, 0.25],
    ["traceidratio", "2", false, 1],
    ["traceidratio", "few", false, 1],
    ["parentbased_always_on", "", true, 1],
    ["parentbased_always_off", "", true, 0],
    ["parentbased_traceidratio", "0.5", true, 0.5],
    ["jaeger_remote", "", true, 1],
  ];
  for (const [name, argument, parentBased, ratio] of cases) {
    await t.step(`${name} ${argument}`, () => {
      const variables = { OTEL_TRACES_SAMPLER: name, OTEL_TRACES_SAMPLER_ARG: argument };
      deepStrictEqual(settings(variables).sampler, { parentBased, ratio });
    });
  }
});

Deno.test("usableTelemetry() asks for the right to the collector", () => {
  const on = choice({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://c:4318" });
  const asked: string[] = [];
  const granted = (host: string) => asked.push(host) > 0;
  deepStrictEqual(usableTelemetry(on, "c:4318", granted).warnings, []);
  deepStrictEqual(asked, ["c:4318"]);
  deepStrictEqual(usableTelemetry(on, "c:4318", () => false), {
    warnings: ["Cannot send traces to c:4318: it is not granted, see --allow-net"],
  });
  deepStrictEqual(usableTelemetry({ kind: "off" }, undefined, granted), { warnings: [] });
  deepStrictEqual(usableTelemetry({ kind: "unusable", why: "so" }, undefined, granted), {
    warnings: ["Cannot send traces: so"],
  });
});
