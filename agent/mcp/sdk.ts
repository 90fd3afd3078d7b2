/** How every line of the package for itself begins. */
const PREFIX = "[mcp-sdk]";

let loaded: Promise<typeof import("@modelcontextprotocol/client")> | undefined;

/**
 * The package for clients of the protocol, loaded when it is first asked for: few runs need it. It
 * warns on the console, in which words of servers stand as they came; that has no place on a person's
 * terminal, and is dropped from then on.
 */
export function loadSdk(): Promise<typeof import("@modelcontextprotocol/client")> {
  return loaded ??= load();
}

async function load() {
  const warn = console.warn;
  console.warn = (...said: unknown[]) => {
    if (typeof said[0] !== "string" || !said[0].startsWith(PREFIX)) warn(...said);
  };
  return await import("@modelcontextprotocol/client");
}
