import { relative } from "node:path";
import { controlStripper } from "../../../sandbox/commands/control.ts";
import { fileURLToPath } from "node:url";
import * as z from "zod";

/** A problem that a language server found. */
export interface Diagnostic {
  /** From 1. */
  readonly line: number;
  readonly column: number;
  readonly severity: "error" | "warning";
  readonly message: string;
  /** As `ts 2322`; empty where it has none. */
  readonly code: string;
}

const item = z.looseObject({
  range: z.looseObject({ start: z.looseObject({ line: z.number(), character: z.number() }) }),
  severity: z.number().nullish(),
  code: z.union([z.number(), z.string()]).nullish(),
  source: z.string().nullish(),
  message: z.string(),
});

const published = z.looseObject({
  uri: z.string(),
  version: z.number().nullish(),
  diagnostics: z.array(z.unknown()),
});

const report = z.looseObject({ kind: z.string(), items: z.array(z.unknown()).optional() });

/** What `textDocument/publishDiagnostics` says; undefined where it is none. */
export interface Published {
  readonly uri: string;
  readonly version: number | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/** Reads a notification of diagnostics. */
export function readPublished(params: unknown): Published | undefined {
  const parsed = published.safeParse(params);
  if (!parsed.success) return undefined;
  const { uri, version, diagnostics } = parsed.data;
  return { uri, version: version ?? undefined, diagnostics: readItems(diagnostics) };
}

/** Reads the answer to `textDocument/diagnostic`; undefined where it tells nothing new. */
export function readReport(result: unknown): readonly Diagnostic[] | undefined {
  const parsed = report.safeParse(result);
  return parsed.success && parsed.data.items ? readItems(parsed.data.items) : undefined;
}

/** What two diagnostics have in common that are the same problem in another place. */
export function keyOfDiagnostic({ severity, code, message }: Diagnostic): string {
  return JSON.stringify([severity, code, message]);
}

/** A diagnostic as one line. */
export function renderDiagnostic(uri: string, diagnostic: Diagnostic, workspace: string): string {
  const { line, column, severity, code, message } = diagnostic;
  const stripper = controlStripper();
  const text = (stripper.strip(message) + stripper.end()).replace(/\s+/g, " ").trim();
  return `${nameOf(uri, workspace)}:${line}:${column}: ${severity}${code && ` ${code}`}: ${text}`;
}

function nameOf(uri: string, workspace: string): string {
  if (!uri.startsWith("file:")) return uri;
  const name = relative(workspace, fileURLToPath(uri));
  return name.startsWith("..") ? fileURLToPath(uri) : name;
}

/** Errors (1, and what has no severity) and warnings (2); hints are no problems. */
function readItems(items: readonly unknown[]): Diagnostic[] {
  return items.flatMap((value) => {
    const parsed = item.safeParse(value);
    if (!parsed.success) return [];
    const { range: { start }, severity, code, source, message } = parsed.data;
    if (typeof severity === "number" && severity > 2) return [];
    return [{
      line: start.line + 1,
      column: start.character + 1,
      severity: severity === 2 ? "warning" : "error",
      message,
      code: [source, code].filter((part) => part !== undefined && part !== null).join(" "),
    }];
  });
}
