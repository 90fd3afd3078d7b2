import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { startForwarder } from "../../../sandbox/egress/forwarder.ts";
import {
  egressEnvironment,
  egressPrologue,
  forwarderArguments,
  forwarderFromSource,
} from "../../../sandbox/egress/in_view.ts";
import { recordingServer, testProxy } from "./world.ts";

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const MODULE = new URL("../../../sandbox/egress/forwarder.ts", import.meta.url).pathname;

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

async function run(args: string[], env: Record<string, string>): Promise<string> {
  const [program = "", ...rest] = args;
  const child = new Deno.Command(program, {
    args: rest,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
    detached: true,
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "", ...env },
  }).spawn();
  const { stdout } = await child.output();
  // In place of the end of a PID namespace: the forwarder ends with the command.
  Deno.kill(-child.pid, "SIGKILL");
  return new TextDecoder().decode(stdout);
}

Deno.test("forwarderArguments() and egressEnvironment()", () => {
  deepStrictEqual(forwarderArguments({ kind: "socat" }, "/cordon/egress.sock", 3128), [
    "socat",
    "TCP-LISTEN:3128,bind=127.0.0.1,reuseaddr,fork,backlog=64",
    "UNIX-CONNECT:/cordon/egress.sock",
  ]);
  deepStrictEqual(forwarderArguments({ kind: "own", command: ["cordon", "x"] }, "/s", 1), [
    "cordon",
    "x",
    "1",
    "/s",
  ]);
  throws(() => forwarderArguments({ kind: "socat" }, "/a,fork,exec:b"), RangeError);
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
  const lacking = ["bash", "curl", ...(kind === "socat" ? ["socat"] : [])].filter((name) =>
    !has(name)
  );
  Deno.test({
    name: `the prologue starts ${kind}, waits for it and becomes the command`,
    ignore: Deno.build.os !== "linux" || lacking.length > 0,
    async fn() {
      await using server = recordingServer(ANSWER);
      const host = `allowed.test:${server.port}`;
      await using proxy = await testProxy({ allow: [host] });
      const port = freePort();
      const forwarder = kind === "socat"
        ? forwarderArguments({ kind }, proxy.path, port)
        : forwarderFromSource(Deno.execPath(), MODULE, proxy.path, port).concat(
          String(port),
          proxy.path,
        );
      const script = `curl -s http://${host}/; curl -s http://evil.test/`;
      const answer = await run(
        ["bash", "-c", egressPrologue(port), "egress", ...forwarder, "--", "bash", "-c", script],
        egressEnvironment(port),
      );
      match(answer, /^helloCannot reach "evil.test:80": /);
      strictEqual(proxy.events.filter(({ type }) => type === "opened").length, 1);
    },
  });
}
