import type { Host } from "./headless.ts";
import { terminalLines } from "./read_line.ts";

/** Asks a person at the terminal; whatever is no clear yes is a no. */
export async function confirm(question: string, { streams }: Host): Promise<boolean> {
  await Promise.all([streams.stdout.flush(), streams.stderr.flush()]);
  const answer = await terminalLines(() => {})(`${question} [y/N] `, new AbortController().signal);
  return /^(y|yes)$/i.test(answer?.trim() ?? "");
}
