import { reasonOf } from "../session/error.ts";
import type { Settings } from "../settings.ts";
import { parseJson } from "./json.ts";

/** What a server said when it was asked for its models. */
export type ModelsAnswer =
  | {
    readonly kind: "answer";
    readonly status: number;
    /** Names of models; undefined where the answer is no list. */
    readonly models: readonly string[] | undefined;
    /** Of the header `date`. */
    readonly date: string | null;
  }
  | { readonly kind: "silence"; readonly why: string };

/**
 * Asks the configured server for its models, the cheapest request there is: it costs no token. Waits
 * for `limitMs` milliseconds at the most.
 */
export async function listModels(
  { provider, apiKey }: Pick<Settings, "provider" | "apiKey">,
  limitMs: number,
  signal?: AbortSignal,
): Promise<ModelsAnswer> {
  const limit = AbortSignal.timeout(limitMs);
  try {
    const response = await fetch(`${provider.baseUrl}/models`, {
      headers: { ...provider.headers, ...(apiKey && { authorization: `Bearer ${apiKey}` }) },
      // Elsewhere the key has no business.
      redirect: "manual",
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
    });
    const { status } = response;
    const models = modelNames(parseJson(await response.text()));
    return { kind: "answer", status, models, date: response.headers.get("date") };
  } catch (error) {
    if (signal?.aborted) return { kind: "silence", why: "it was stopped" };
    if (error instanceof DOMException) {
      return { kind: "silence", why: `no answer in ${limitMs} ms` };
    }
    const cause = error instanceof TypeError ? error.cause ?? error : error;
    return { kind: "silence", why: reasonOf(cause) };
  }
}

function modelNames(value: unknown): string[] | undefined {
  if (typeof value !== "object" || value === null || !("data" in value)) return undefined;
  if (!Array.isArray(value.data)) return undefined;
  const rows: readonly unknown[] = value.data;
  return rows.flatMap((row) =>
    typeof row === "object" && row !== null && "id" in row && typeof row.id === "string"
      ? [row.id]
      : []
  );
}
