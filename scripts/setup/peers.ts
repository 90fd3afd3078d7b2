/**
 * Brings the programs of others that tests speak the Model Context Protocol with, from npm into a
 * cache folder of this user; part of `deno task test`. Without npm their tests report themselves
 * skipped.
 */
import { join } from "node:path";

/** Packages of npm that tests start by node, with the versions that they were written against. */
export const PEERS: readonly string[] = [
  "@modelcontextprotocol/inspector@2.12.0",
  "@modelcontextprotocol/server-everything@2026.8.31",
  "@modelcontextprotocol/server-filesystem@2026.8.31",
];

/** Once all is there; a folder without it was left by a run that broke off. */
const MARK = "complete";

/** Where they lie, named after what they are; undefined where no cache folder is known. */
export function peersFolder(
  env: (name: string) => string | undefined = (name) => Deno.env.get(name),
): string | undefined {
  const cache = env("XDG_CACHE_HOME") || (env("HOME") && join(env("HOME") ?? "", ".cache"));
  if (!cache) return undefined;
  const name = PEERS.map((pin) => pin.replace(/^.*\//, "")).join("+");
  return join(cache, "cordon-tests", name);
}

/** A file of a peer by its path in `node_modules`; undefined where they are not there. */
export function peerFile(path: string): string | undefined {
  const folder = peersFolder();
  if (folder === undefined || !isThere(join(folder, MARK))) return undefined;
  return join(folder, "node_modules", path);
}

/** Installs them where they are missing; what keeps it from that is told, and is no error. */
export async function installPeers(): Promise<void> {
  const folder = peersFolder();
  if (folder === undefined || isThere(join(folder, MARK))) return;
  console.error(`setup: fetching ${PEERS.join(", ")}`);
  const draft = `${folder}.${crypto.randomUUID()}`;
  await Deno.mkdir(draft, { recursive: true });
  await Deno.writeTextFile(join(draft, "package.json"), "{}\n");
  const failure = await npmInstall(draft);
  if (failure === undefined) {
    await Deno.writeTextFile(join(draft, MARK), "");
    if (await moved(draft, folder)) return;
  } else console.error(`setup: still missing the peers of MCP tests: ${failure}`);
  await Deno.remove(draft, { recursive: true });
}

/** False where another run was faster. */
async function moved(from: string, to: string): Promise<boolean> {
  try {
    await Deno.rename(from, to);
    return true;
  } catch (error) {
    if (isThere(to)) return false;
    throw error;
  }
}

/** Resolves to the reason where it failed. */
async function npmInstall(folder: string): Promise<string | undefined> {
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", ...PEERS];
  try {
    const child = new Deno.Command("npm", {
      ...{ args, cwd: folder },
      ...{ stdin: "null", stdout: "null", stderr: "piped" },
    }).spawn();
    const { success, stderr } = await child.output();
    return success ? undefined : new TextDecoder().decode(stderr).trim() || "npm failed";
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "there is no npm";
    throw error;
  }
}

function isThere(path: string): boolean {
  try {
    Deno.lstatSync(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

if (import.meta.main) await installPeers();
