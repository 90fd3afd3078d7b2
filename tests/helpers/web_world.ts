import { createNet } from "../../sandbox/egress/net.ts";
import { createDialer } from "../../sandbox/egress/dial.ts";
import { egressGate } from "../../sandbox/egress/permission.ts";
import type { Net } from "../../sandbox/net.ts";

/** A server of this machine, and the capability `net` for which every `.test` name leads there. */
export interface WebWorld extends AsyncDisposable {
  readonly net: Net;
  readonly port: number;
  /** `http://page.test:PORT`, the one host that is granted. */
  readonly origin: string;
  /** Path and query of each request, in order. */
  readonly requests: readonly string[];
}

/** What a server answers; a text is a page. */
export type WebHandler = (url: URL, request: Request) => Response | string | Promise<Response>;

/** Starts a server on a free port. */
export function webWorld(handler: WebHandler): WebWorld {
  const requests: string[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const url = new URL(request.url);
    requests.push(url.pathname + url.search);
    const answer = handler(url, request);
    return typeof answer === "string" ? page(answer) : answer;
  });
  const { port } = server.addr;
  const host = `page.test:${port}`;
  const dialer = createDialer({
    resolve: (name) => Promise.resolve([name === "inside.test" ? "10.0.0.1" : "127.0.0.1"]),
    forbidden: (address) => address === "127.0.0.1" ? undefined : "private",
  });
  const gate = egressGate({ rules: { allow: [host, `inside.test:${port}`] } });
  return {
    net: createNet({ gate, dialer, log() {} }),
    port,
    origin: `http://${host}`,
    requests,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

/** A page as a server would send it. */
export function page(html: string, contentType = "text/html; charset=utf-8"): Response {
  return new Response(html, { headers: { "content-type": contentType } });
}
