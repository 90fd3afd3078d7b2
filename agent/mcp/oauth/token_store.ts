import { createHash } from "node:crypto";
import { join } from "node:path";
import * as z from "zod";
import { isOfSystem } from "../../../sandbox/files/system_errors.ts";
import { replaceJsonFile } from "../../json_file.ts";

/** What is kept of a server that people log in to. */
const kept = z.looseObject({
  /** The server's address: its file is named by a digest of it. */
  url: z.string(),
  /** Hosts of authorization servers that the person agreed to, as `host:port`. */
  hosts: z.array(z.string()).default([]),
  /** As the client of the protocol gave it to be kept; it checks that itself. */
  client: z.record(z.string(), z.unknown()).optional(),
  tokens: z.looseObject({ access_token: z.string(), refresh_token: z.string().optional() })
    .optional(),
  discovery: z.record(z.string(), z.unknown()).optional(),
});

/** What is kept of a server that people log in to. */
export type KeptLogin = z.infer<typeof kept>;

/** The log-ins of a person, a file each, which nobody else may read. */
export class TokenStore {
  readonly #folder: string;

  constructor(state: string) {
    this.#folder = join(state, "mcp", "logins");
  }

  /** What is kept for a server; nothing where its file is not there or cannot be understood. */
  read(url: string): KeptLogin {
    try {
      const parsed = kept.safeParse(JSON.parse(Deno.readTextFileSync(this.#path(url))));
      if (parsed.success && parsed.data.url === url) return parsed.data;
    } catch (error) {
      if (!isOfSystem(error) && !(error instanceof SyntaxError)) throw error;
    }
    return { url, hosts: [] };
  }

  /** Changes what is kept for a server: whole, or not at all. */
  update(url: string, change: (before: KeptLogin) => KeptLogin): void {
    Deno.mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    replaceJsonFile(this.#path(url), change(this.read(url)));
  }

  /** Forgets a server; true where something was kept. */
  remove(url: string): boolean {
    try {
      Deno.removeSync(this.#path(url));
      return true;
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return false;
      throw error;
    }
  }

  #path(url: string): string {
    const digest = createHash("sha256").update(url).digest("hex");
    return join(this.#folder, `${digest.slice(0, 32)}.json`);
  }
}
