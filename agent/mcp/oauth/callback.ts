/** Waits on this machine for the person to come back from an authorization server. */
export interface Callback extends AsyncDisposable {
  /** Where they are sent back to. */
  readonly url: string;
  /** Resolves to what they brought, once somebody comes who knows `state`. */
  parameters(state: string, signal: AbortSignal): Promise<URLSearchParams>;
}

const PATH = "/callback";

/** What the browser shows; nothing in it comes from outside. */
const PAGE = "<!doctype html><title>Cordon</title><p>You can close this window.";

const HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": "default-src 'none'",
  "referrer-policy": "no-referrer",
  connection: "close",
};

/**
 * Opens the callback on loopback; a port of 0 is any that is free. Whoever comes without the right
 * `state` is turned away, and waiting goes on.
 * @throws {Deno.errors.AddrInUse} where the port is taken.
 */
export function openCallback(port: number): Callback {
  const came = Promise.withResolvers<URLSearchParams>();
  let expected: string | undefined;
  const server = Deno.serve({ hostname: "127.0.0.1", port, onListen() {} }, (request) => {
    const url = new URL(request.url);
    const known = expected !== undefined && url.searchParams.get("state") === expected;
    if (request.method !== "GET" || url.pathname !== PATH || !known) {
      return new Response("Not found", { status: 404, headers: { connection: "close" } });
    }
    came.resolve(url.searchParams);
    return new Response(PAGE, { headers: HEADERS });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}${PATH}`,
    async parameters(state, signal) {
      expected = state;
      signal.throwIfAborted();
      const raised = () => came.reject(signal.reason);
      signal.addEventListener("abort", raised, { once: true });
      try {
        return await came.promise;
      } finally {
        signal.removeEventListener("abort", raised);
      }
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
