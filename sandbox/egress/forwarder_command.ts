import type { Environment } from "../commands/environment.ts";
import { PROXY_PORT } from "../view/view_places.ts";

/** The program that carries connections from a view's loopback to the proxy's socket. */
export type ForwarderProgram =
  | { readonly kind: "socat" }
  /** A command of ours that ends in `runForwarder`; it is given PORT and SOCKET. */
  | { readonly kind: "own"; readonly command: readonly string[] };

/**
 * The forwarder's command line; `socket` is the path in the view.
 * @throws {RangeError} for a path with characters that socat would take for its own
 */
export function forwarderCommand(
  program: ForwarderProgram,
  socket: string,
  port = PROXY_PORT,
): string[] {
  if (program.kind === "own") return [...program.command, String(port), socket];
  if (/[,:!"'\\()[\]{}]/.test(socket)) {
    throw new RangeError(`Cannot forward to ${JSON.stringify(socket)}: socat would misread it`);
  }
  return [
    "socat",
    `TCP-LISTEN:${port},bind=127.0.0.1,reuseaddr,fork,backlog=64`,
    `UNIX-CONNECT:${socket}`,
  ];
}

/** Our own forwarder run from source, with no more rights than it needs. */
export function forwarderFromSource(
  deno: string,
  module: string,
  socket: string,
  port = PROXY_PORT,
): ForwarderProgram {
  const rights = [
    `--allow-net=127.0.0.1:${port},unix:${socket}`,
    `--allow-read=${socket}`,
    `--allow-write=${socket}`,
  ];
  const flags = ["--no-prompt", "--no-config", "--no-remote", "--cached-only", ...rights];
  return { kind: "own", command: [deno, "run", ...flags, module] };
}

/** Variables by which programs take the way out; each spelling is what some of them read. */
export function egressEnvironment(port = PROXY_PORT): Environment {
  const proxy = `http://127.0.0.1:${port}`;
  // A service that a command starts itself is reached without us.
  const direct = "localhost,127.0.0.1,::1";
  return {
    http_proxy: proxy,
    https_proxy: proxy,
    all_proxy: proxy,
    no_proxy: direct,
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    ALL_PROXY: proxy,
    NO_PROXY: direct,
    // Node reads them only when told so (since 24).
    NODE_USE_ENV_PROXY: "1",
  };
}
