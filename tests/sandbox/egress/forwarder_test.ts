import { fileURLToPath } from "node:url";
import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { startForwarder } from "../../../sandbox/egress/forwarder.ts";
import {
  egressEnvironment,
  forwarderCommand,
  forwarderFromSource,
} from "../../../sandbox/egress/forwarder_command.ts";
import { recordingServer, testProxy } from "./world.ts";

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const MODULE = fileURLToPath(new URL("../../../sandbox/egress/forwarder.ts", import.meta.url));

function has(program: string): boolean {
  const path = Deno.env.get("PATH") ?? "";
  return path.split(":").some((folder) => {
    try {
      return Deno.statSync(`${folder}/${program}`).isFile;
    } catch {
      return false;
    }
  });
}

/** A port that was free a moment ago. */
function freePort(): number {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  return listener.addr.port;
}

/** Tries until something listens. */
async function whenListening(port: number): Promise<void> {
  for (;;) {
    try {
      return (await Deno.connect({ hostname: "127.0.0.1", port })).close();
    } catch (error) {
      if (!(error instanceof Deno.errors.ConnectionRefused)) throw error;
    }
  }
}

Deno.test("forwarderCommand() and egressEnvironment()", () => {
  deepStrictEqual(forwarderCommand({ kind: "socat" }, "/cordon/egress.sock", 3128), [
    "socat",
    "TCP-LISTEN:3128,bind=127.0.0.1,reuseaddr,fork,backlog=64",
    "UNIX-CONNECT:/cordon/egress.sock",
  ]);
  deepStrictEqual(forwarderCommand({ kind: "own", command: ["cordon", "x"] }, "/s", 1), [
    "cordon",
    "x",
    "1",
    "/s",
  ]);
  throws(() => forwarderCommand({ kind: "socat" }, "/a,fork,exec:b"), RangeError);
  const { http_proxy, HTTPS_PROXY, no_proxy } = egressEnvironment(8);
  deepStrictEqual([http_proxy, HTTPS_PROXY, no_proxy], [
    "http://127.0.0.1:8",
    "http://127.0.0.1:8",
    "localhost,127.0.0.1,::1",
  ]);
});

Deno.test("a forwarder carries a client of the view to the proxy", async () => {
  await using server = recordingServer(ANSWER);
  const host = `allowed.test:${server.port}`;
  await using proxy = await testProxy({ allow: [host] });
  await using forwarder = startForwarder(0, proxy.path);
  const client = Deno.createHttpClient({ proxy: { url: `http://127.0.0.1:${forwarder.port}` } });
  const response = await fetch(`http://${host}/`, { client });
  strictEqual(await response.text(), "hello");
  const refused = await fetch("http://evil.test/", { client });
  match(await refused.text(), /^Cannot reach "evil.test:80": /);
  client.close();
});

for (const kind of ["socat", "own"] as const) {
  Deno.test({
    name: `the forwarder's command line works: ${kind} (needs ${kind === "socat" ? kind : "Unix"})`,
    ignore: Deno.build.os === "windows" || (kind === "socat" && !has("socat")),
    async fn() {
      await using server = recordingServer(ANSWER);
      const host = `allowed.test:${server.port}`;
      await using proxy = await testProxy({ allow: [host] });
      const port = freePort();
      const program = kind === "socat"
        ? { kind }
        : forwarderFromSource(Deno.execPath(), MODULE, proxy.path, port);
      const [command = "", ...args] = forwarderCommand(program, proxy.path, port);
      const child = new Deno.Command(command, {
        args,
        stdin: "null",
        detached: true,
        clearEnv: true,
        env: { PATH: Deno.env.get("PATH") ?? "", HOME: Deno.env.get("HOME") ?? "" },
      }).spawn();
      try {
        await whenListening(port);
        const client = Deno.createHttpClient({ proxy: { url: `http://127.0.0.1:${port}` } });
        strictEqual(await (await fetch(`http://${host}/`, { client })).text(), "hello");
        client.close();
      } finally {
        Deno.kill(-child.pid, "SIGKILL");
        await child.status;
      }
    },
  });
}
