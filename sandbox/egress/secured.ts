import type { Duplex } from "./relay.ts";
import type { Target } from "./rules.ts";

/** TLS to the host of the URL, over the connection that was checked; plain for http. */
export async function secured(
  connection: Deno.TcpConn,
  url: URL,
  { host }: Target,
  caCerts: readonly string[],
): Promise<Duplex> {
  if (url.protocol === "http:") return connection;
  const options = { hostname: host, caCerts: [...caCerts], alpnProtocols: ["http/1.1"] };
  const tls = await Deno.startTls(connection, options);
  await tls.handshake();
  return tls;
}
