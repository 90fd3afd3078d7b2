import { fileURLToPath } from "node:url";
import { commandEnvironment } from "../../sandbox/commands/environment.ts";
import { createGroupOpener } from "../../sandbox/commands/open_group.ts";
import { stdioWay, type Way } from "../../agent/mcp/way.ts";

/** A server of the protocol that behaves as it is told; a program of `python3`. */
export const FAKE_SERVER = fileURLToPath(new URL("../fixtures/mcp/server.py", import.meta.url));

/** The way to it as a plain process; `starts` counts how often it was started. */
export function wayToFake(
  how: string,
  cwd: string,
): { readonly way: Way; readonly starts: () => number } & AsyncDisposable {
  const environment = commandEnvironment({ PATH: Deno.env.get("PATH") ?? "" });
  const opener = createGroupOpener({ environment, cwd: () => cwd });
  let starts = 0;
  const way = stdioWay({
    warnings: [],
    open() {
      starts++;
      return opener.open(["python3", FAKE_SERVER, how]);
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  });
  return {
    way,
    starts: () => starts,
    [Symbol.asyncDispose]: () => opener[Symbol.asyncDispose](),
  };
}
