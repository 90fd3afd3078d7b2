import { dirname, join } from "node:path";
import type { Environment } from "../commands/environment.ts";
import { after } from "../commands/timers.ts";
import { type PipedProcess, startPiped } from "../commands/piped_process.ts";
import { type Forwarder, startForwarder } from "../egress/forwarder.ts";
import { removeTree } from "../files/remove_tree.ts";
import { errorCode, isMissing } from "../files/system_errors.ts";
import { startConfined } from "../view/confined_process.ts";
import type { View } from "../view/view.ts";
import { PROXY_PORT } from "../view/view_places.ts";
import { browserView, PRIVATE_FOLDER } from "./browser_view.ts";
import { managedPolicy } from "./policy.ts";

/** Where a browser runs, and what it reaches; disposing it takes away what it left. */
export interface BrowserPlace extends AsyncDisposable {
  /** Of 127.0.0.1 as a browser there sees it: our proxy. */
  readonly proxyPort: number;
  /** What a browser keeps while it runs, as it sees it. */
  readonly privateFolder: string;
  /** Where it leaves files for us, under the same name there and here. */
  readonly downloads: string;
  /** Whether it may confine its pages itself. */
  readonly ownSandbox: boolean;
  /** @throws {CommandError} where the program cannot be started. */
  start(argv: readonly [string, ...string[]], variables?: Environment): PipedProcess;
}

/** A place in a view of its own: the system's programs, and the proxy's socket. */
export function confinedPlace(
  { view, filter }: { readonly view: View; readonly filter: Uint8Array },
  { proxySocket, programFolder }: {
    readonly proxySocket: string;
    /** Where the browser lies, if a person named one elsewhere than systems have them. */
    readonly programFolder?: string | undefined;
  },
): BrowserPlace {
  const folder = madeFolder(join(dirname(view.shellFolder.host), "browser"));
  const downloads = madeFolder(join(folder, "downloads"));
  const policy = join(folder, "policy.json");
  Deno.writeTextFileSync(policy, managedPolicy(), { mode: 0o644 });
  return {
    proxyPort: PROXY_PORT,
    privateFolder: PRIVATE_FOLDER,
    downloads,
    ownSandbox: false,
    start(argv, variables = {}) {
      const seen = browserView(view, { proxySocket, downloads, policy, programFolder });
      const environment = { ...seen.environment, ...variables };
      return startConfined({ ...seen, environment }, filter, argv);
    },
    [Symbol.asyncDispose]: () => removed(folder),
  };
}

/** A place on the machine itself: nothing holds a browser there but its own care. */
export function ownPlace(
  environment: Environment,
  { proxySocket, ownSandbox }: { readonly proxySocket: string; readonly ownSandbox: boolean },
): BrowserPlace {
  // Not in the state folder: browsers make a socket there, whose path must be short.
  const folder = Deno.realPathSync(Deno.makeTempDirSync({ prefix: "cordon-browser-" }));
  const forwarder: Forwarder = startForwarder(0, proxySocket);
  const downloads = madeFolder(join(folder, "downloads"));
  const privateFolder = madeFolder(join(folder, "private"));
  return {
    ...{ downloads, privateFolder, ownSandbox },
    proxyPort: forwarder.port,
    start(argv, variables = {}) {
      const path = environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin";
      return startPiped(argv, {
        environment: { ...browserEnvironment(path, privateFolder), ...variables },
        cwd: privateFolder,
      });
    },
    async [Symbol.asyncDispose]() {
      await forwarder[Symbol.asyncDispose]();
      await removed(folder);
    },
  };
}

/** The variables of a browser, all of them. */
export function browserEnvironment(path: string, home: string): Environment {
  return { PATH: path, HOME: home, TMPDIR: home, LANG: "C.UTF-8" };
}

/** The real path of a folder for its owner alone. */
function madeFolder(path: string): string {
  Deno.mkdirSync(path, { recursive: true, mode: 0o700 });
  return Deno.realPathSync(path);
}

/** How often a folder is tried again in which processes that are ending write, and how long apart. */
const MAX_TRIES = 100;
const BETWEEN_TRIES_MS = 50;

/** Helpers of a browser write for some moments after it has ended. */
async function removed(folder: string): Promise<void> {
  for (let tries = 1;; tries++) {
    try {
      return await removeTree(folder);
    } catch (error) {
      if (isMissing(error)) return;
      if (errorCode(error) !== "ENOTEMPTY" || tries === MAX_TRIES) throw error;
    }
    using pause = after(BETWEEN_TRIES_MS);
    await pause.passed;
  }
}
