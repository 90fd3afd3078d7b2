import { deepStrictEqual, ok } from "node:assert/strict";
import { dirname, join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname ?? ".", "../../..");

/** The one door to the packages, which is opened where a variable asks for traces. */
const DOOR = join(ROOT, "agent/observation/telemetry/open_telemetry.ts");

/** What a module imports when it is loaded, or later; types are gone by then. */
function imports(text: string): string[] {
  const code = text.replaceAll(/^(import|export) type [^;]*;/gm, "");
  return [...code.matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)"([^"]+)"/g)].map(([, name = ""]) =>
    name
  );
}

/** Everything that may be loaded from `start` on, unless a way leads through `closed`. */
function reached(start: string, closed: string | undefined): Set<string> {
  const seen = new Set<string>();
  const waiting = [start];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (seen.has(path) || path === closed) continue;
    seen.add(path);
    if (!path.startsWith("/") || !path.endsWith(".ts")) continue;
    for (const name of imports(Deno.readTextFileSync(path))) {
      waiting.push(name.startsWith(".") ? join(dirname(path), name) : name);
    }
  }
  return seen;
}

function packagesIn(modules: ReadonlySet<string>): string[] {
  return [...modules].filter((name) => name.startsWith("@opentelemetry/")).sort();
}

Deno.test("nothing of OpenTelemetry is loaded before a variable asks for it", () => {
  const main = join(ROOT, "main.ts");
  const without = reached(main, DOOR);
  ok(without.has(join(ROOT, "agent/observation/telemetry/telemetry_settings.ts")));
  deepStrictEqual(packagesIn(without), []);
  deepStrictEqual(packagesIn(reached(main, undefined)), [
    "@opentelemetry/api",
    "@opentelemetry/core",
    "@opentelemetry/otlp-transformer",
    "@opentelemetry/resources",
    "@opentelemetry/sdk-trace",
  ]);
});

Deno.test("the way to it is opened by a lazy import alone", () => {
  const without = [...reached(join(ROOT, "main.ts"), DOOR)].filter((path) => path.endsWith(".ts"));
  const naming = (pattern: RegExp) =>
    without.filter((path) => pattern.test(Deno.readTextFileSync(path)));
  deepStrictEqual(naming(/^(import|export) [^;]*\bfrom "[^"]*open_telemetry\.ts"/m), []);
  deepStrictEqual(naming(/\bimport\("[^"]*open_telemetry\.ts"\)/).length, 1);
});
