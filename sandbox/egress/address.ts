/**
 * Reads an IP address as its 4 or 16 bytes; undefined where the text is none. IPv4 is four decimal
 * numbers without leading zeros, IPv6 follows RFC 4291 with an optional zone.
 */
export function parseAddress(text: string): Uint8Array | undefined {
  return text.includes(":") ? parseV6(text) : parseV4(text);
}

function parseV4(text: string): Uint8Array | undefined {
  const parts = text.split(".");
  if (parts.length !== 4 || !parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part))) {
    return undefined;
  }
  const numbers = parts.map(Number);
  return numbers.every((number) => number <= 255) ? Uint8Array.from(numbers) : undefined;
}

function parseV6(text: string): Uint8Array | undefined {
  const [address = "", zone] = text.split("%");
  if (zone === "") return undefined;
  const halves = address.split("::");
  if (halves.length > 2) return undefined;
  const [head, tail] = halves.map(groups);
  if (!head) return undefined;
  if (halves.length === 1) return head.length === 16 ? Uint8Array.from(head) : undefined;
  if (!tail || head.length + tail.length > 14) return undefined;
  const bytes = new Uint8Array(16);
  bytes.set(head);
  bytes.set(tail, 16 - tail.length);
  return bytes;
}

/** The bytes of one side of "::"; the last group may be an IPv4 address. */
function groups(side: string): number[] | undefined {
  if (side === "") return [];
  const bytes: number[] = [];
  const parts = side.split(":");
  for (const [index, part] of parts.entries()) {
    const last = index === parts.length - 1;
    const embedded = last && part.includes(".") ? parseV4(part) : undefined;
    if (embedded) bytes.push(...embedded);
    else if (/^[0-9a-f]{1,4}$/i.test(part)) {
      const group = parseInt(part, 16);
      bytes.push(group >> 8, group & 255);
    } else return undefined;
  }
  return bytes;
}

/** Not for the outside: IANA special-purpose registries (RFC 6890 and updates), and multicast. */
const FORBIDDEN_V4: readonly Range[] = ranges(
  "0.0.0.0/8 this network",
  "10.0.0.0/8 private",
  "100.64.0.0/10 shared",
  "127.0.0.0/8 loopback",
  "169.254.0.0/16 link-local",
  "172.16.0.0/12 private",
  "192.0.0.0/24 reserved",
  "192.0.2.0/24 documentation",
  "192.88.99.0/24 reserved",
  "192.168.0.0/16 private",
  "198.18.0.0/15 benchmarks",
  "198.51.100.0/24 documentation",
  "203.0.113.0/24 documentation",
  "224.0.0.0/4 multicast",
  "240.0.0.0/4 reserved",
  // Metadata services of clouds that lie in public ranges (Azure, Oracle).
  "168.63.129.16/32 metadata",
);

/** Only 2000::/3 is handed out; of it, these are special. */
const FORBIDDEN_V6: readonly Range[] = ranges(
  "::/128 unspecified",
  "::1/128 loopback",
  "fc00::/7 private",
  "fe80::/10 link-local",
  "fec0::/10 site-local",
  "ff00::/8 multicast",
  "2001:2::/48 benchmarks",
  "2001:10::/28 reserved",
  "2001:20::/28 reserved",
  "2001:db8::/32 documentation",
  "3fff::/20 documentation",
);

/** Forms of IPv6 that carry an IPv4 address, and where; Teredo's is inverted. */
const EMBEDDING: readonly (Range & { readonly at: number; readonly inverted?: boolean })[] = [
  { ...range("::ffff:0:0/96 mapped"), at: 12 },
  { ...range("::ffff:0:0:0/96 translated"), at: 12 },
  { ...range("64:ff9b::/96 NAT64"), at: 12 },
  { ...range("64:ff9b:1::/48 NAT64"), at: 12 },
  { ...range("::/96 compatible"), at: 12 },
  { ...range("2002::/16 6to4"), at: 2 },
  { ...range("2001::/32 Teredo"), at: 12, inverted: true },
];

/**
 * Why nothing may be sent to an address, as `loopback`; undefined where it lies in the
 * public internet. What is no address at all is forbidden too.
 */
export function forbiddenAddress(address: string): string | undefined {
  const bytes = parseAddress(address);
  if (!bytes) return "no IP address";
  return bytes.length === 4 ? forbiddenV4(bytes) : forbiddenV6(bytes);
}

function forbiddenV4(bytes: Uint8Array): string | undefined {
  const found = FORBIDDEN_V4.find((range) => contains(range, bytes));
  return found?.what;
}

function forbiddenV6(bytes: Uint8Array): string | undefined {
  const special = FORBIDDEN_V6.find((range) => contains(range, bytes));
  if (special) return special.what;
  const form = EMBEDDING.find((range) => contains(range, bytes));
  if (form) {
    const carried = bytes.slice(form.at, form.at + 4).map((byte) =>
      form.inverted ? byte ^ 255 : byte
    );
    const why = forbiddenV4(carried);
    return why && `${why} in ${form.what} form`;
  }
  return ((bytes[0] ?? 0) & 0xe0) === 0x20 ? undefined : "reserved";
}

interface Range {
  readonly prefix: Uint8Array;
  readonly bits: number;
  readonly what: string;
}

function ranges(...lines: string[]): Range[] {
  return lines.map(range);
}

/** @throws {RangeError} for a line of the tables above that is wrong. */
function range(line: string): Range {
  const [, address = "", bits = "", what = ""] = /^(\S+)\/(\d+) (.+)$/.exec(line) ?? [];
  const prefix = parseAddress(address);
  if (!prefix) throw new RangeError(`Cannot read "${line}": it is no address range`);
  return { prefix, bits: Number(bits), what };
}

function contains({ prefix, bits }: Range, bytes: Uint8Array): boolean {
  if (prefix.length !== bytes.length) return false;
  for (let index = 0; index * 8 < bits; index++) {
    const mask = 255 << Math.max(0, 8 - (bits - index * 8)) & 255;
    if (((prefix[index] ?? 0) ^ (bytes[index] ?? 0)) & mask) return false;
  }
  return true;
}

/** Whether two spellings name the same address, mapped forms included. */
export function isSameAddress(left: string, right: string): boolean {
  const [one, other] = [plainBytes(left), plainBytes(right)];
  return one !== undefined && one === other;
}

function plainBytes(address: string): string | undefined {
  const bytes = parseAddress(address);
  const mapped = EMBEDDING[0];
  const plain = bytes && mapped && contains(mapped, bytes) ? bytes.subarray(12) : bytes;
  return plain?.join(".");
}
