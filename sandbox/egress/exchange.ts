import type { NetAnswer } from "../net.ts";
import { type Answered, readAnswer, readUpTo, unpacked } from "./answer_body.ts";
import { type Field, headBytes, valuesOf } from "./head.ts";
import { type Duplex, writeAll } from "./relay.ts";

/** One request to one server. */
export interface Hop {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | undefined;
}

/** What a server answered, or the address that it sends us to. */
export type Exchanged =
  | { readonly answer: NetAnswer }
  | { readonly location: string; readonly status: number };

/** Ours to write. */
const OWN_FIELDS: ReadonlySet<string> = new Set(
  "host connection content-length transfer-encoding accept-encoding te trailer upgrade expect"
    .split(" "),
);

/** What must not follow a redirect to another origin. */
const SECRET_FIELDS: ReadonlySet<string> = new Set(["authorization", "cookie"]);

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends a request and reads its answer, of the unpacked body at most `maxBytes`.
 * @throws {HttpSyntaxError} for what is no answer
 * @throws {RangeError} for a header field that would be more than one
 */
export async function exchange(connection: Duplex, hop: Hop, maxBytes: number): Promise<Exchanged> {
  await sendRequest(connection, hop, "gzip, deflate");
  const answered = await readAnswer(connection, hop.method);
  const [location] = valuesOf(answered.head.fields, "location");
  if (REDIRECTS.has(answered.status) && location !== undefined) {
    await answered.body.cancel();
    return { location, status: answered.status };
  }
  const { body, truncated } = await readUpTo(unpacked(answered), maxBytes);
  const { status } = answered;
  const url = hop.url.href;
  return { answer: { ok: true, url, status, headers: headersOf(answered), body, truncated } };
}

/**
 * Writes a request whose answer ends the connection; `codings` are those that its body may come in.
 * @throws {RangeError} for a header field that would be more than one
 */
export async function sendRequest(
  connection: Duplex,
  hop: Hop,
  codings: "gzip, deflate" | "identity",
): Promise<void> {
  const startLine = `${hop.method} ${hop.url.pathname}${hop.url.search} HTTP/1.1`;
  await writeAll(connection, headBytes({ startLine, fields: fieldsOf(hop, codings) }));
  if (hop.body) await writeAll(connection, hop.body);
}

function headersOf({ head }: Answered): Record<string, string> {
  const names = new Set(head.fields.map(([name]) => name.toLowerCase()));
  return Object.fromEntries(
    [...names].map((name) => [name, valuesOf(head.fields, name).join(", ")]),
  );
}

function fieldsOf({ url, headers, body }: Hop, codings: string): Field[] {
  const own = Object.entries(headers).filter(([name]) => !OWN_FIELDS.has(name.toLowerCase()));
  return [
    ["Host", url.host],
    ...own.map(([name, value]) => checkedField(name, value)),
    ["Accept-Encoding", codings],
    ...(body ? [["Content-Length", String(body.length)] as const] : []),
    ["Connection", "close"],
  ];
}

/** @throws {RangeError} for a field that would be more than one. */
function checkedField(name: string, value: string): Field {
  if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) || !/^[\t\x20-\x7e\x80-\xff]*$/.test(value)) {
    throw new RangeError(`Cannot send the header field ${JSON.stringify(name)}: it is malformed`);
  }
  return [name, value];
}

/** The request after a redirect, as the Fetch standard has it. */
export function redirectedHop(hop: Hop, url: URL, status: number): Hop {
  const dropsBody = status === 303 || (status < 303 && hop.method === "POST");
  const foreign = url.origin !== hop.url.origin;
  const headers = Object.entries(hop.headers).filter(([name]) => {
    const lower = name.toLowerCase();
    return !(foreign && SECRET_FIELDS.has(lower)) && !(dropsBody && lower.startsWith("content-"));
  });
  return {
    url,
    method: dropsBody && hop.method !== "HEAD" ? "GET" : hop.method,
    headers: Object.fromEntries(headers),
    body: dropsBody ? undefined : hop.body,
  };
}
