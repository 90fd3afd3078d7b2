import type { Environment } from "../environment.ts";

/** Where commands in a view find the way out: a port of their own loopback. */
export const EGRESS_PORT = 3128;

/** The program that carries connections from that port to the proxy's socket. */
export type ForwarderProgram =
  | { readonly kind: "socat" }
  /** A command of ours that ends in {@linkcode runForwarder}; it is given PORT and SOCKET. */
  | { readonly kind: "own"; readonly command: readonly string[] };

/** The forwarder's arguments. `socket` is the path in the view; socat's own separators are no part of it. */
export function forwarderArguments(
  program: ForwarderProgram,
  socket: string,
  port = EGRESS_PORT,
): string[] {
  switch (program.kind) {
    case "socat":
      if (/[,:!"'\\()[\]{}]/.test(socket)) {
        throw new RangeError(`Cannot forward to ${JSON.stringify(socket)}: socat would misread it`);
      }
      return [
        "socat",
        `TCP-LISTEN:${port},bind=127.0.0.1,reuseaddr,fork,backlog=64`,
        `UNIX-CONNECT:${socket}`,
      ];
    case "own":
      return [...program.command, String(port), socket];
  }
}

/** How Deno runs the forwarder from source, with no more rights than it needs. */
export function forwarderFromSource(
  deno: string,
  module: string,
  socket: string,
  port = EGRESS_PORT,
): string[] {
  return [
    deno,
    "run",
    "--no-prompt",
    "--no-config",
    "--no-remote",
    "--cached-only",
    `--allow-net=127.0.0.1:${port},unix:${socket}`,
    `--allow-read=${socket}`,
    `--allow-write=${socket}`,
    module,
  ];
}

/** What makes programs take the way out; both spellings, since each is what some of them read. */
export function egressEnvironment(port = EGRESS_PORT): Environment {
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
    // npm and node read neither by themselves (Node 24 with this does).
    npm_config_proxy: proxy,
    npm_config_https_proxy: proxy,
    NODE_USE_ENV_PROXY: "1",
  };
}

/** Socat listens within some milliseconds, ours needs up to 200; after so many looks (3 s) bash goes on. */
const LOOKS = 340;
/** So many looks are made without a pause. */
const EAGER_LOOKS = 40;

/**
 * A bash text that starts the forwarder, waits until it listens and becomes the command: use it as
 * `["bash", "-c", egressPrologue(), "egress", ...forwarder, "--", ...command]`. It looks into
 * /proc instead of connecting, so that the proxy sees no connection without a request.
 */
export function egressPrologue(port = EGRESS_PORT): string {
  const hex = port.toString(16).toUpperCase().padStart(4, "0");
  return `
forward=()
while [ "$1" != -- ]; do forward+=("$1"); shift; done
shift
"\${forward[@]}" </dev/null >/dev/null 2>&1 &
for ((i = 0; i < ${LOOKS}; i++)); do
  [[ $(</proc/net/tcp) == *" 0100007F:${hex} 00000000:0000 0A "* ]] && break
  kill -0 "$!" 2>/dev/null || break
  ((i < ${EAGER_LOOKS})) || sleep 0.01
done
exec "$@"`.trim();
}
