import { join } from "node:path";
import * as z from "zod";
import { isOfSystem } from "../sandbox/files/system_errors.ts";
import { replaceJsonFile } from "./json_file.ts";

/** What a person agreed to once, or said no to, for all later runs. */
const agreements = z.object({
  /** Hosts, as `openrouter.ai:443`, to which files may be sent to be merged. */
  apply_hosts: z.array(z.string()).default([]),
  /** Whether git stores outside the workspaces that they belong to are shown, by their real paths. */
  git_stores: z.record(z.string(), z.boolean()).default({}),
});

type Agreements = z.infer<typeof agreements>;

/** The hosts to which a person lets files be sent for merging; none where nothing is kept. */
export function agreedApplyHosts(state: string | undefined): readonly string[] {
  return readAgreements(state).apply_hosts;
}

/** Keeps a person's yes. */
export function agreeToApplyHost(state: string, host: string): void {
  const hosts = new Set([...agreedApplyHosts(state), host]);
  change(state, (before) => ({ ...before, apply_hosts: [...hosts] }));
}

/** What a person has said of a git store; undefined where they were not asked. */
export function agreedGitStore(state: string | undefined, store: string): boolean | undefined {
  const said = readAgreements(state).git_stores;
  return Object.hasOwn(said, store) ? said[store] : undefined;
}

/** Keeps what a person says of a git store; undefined takes it back. */
export function keepGitStore(state: string, store: string, said: boolean | undefined): void {
  change(state, (before) => {
    const { [store]: _, ...others } = before.git_stores;
    return { ...before, git_stores: said === undefined ? others : { ...others, [store]: said } };
  });
}

function readAgreements(state: string | undefined): Agreements {
  try {
    if (state !== undefined) {
      return agreements.parse(JSON.parse(Deno.readTextFileSync(fileIn(state))));
    }
  } catch (error) {
    // A file that cannot be read or understood says nothing, and so agrees to nothing.
    const saysNothing = isOfSystem(error) || error instanceof SyntaxError ||
      error instanceof z.ZodError;
    if (!saysNothing) throw error;
  }
  return agreements.parse({});
}

function change(state: string, to: (before: Agreements) => Agreements): void {
  Deno.mkdirSync(state, { recursive: true, mode: 0o700 });
  replaceJsonFile(fileIn(state), to(readAgreements(state)));
}

function fileIn(state: string): string {
  return join(state, "agreements.json");
}
