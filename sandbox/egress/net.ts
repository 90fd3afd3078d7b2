import {
  type Net,
  NET_LIMIT_MS,
  NET_MAX_BYTES,
  NET_MAX_REDIRECTS,
  type NetAnswer,
  type NetRefusal,
  type NetRequest,
} from "../net.ts";
import { onAbort, untilAborted } from "./abort.ts";
import { createDialer, type Dialer } from "./dial.ts";
import type { EgressLog } from "./events.ts";
import { exchange, type Hop, redirectedHop } from "./exchange.ts";
import { HttpSyntaxError } from "./head.ts";
import type { EgressGate } from "./permission.ts";
import { counter } from "./counted.ts";
import { closeQuietly, isBroken } from "./relay.ts";
import { secured } from "./secured.ts";
import type { EgressRefusal, Target } from "./rules.ts";

/** What the capability is made of; share the gate with the session's proxy. */
export interface NetOptions {
  readonly gate: EgressGate;
  readonly log: EgressLog;
  readonly dialer?: Dialer;
  /** Certificates to trust besides the usual ones, as PEM. */
  readonly caCerts?: readonly string[];
}

/** Why there is no answer; thrown on the way to the one place that makes it an answer. */
class Refused extends Error {
  override readonly name = "Refused";
  constructor(readonly reason: NetRefusal, message: string) {
    super(message);
  }
}

/** The capability over HTTP/1.1, a connection for each hop. */
export function createNet(options: NetOptions): Net {
  const { gate, log, dialer = createDialer(), caCerts = [] } = options;
  let lastId = 0;

  async function follow(first: Hop, request: NetRequest, signal: AbortSignal): Promise<NetAnswer> {
    const { maxRedirects = NET_MAX_REDIRECTS } = request;
    let hop = first;
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const result = await once(hop, request.maxBytes ?? NET_MAX_BYTES, signal);
      if ("ok" in result) return result;
      hop = result;
    }
    throw new Refused(
      "too_many_redirects",
      `Cannot fetch "${first.url.href}": it redirects ${
        maxRedirects === 0 ? "elsewhere, which is not followed" : `more than ${maxRedirects} times`
      }`,
    );
  }

  /** The answer of one server, or where it sends us. */
  async function once(hop: Hop, maxBytes: number, signal: AbortSignal): Promise<NetAnswer | Hop> {
    const target = await permitted(hop.url, signal);
    const dialed = await dialer.dial(target, signal);
    if (!dialed.ok) throw refusedBy(dialed, target);
    const of = { id: ++lastId, source: "tool", ...target } as const;
    log({ type: "opened", ...of, address: dialed.address });
    const counted = counter();
    try {
      using _abort = onAbort(signal, () => closeQuietly(dialed.connection));
      using connection = await secured(dialed.connection, hop.url, target, caCerts);
      using _abortSecured = onAbort(signal, () => closeQuietly(connection));
      const result = await exchange(counted.of(connection), hop, maxBytes);
      if ("answer" in result) return result.answer;
      return redirectedHop(hop, webAddress(result.location, hop.url), result.status);
    } finally {
      closeQuietly(dialed.connection);
      gate.countUp(counted.bytesUp);
      log({ type: "closed", ...of, bytesUp: counted.bytesUp, bytesDown: counted.bytesDown });
    }
  }

  async function permitted(url: URL, signal: AbortSignal): Promise<Target> {
    const port = Number(url.port) || (url.protocol === "https:" ? 443 : 80);
    const asked = { host: url.hostname, port };
    const permission = await untilAborted(gate.permit(asked), signal);
    if (!permission.ok) throw refusedBy(permission, permission.target);
    return permission.target;
  }

  function refusedBy(
    { reason, message }: { readonly reason: EgressRefusal; readonly message: string },
    target: Target,
  ): Refused {
    log({ type: "refused", source: "tool", ...target, reason, message });
    return new Refused(reason, message);
  }

  return {
    async fetch(url, request = {}) {
      const { timeoutMs = NET_LIMIT_MS } = request;
      const limit = AbortSignal.timeout(timeoutMs);
      const signal = request.signal ? AbortSignal.any([limit, request.signal]) : limit;
      try {
        return await follow(firstHop(url, request), request, signal);
      } catch (error) {
        request.signal?.throwIfAborted();
        if (limit.aborted) return refusal("timeout", url, `no whole answer in ${timeoutMs} ms`);
        if (error instanceof Refused) {
          return { ok: false, reason: error.reason, message: error.message };
        }
        if (error instanceof HttpSyntaxError) {
          return refusal("bad_answer", url, `the answer cannot be read, ${error.message}`);
        }
        if (isUnreachable(error)) return refusal("unreachable", url, error.message);
        // What DecompressionStream throws for bytes that it cannot unpack.
        if (error instanceof TypeError) return refusal("bad_answer", url, "it cannot be unpacked");
        throw error;
      }
    },
  };
}

function isUnreachable(error: unknown): error is Error {
  return isBroken(error) || error instanceof Deno.errors.InvalidData ||
    error instanceof Deno.errors.ConnectionRefused;
}

function refusal(reason: NetRefusal, url: string, why: string): NetAnswer {
  return { ok: false, reason, message: `Cannot fetch "${url}": ${why}` };
}

function firstHop(text: string, { method = "GET", headers = {}, body }: NetRequest): Hop {
  return { url: webAddress(text), method, headers, body };
}

/** The URL standard reads odd spellings of an address as the address, which the rules refuse. */
function webAddress(text: string, base?: URL): URL {
  const url = URL.parse(text, base);
  const no = (why: string) =>
    new Refused("bad_url", `Cannot fetch ${JSON.stringify(text)}: ${why}`);
  if (!url) throw no("it is no URL");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw no("only http and https are taken");
  }
  if (url.username !== "" || url.password !== "") throw no("it holds a user name");
  return url;
}
