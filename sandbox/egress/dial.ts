import { untilAborted } from "./abort.ts";
import { forbiddenAddress, isSameAddress, parseAddress } from "./address.ts";
import { ownAddresses, type Resolve, systemResolve } from "./resolve.ts";
import type { EgressRefusal, Target } from "./rules.ts";

/** A connection to an address that was checked, or why there is none. */
export type Dialed =
  | { readonly ok: true; readonly connection: Deno.TcpConn; readonly address: string }
  | { readonly ok: false; readonly reason: EgressRefusal; readonly message: string };

/** Connects to hosts whose names have been allowed. */
export interface Dialer {
  dial(target: Target, signal: AbortSignal): Promise<Dialed>;
}

/** What a dialer asks the world; each has a real default. */
export interface DialerOptions {
  readonly resolve?: Resolve;
  /** Why an address may not be used, as `loopback`. */
  readonly forbidden?: (address: string) => string | undefined;
  /**
   * What a person granted, as {@linkcode EgressRules} has it: `localhost` with a port means this
   * machine, and no other name does.
   */
  readonly granted?: readonly string[];
  /** Addresses that a flag denies, in any spelling. */
  readonly denied?: readonly string[];
}

/** A public host answers in well under a second; browsers go on to the next address sooner. */
const CONNECT_LIMIT_MS = 10_000;

/**
 * A dialer that resolves a name once, refuses it when any of its addresses is not public, and
 * connects to the address that was checked, so that a second answer of a name server cannot lead
 * elsewhere. Where Deno's own flags grant the name and not its address, it connects by name and
 * checks the peer's address before the first byte.
 */
export function createDialer(options: DialerOptions = {}): Dialer {
  const { resolve = systemResolve } = options;
  const forbidden = options.forbidden ?? publicOnly;
  const denied = (options.denied ?? []).filter((item) => parseAddress(item) !== undefined);

  const local = (options.granted ?? []).filter((item) => /^localhost:\d+$/i.test(item));

  function whyNot(address: string, { host, port }: Target): string | undefined {
    if (denied.some((other) => isSameAddress(other, address))) return "denied by a flag";
    const why = forbidden(address);
    const meant = why === "loopback" &&
      local.some((item) => item.toLowerCase() === `${host}:${port}`);
    return meant ? undefined : why;
  }

  async function dial(target: Target, signal: AbortSignal): Promise<Dialed> {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(CONNECT_LIMIT_MS)]);
    try {
      const addresses = await untilAborted(resolve(target.host), limit);
      if (addresses.length === 0) return refused("no_such_host", target, "there is no such host");
      for (const address of addresses) {
        const why = whyNot(address, target);
        if (why !== undefined) return refused("forbidden_address", target, leadsTo(address, why));
      }
      return await dialFirst(addresses, target, limit);
    } catch (error) {
      if (!(error instanceof Deno.errors.NotCapable)) return unreachable(error, target, signal);
    }
    return await dialByName(target, limit, signal);
  }

  async function dialByName(target: Target, limit: AbortSignal, signal: AbortSignal) {
    try {
      const { host: hostname, port } = target;
      const connection = await Deno.connect({ hostname, port, signal: limit });
      const address = connection.remoteAddr.hostname;
      const why = whyNot(address, target);
      if (why === undefined) return { ok: true, connection, address } as const;
      connection.close();
      return refused("forbidden_address", target, leadsTo(address, why));
    } catch (error) {
      return unreachable(error, target, signal);
    }
  }

  return { dial };
}

function publicOnly(address: string): string | undefined {
  return forbiddenAddress(address) ??
    (ownAddresses().some((own) => isSameAddress(own, address)) ? "of this machine" : undefined);
}

/** The first address that answers. */
async function dialFirst(
  addresses: readonly string[],
  { host, port }: Target,
  signal: AbortSignal,
): Promise<Dialed> {
  let failure: unknown;
  for (const address of addresses) {
    try {
      const connection = await Deno.connect({ hostname: address, port, signal });
      return { ok: true, connection, address };
    } catch (error) {
      if (error instanceof Deno.errors.NotCapable || signal.aborted) throw error;
      failure = error;
    }
  }
  return unreachable(failure, { host, port }, signal);
}

function leadsTo(address: string, why: string): string {
  return `its name leads to ${address}, which is not public (${why})`;
}

function unreachable(error: unknown, target: Target, signal: AbortSignal): Dialed {
  signal.throwIfAborted();
  const timedOut = error instanceof DOMException && error.name === "TimeoutError";
  const why = timedOut
    ? "it does not answer"
    : error instanceof Error
    ? error.message
    : String(error);
  return refused("unreachable", target, why);
}

function refused(
  reason: EgressRefusal,
  { host, port }: Target,
  why: string,
): Dialed & { ok: false } {
  return { ok: false, reason, message: `Cannot reach "${host}:${port}": ${why}` };
}
