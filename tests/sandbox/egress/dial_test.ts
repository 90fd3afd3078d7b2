import { deepStrictEqual, ok } from "node:assert/strict";
import { createDialer } from "../../../sandbox/egress/dial.ts";
import { recordingServer } from "./world.ts";

Deno.test("createDialer() reaches this machine as `localhost` with a port that was granted, and not else", async (t) => {
  await using server = recordingServer("");
  const { port } = server;
  const cases: [name: string, granted: string[], host: string, address: string, ok: boolean][] = [
    ["granted", [`localhost:${port}`], "localhost", "127.0.0.1", true],
    ["in capitals", [`LOCALHOST:${port}`], "localhost", "127.0.0.1", true],
    ["not granted", [], "localhost", "127.0.0.1", false],
    ["granted without a port", ["localhost"], "localhost", "127.0.0.1", false],
    ["another port", [`localhost:${port + 1}`], "localhost", "127.0.0.1", false],
    ["a name that leads here", [`rebound.test:${port}`], "rebound.test", "127.0.0.1", false],
    ["a private address under the name", [`localhost:${port}`], "localhost", "10.0.0.1", false],
    ["metadata under the name", [`localhost:${port}`], "localhost", "169.254.169.254", false],
  ];
  for (const [name, granted, host, address, allowed] of cases) {
    await t.step(name, async () => {
      const dialer = createDialer({ granted, resolve: () => Promise.resolve([address]) });
      const dialed = await dialer.dial({ host, port }, new AbortController().signal);
      if (dialed.ok) dialed.connection.close();
      deepStrictEqual(
        dialed.ok ? dialed.address : dialed.reason,
        allowed ? address : "forbidden_address",
      );
    });
  }
  await t.step("a flag that denies the address is stronger", async () => {
    const dialer = createDialer({
      granted: [`localhost:${port}`],
      denied: ["127.0.0.1"],
      resolve: () => Promise.resolve(["127.0.0.1"]),
    });
    const dialed = await dialer.dial({ host: "localhost", port }, new AbortController().signal);
    ok(!dialed.ok && dialed.reason === "forbidden_address");
  });
});
