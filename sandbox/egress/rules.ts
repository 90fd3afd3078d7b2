/** What a connection is wanted to. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

/** Which hosts may be reached; made of the grants of this process, never of what a model wrote. */
export interface EgressRules {
  /**
   * Hosts as in Deno's `--allow-net`: `host` alone, `*.host` also with what lies below it, each
   * with an optional `:port`. `"all"` leaves only the rules for names, ports and addresses.
   */
  readonly allow: "all" | readonly string[];
  /** Like `allow`, and stronger; without a port it means every port. */
  readonly deny?: readonly string[];
}

/** Stable identifiers of what the rules or the network refused. */
export type EgressRefusal =
  /** No host name: an address in any spelling, odd characters, too long. */
  | "bad_name"
  | "bad_port"
  /** On the list of what is denied. */
  | "denied"
  /** Not on the list, and nobody agreed. */
  | "unlisted"
  /** More was sent than agreed. */
  | "upload_budget"
  | "no_such_host"
  /** The name leads to this machine, its network or another address that is not public. */
  | "forbidden_address"
  | "unreachable"
  /** The request is not of the form that a proxy takes. */
  | "bad_request"
  | "too_many_connections";

/** What the rules say about a target; `ask` for a host that a person may still allow. */
export type EgressDecision =
  | { readonly decision: "allow" | "ask"; readonly target: Target }
  | { readonly decision: "refuse"; readonly reason: EgressRefusal; readonly message: string };

/** What `"all"` and a host without a port mean. */
const HTTPS_PORT = 443;
const HTTP_PORT = 80;

/** RFC 1035, in characters. */
const MAX_NAME = 253;
const MAX_LABEL = 63;

/**
 * Judges a target by its name and port alone; no name is resolved. A host without a port on the
 * list means port 443, any other port has to be named; `"all"` and hosts that are still to be
 * allowed mean 443 and 80.
 */
export function egressDecision(asked: Target, rules: EgressRules): EgressDecision {
  const host = hostName(asked.host);
  const shown = `${asked.host}:${asked.port}`;
  if (host === undefined) {
    return refuse("bad_name", shown, "it is no host name, addresses are not taken");
  }
  if (!Number.isInteger(asked.port) || asked.port < 1 || asked.port > 65535) {
    return refuse("bad_port", shown, "a port is a number from 1 to 65535");
  }
  const target = { host, port: asked.port };
  if (rules.deny?.some((item) => names(item, target) && hasPort(item, target.port, true))) {
    return refuse("denied", shown, "the host is denied by a flag");
  }
  const web = target.port === HTTPS_PORT || target.port === HTTP_PORT;
  if (rules.allow === "all") return web ? { decision: "allow", target } : wrongPort(target);
  const listed = rules.allow.filter((item) => names(item, target));
  if (listed.some((item) => hasPort(item, target.port, false))) {
    return { decision: "allow", target };
  }
  if (listed.length > 0 || !web) return wrongPort(target);
  return { decision: "ask", target };
}

/** The refusal of a host that is not on the list where nobody agreed. */
export function unlisted(target: Target): EgressDecision & { decision: "refuse" } {
  const hint = target.port === HTTPS_PORT ? target.host : `${target.host}:${target.port}`;
  return refuse(
    "unlisted",
    `${target.host}:${target.port}`,
    `the host is not on the list of this session, a person may add it by --egress ${hint}`,
  );
}

function wrongPort({ host, port }: Target): EgressDecision {
  return refuse(
    "bad_port",
    `${host}:${port}`,
    `this port is not granted, a person may name it as ${host}:${port}`,
  );
}

function refuse(
  reason: EgressRefusal,
  shown: string,
  why: string,
): EgressDecision & { decision: "refuse" } {
  return { decision: "refuse", reason, message: `Cannot reach ${JSON.stringify(shown)}: ${why}` };
}

/**
 * A host name in the one spelling that is compared and resolved; undefined for what is none. What
 * a resolver could take as an address in an old notation (`0x7f.1`, `2130706433`) is none: its last
 * label is a number (WHATWG URL standard, "ends in a number").
 */
export function hostName(text: string): string | undefined {
  const name = text.toLowerCase().replace(/\.$/, "");
  if (!/^[a-z0-9.-]+$/.test(name) || name.length > MAX_NAME) return undefined;
  const labels = name.split(".");
  if (!labels.every(isLabel)) return undefined;
  return /^([0-9]+|0x[0-9a-f]*)$/.test(labels.at(-1) ?? "") ? undefined : name;
}

function isLabel(label: string): boolean {
  return label !== "" && label.length <= MAX_LABEL && !label.startsWith("-") &&
    !label.endsWith("-");
}

/** Whether an item of a list can name a host at all; what cannot would be passed over in silence. */
export function isHostItem(item: string): boolean {
  const [pattern, port = HTTPS_PORT] = splitItem(item);
  return hostName(pattern.replace(/^\*\./, "")) !== undefined && port >= 1 && port <= 65535;
}

function names(item: string, { host }: Target): boolean {
  const [pattern] = splitItem(item);
  if (!pattern.startsWith("*.")) return hostName(pattern) === host;
  const base = hostName(pattern.slice(2));
  return base !== undefined && (host === base || host.endsWith(`.${base}`));
}

function hasPort(item: string, port: number, any: boolean): boolean {
  const [, named] = splitItem(item);
  return named === undefined ? any || port === HTTPS_PORT : named === port;
}

function splitItem(item: string): [pattern: string, port: number | undefined] {
  const [, pattern = item, port] = /^(.*?)(?::(\d+))?$/.exec(item) ?? [];
  return [pattern, port === undefined ? undefined : Number(port)];
}
