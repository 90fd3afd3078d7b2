import { fileURLToPath } from "node:url";
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { recordingServer } from "./world.ts";

const PROGRAM = fileURLToPath(new URL("./tight_program.ts", import.meta.url));

async function underFlags(flags: string[], args: string[]): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--no-check", "--cached-only", ...flags, PROGRAM, ...args],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
    detached: true,
    clearEnv: true,
    env: { DENO_NO_UPDATE_CHECK: "1", HOME: Deno.env.get("HOME") ?? "/nonexistent" },
  }).spawn();
  return new TextDecoder().decode((await child.output()).stdout).trim();
}

Deno.test("Net.fetch() needs no more than the right to its host, and checks the peer then too", async () => {
  await using server = recordingServer("HTTP/1.1 200 OK\r\n\r\nhello");
  const url = `http://localhost:${server.port}/`;
  const tight = [`--allow-net=localhost:${server.port}`];
  strictEqual(await underFlags(tight, [url, "trusted"]), "hello");
  strictEqual(await underFlags(tight, [url]), "forbidden_address");
  deepStrictEqual(server.received.filter((text) => text !== "").length, 1);
});

Deno.test("Net.fetch() connects to the checked address where Deno's flags let it", async () => {
  await using server = recordingServer("HTTP/1.1 200 OK\r\n\r\nhello");
  const url = `http://localhost:${server.port}/`;
  strictEqual(await underFlags(["--allow-net"], [url, "trusted"]), "hello");
  const before = server.connections;
  strictEqual(await underFlags(["--allow-net"], [url]), "forbidden_address");
  strictEqual(server.connections, before);
});
