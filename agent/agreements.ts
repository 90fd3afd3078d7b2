import { join } from "node:path";
import * as z from "zod";
import { isOfSystem } from "../sandbox/files/system_errors.ts";

/** What a person agreed to once, for all later runs. */
const agreements = z.object({
  /** Hosts, as `openrouter.ai:443`, to which files may be sent to be merged. */
  apply_hosts: z.array(z.string()).default([]),
});

/** The hosts to which a person lets files be sent for merging; none where nothing is kept. */
export function agreedApplyHosts(state: string | undefined): readonly string[] {
  if (state === undefined) return [];
  try {
    const text = Deno.readTextFileSync(fileIn(state));
    return agreements.parse(JSON.parse(text)).apply_hosts;
  } catch (error) {
    // A file that cannot be read or understood says nothing, and so agrees to nothing.
    if (isOfSystem(error)) return [];
    if (error instanceof SyntaxError || error instanceof z.ZodError) return [];
    throw error;
  }
}

/** Keeps a person's yes. */
export async function agreeToApplyHost(state: string, host: string): Promise<void> {
  const hosts = new Set([...agreedApplyHosts(state), host]);
  await Deno.mkdir(state, { recursive: true, mode: 0o700 });
  const text = JSON.stringify({ apply_hosts: [...hosts] }, null, 2);
  const draft = `${fileIn(state)}.${crypto.randomUUID()}`;
  await Deno.writeTextFile(draft, `${text}\n`, { mode: 0o600 });
  await Deno.rename(draft, fileIn(state));
}

function fileIn(state: string): string {
  return join(state, "agreements.json");
}
