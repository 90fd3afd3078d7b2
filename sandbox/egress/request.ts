import {
  type Field,
  type Framing,
  framingOf,
  type Head,
  HttpSyntaxError,
  valuesOf,
} from "./head.ts";
import { hostName, type Target } from "./rules.ts";

/** What a client wants of the proxy. */
export type ProxyRequest =
  | { readonly kind: "tunnel"; readonly target: Target }
  | {
    readonly kind: "forward";
    readonly target: Target;
    /** What the server is sent. */
    readonly head: Head;
    readonly body: Framing;
  };

/** Meant for one connection only (RFC 9110, 7.6.1), or for us. */
const HOP_BY_HOP: ReadonlySet<string> = new Set(
  "connection keep-alive proxy-connection proxy-authorization proxy-authenticate te trailer upgrade host"
    .split(" "),
);

/**
 * Reads a request in authority form (CONNECT) or absolute form. The target of the request line
 * decides, whatever `Host` says; the head is built anew, so that the server sees what was judged.
 * @throws {HttpSyntaxError} for other forms, and for what can be read in two ways.
 */
export function proxyRequest({ startLine, fields }: Head): ProxyRequest {
  const [, method, target, minor] =
    /^([A-Z]{1,20}) ([\x21-\x7e]+) HTTP\/1\.([01])$/.exec(startLine) ??
      [];
  if (method === undefined || target === undefined) {
    throw new HttpSyntaxError("its first line is not METHOD TARGET HTTP/1.1");
  }
  if (valuesOf(fields, "host").length > 1) throw new HttpSyntaxError("it has two Host fields");
  if (method === "CONNECT") return { kind: "tunnel", target: authority(target) };
  const [, host, path] = /^http:\/\/([^/?#]*)([/?][^#]*)?$/i.exec(target) ?? [];
  if (host === undefined) {
    throw new HttpSyntaxError("a proxy takes CONNECT HOST:PORT, or METHOD http://HOST/PATH");
  }
  const to = authority(host, 80);
  const body = framingOf(fields) ?? { kind: "none" };
  if (minor === "0" && body.kind === "chunked") {
    throw new HttpSyntaxError("HTTP/1.0 knows no chunks");
  }
  const where = path === undefined ? "/" : path.startsWith("?") ? `/${path}` : path;
  const head = { startLine: `${method} ${where} HTTP/1.1`, fields: forwarded(fields, to) };
  return { kind: "forward", target: to, head, body };
}

/** `host:port`, nothing else; what the host may be is for the rules to say. */
function authority(text: string, defaultPort?: number): Target {
  const [, host, port] = /^([^:@[\]]+)(?::(\d{1,5}))?$/.exec(text) ?? [];
  if (host === undefined || (port === undefined && defaultPort === undefined)) {
    throw new HttpSyntaxError(`its target ${JSON.stringify(text)} is not HOST:PORT`);
  }
  return { host, port: Number(port ?? defaultPort) };
}

function forwarded(fields: readonly Field[], { host, port }: Target): Field[] {
  const named = valuesOf(fields, "connection").join(",").toLowerCase().split(",");
  const dropped = new Set(named.map((name) => name.trim()));
  // Framing is ours to keep: a client must not take it out by naming it.
  for (const name of ["content-length", "transfer-encoding"]) dropped.delete(name);
  const kept = fields.filter(([name]) => {
    const lower = name.toLowerCase();
    return !HOP_BY_HOP.has(lower) && !dropped.has(lower);
  });
  const name = hostName(host) ?? host;
  const shown = port === 80 ? name : `${name}:${port}`;
  return [["Host", shown], ...kept, ["Connection", "close"]];
}
