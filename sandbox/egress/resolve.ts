/**
 * The addresses of a host; none where the name is not known.
 * @throws {Deno.errors.NotCapable} where this process may not ask.
 */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** What the system's own look-up says, with its hosts file and its search order. */
export async function systemResolve(host: string): Promise<readonly string[]> {
  const { lookup } = await import("node:dns/promises");
  try {
    const found = await lookup(host, { all: true });
    return found.map(({ address }) => address);
  } catch (error) {
    switch (error instanceof Error && "code" in error && error.code) {
      case "ENOTFOUND":
      case "ENODATA":
        return [];
      case "EPERM":
        // Deno's node:dns gives a missing right this code.
        throw new Deno.errors.NotCapable(`Cannot resolve "${host}": no right to ask a name server`);
    }
    throw error;
  }
}

/** The addresses of this machine; none where this process may not know them. */
export function ownAddresses(): string[] {
  try {
    return Deno.networkInterfaces().map(({ address }) => address);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return [];
    throw error;
  }
}
