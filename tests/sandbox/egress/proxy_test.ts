import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { IDLE_MS } from "../../../sandbox/egress/proxy.ts";
import { listenAt, socketPaths } from "../../../sandbox/egress/socket.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { readAll, recordingServer, send, talk, tcpServer, testDialer, testProxy } from "./world.ts";

const ANSWER = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";

Deno.test("the proxy forwards one request in absolute form, built anew", async () => {
  await using server = recordingServer(ANSWER);
  const { port } = server;
  await using proxy = await testProxy({ allow: [`allowed.test:${port}`] });
  const answer = await talk(
    proxy.path,
    `GET http://Allowed.test:${port}/a?b HTTP/1.1\r\nHost: evil.test\r\nAccept: */*\r\n` +
      "Proxy-Connection: keep-alive\r\nConnection: X-Mine, close\r\nX-Mine: 1\r\n\r\n",
  );
  strictEqual(answer, ANSWER);
  const head =
    `GET /a?b HTTP/1.1\r\nHost: allowed.test:${port}\r\nAccept: */*\r\nConnection: close\r\n\r\n`;
  deepStrictEqual(server.received, [head]);
  const of = { id: 1, source: "command", host: "allowed.test", port } as const;
  deepStrictEqual(proxy.events, [
    { type: "opened", ...of, address: "127.0.0.1" },
    { type: "closed", ...of, bytesUp: head.length, bytesDown: ANSWER.length },
  ]);
});

Deno.test("the proxy tunnels bytes both ways and passes half-closes on", async () => {
  await using server = tcpServer(async (connection) => {
    const asked = await readAll(connection);
    await send(connection, `${asked.length} ${asked.slice(0, 4)}`);
  });
  const { port } = server;
  await using proxy = await testProxy({ allow: [`allowed.test:${port}`] });
  using client = await Deno.connect({ transport: "unix", path: proxy.path });
  // The first payload comes with the head, as a hurried client sends it.
  await send(client, `CONNECT allowed.test:${port} HTTP/1.1\r\nHost: evil.test\r\n\r\nfour`);
  await send(client, "x".repeat(1_000_000));
  await client.closeWrite();
  strictEqual(
    await readAll(client),
    "HTTP/1.1 200 Connection established\r\n\r\n1000004 four",
  );
  const of = { id: 1, source: "command", host: "allowed.test", port } as const;
  deepStrictEqual(proxy.events.at(-1), { type: "closed", ...of, bytesUp: 1000004, bytesDown: 12 });
});

Deno.test("the proxy refuses, connects nowhere and says why", async (t) => {
  await using server = recordingServer(ANSWER);
  const { port } = server;
  const dialer = testDialer({
    "inside.test": ["10.9.8.7"],
    "mixed.test": ["127.0.0.1", "10.9.8.7"],
  });
  const allow = ["allowed.test", "gone.example", "inside.test", "mixed.test"];
  await using proxy = await testProxy(
    { allow: [...allow, ...allow.map((host) => `${host}:${port}`)], deny: ["denied.test"] },
    { dialer },
  );
  const cases: [name: string, request: string, status: number, reason: string][] = [
    ["an unknown host", "CONNECT evil.test:443", 403, "unlisted"],
    ["an unknown host in absolute form", "GET http://evil.test/", 403, "unlisted"],
    ["a denied host", "CONNECT denied.test:443", 403, "denied"],
    ["another port", "CONNECT allowed.test:22", 403, "bad_port"],
    ["an address", `CONNECT 127.0.0.1:${port}`, 403, "bad_name"],
    ["a decimal address", `GET http://2130706433:${port}/`, 403, "bad_name"],
    ["a hexadecimal address", `GET http://0x7f.1:${port}/`, 403, "bad_name"],
    ["an IPv6 address", `GET http://[::ffff:7f00:1]:${port}/`, 400, "bad_request"],
    ["a name that leads inside", `CONNECT inside.test:${port}`, 403, "forbidden_address"],
    ["a name that leads inside too", `CONNECT mixed.test:${port}`, 403, "forbidden_address"],
    ["a name that is not known", `CONNECT gone.example:${port}`, 502, "no_such_host"],
    ["origin form", "GET /", 400, "bad_request"],
    ["another scheme", "GET ftp://allowed.test/", 400, "bad_request"],
    ["https without a tunnel", "GET https://allowed.test/", 400, "bad_request"],
    ["user-info", `GET http://allowed.test:${port}@evil.test/`, 400, "bad_request"],
    ["a tunnel without a port", "CONNECT allowed.test", 400, "bad_request"],
    ["a NUL byte", "CONNECT evil.test\0.allowed.test:443", 400, "bad_request"],
    ["a backslash", `GET http://evil.test\\@allowed.test:${port}/`, 400, "bad_request"],
  ];
  for (const [name, request, status, reason] of cases) {
    await t.step(name, async () => {
      const answer = await talk(proxy.path, `${request} HTTP/1.1\r\nHost: allowed.test\r\n\r\n`);
      match(answer, new RegExp(`^HTTP/1.1 ${status} `));
      const event = proxy.events.at(-1);
      ok(event?.type === "refused");
      strictEqual(event.reason, reason);
      ok(answer.endsWith(`\r\n\r\n${event.message}\n`), answer);
    });
  }
  strictEqual(server.connections, 0);
});

Deno.test("the proxy never passes a second request or a second meaning on", async (t) => {
  const get = (port: number) => `GET http://allowed.test:${port}/ok HTTP/1.1\r\n`;
  const post = (port: number) => `POST http://allowed.test:${port}/ok HTTP/1.1\r\n`;
  const second = "GET http://evil.test/smuggled HTTP/1.1\r\nHost: evil.test\r\n\r\n";
  const cases: [name: string, request: (port: number) => string, reaches: boolean][] = [
    ["pipelined", (p) => `${get(p)}Connection: keep-alive\r\n\r\n${second}`, true],
    ["after a body", (p) => `${post(p)}Content-Length: 2\r\n\r\nhi${second}`, true],
    [
      "after chunks",
      (p) => `${post(p)}Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n${second}`,
      true,
    ],
    [
      "length hidden by Connection",
      (p) => `${post(p)}Connection: Content-Length\r\nContent-Length: 2\r\n\r\nhi${second}`,
      true,
    ],
    ["two Hosts", (p) => `${get(p)}Host: allowed.test\r\nHost: evil.test\r\n\r\n`, false],
    [
      "two lengths",
      (p) => `${post(p)}Content-Length: 2\r\nContent-Length: 50\r\n\r\nhi${second}`,
      false,
    ],
    [
      "length and chunks",
      (p) => `${post(p)}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`,
      false,
    ],
    ["a folded line", (p) => `${get(p)}X: 1\r\n smuggled\r\n\r\n`, false],
    ["a blank before the colon", (p) => `${get(p)}Content-Length : 2\r\n\r\nhi`, false],
    ["a lone LF", (p) => `${get(p)}X: 1\nTransfer-Encoding: chunked\r\n\r\n`, false],
    ["a lone CR", (p) => `${get(p)}X: 1\rsmuggled: 2\r\n\r\n`, false],
    [
      "another coding",
      (p) => `${post(p)}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`,
      false,
    ],
    ["a signed length", (p) => `${post(p)}Content-Length: +2\r\n\r\nhi`, false],
  ];
  for (const [name, request, reaches] of cases) {
    await t.step(name, async () => {
      await using server = recordingServer(ANSWER);
      const { port } = server;
      await using proxy = await testProxy({ allow: [`allowed.test:${port}`] });
      const answer = await talk(proxy.path, request(port));
      strictEqual(answer, reaches ? ANSWER : answer);
      if (!reaches) match(answer, /^HTTP\/1.1 400 /);
      strictEqual(server.connections, reaches ? 1 : 0);
      const [received = ""] = server.received;
      ok(!received.includes("smuggled"), received);
      // Where a length was judged, the server reads by the same.
      if (reaches && request(port).includes("Content-Length")) {
        match(received, /\r\nContent-Length: 2\r\n[^]*\r\n\r\nhi$/);
      }
    });
  }
});

Deno.test("the proxy breaks a request off whose chunks are malformed", async () => {
  const ended = Promise.withResolvers<string>();
  await using server = tcpServer(async (connection) => ended.resolve(await readAll(connection)));
  const { port } = server;
  await using proxy = await testProxy({ allow: [`allowed.test:${port}`] });
  const head = `POST http://allowed.test:${port}/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n`;
  await talk(proxy.path, `${head}2;x=y\r\nhi\r\nzz\r\nsmuggled`);
  const received = await ended.promise;
  // Never the chunk that ends a body: the server must not take the request as whole.
  match(received, /^POST [^]*\r\n\r\n(2\r\nhi\r\n)?$/);
});

Deno.test("the proxy asks once for a host, also for connections that come at once", async () => {
  const asked: unknown[] = [];
  await using proxy = await testProxy({ allow: [] }, {
    ask(question) {
      asked.push(question);
      return Promise.resolve(question.host === "good.test");
    },
  });
  const get = (host: string) => talk(proxy.path, `GET http://${host}/ HTTP/1.1\r\n\r\n`);
  const answers = await Promise.all([get("bad.test"), get("BAD.test."), get("bad.test")]);
  answers.forEach((answer) => match(answer, /^HTTP\/1.1 403 /));
  // Nothing listens on port 80 of this name's address, or something else does: it was let through.
  await get("good.test");
  await get("good.test");
  deepStrictEqual(asked, [
    { kind: "host", host: "bad.test", port: 80 },
    { kind: "host", host: "good.test", port: 80 },
  ]);
  strictEqual(
    proxy.events.filter((event) => event.type === "refused" && event.host === "good.test")
      .some((event) => event.type === "refused" && event.reason === "unlisted"),
    false,
  );
});

Deno.test("the proxy stops new connections once more was sent than agreed", async () => {
  await using server = recordingServer(ANSWER);
  const { port } = server;
  let agrees = true;
  await using proxy = await testProxy({ allow: [`allowed.test:${port}`] }, {
    uploadBudgetBytes: 1000,
    ask: () => Promise.resolve(agrees),
  });
  const post = () =>
    talk(
      proxy.path,
      `POST http://allowed.test:${port}/ HTTP/1.1\r\nContent-Length: 2000\r\n\r\n${
        "x".repeat(2000)
      }`,
    );
  strictEqual(await post(), ANSWER);
  strictEqual(await post(), ANSWER);
  agrees = false;
  match(await post(), /^HTTP\/1.1 403 [^]*more than agreed\n$/);
});

Deno.test("the proxy bounds the head, the connections and idle time", async (t) => {
  await using silent = tcpServer(async (connection) => void await readAll(connection));
  const { port } = silent;
  const connect = `CONNECT allowed.test:${port} HTTP/1.1\r\n\r\n`;

  await t.step("a head that is too long", async () => {
    await using proxy = await testProxy({ allow: [`allowed.test:${port}`] });
    const answer = await talk(
      proxy.path,
      `GET http://a.test/ HTTP/1.1\r\nX: ${"x".repeat(40_000)}`,
    );
    match(answer, /^HTTP\/1.1 400 [^]*longer than 32768 bytes\n$/);
  });

  await t.step("one connection too many, and none once one has ended", async () => {
    await using proxy = await testProxy({ allow: [`allowed.test:${port}`] }, { maxConnections: 1 });
    {
      using first = await Deno.connect({ transport: "unix", path: proxy.path });
      await send(first, connect);
      await first.read(new Uint8Array(100));
      match(await talk(proxy.path, connect), /^HTTP\/1.1 503 /);
      await first.closeWrite();
      strictEqual(await readAll(first), "");
    }
    using next = await Deno.connect({ transport: "unix", path: proxy.path });
    await send(next, connect);
    const buffer = new Uint8Array(100);
    const count = await next.read(buffer);
    match(new TextDecoder().decode(buffer.subarray(0, count ?? 0)), /^HTTP\/1.1 200 /);
  });

  await t.step("a tunnel on which nothing moves", async () => {
    await using proxy = await testProxy({ allow: [`allowed.test:${port}`] }, { idleMs: 30 });
    match(await talk(proxy.path, connect), /^HTTP\/1.1 200 /);
    strictEqual(proxy.events.at(-1)?.type, "closed");
  });

  ok(IDLE_MS > 60_000);
});

Deno.test("closing the proxy ends open tunnels and open questions, and frees its socket", async () => {
  await using server = tcpServer(async (connection) => void await readAll(connection));
  const { port } = server;
  const question = Promise.withResolvers<void>();
  const proxy = await testProxy({ allow: [`allowed.test:${port}`] }, {
    ask() {
      question.resolve();
      return new Promise(() => {});
    },
  });
  using tunnel = await Deno.connect({ transport: "unix", path: proxy.path });
  await send(tunnel, `CONNECT allowed.test:${port} HTTP/1.1\r\n\r\n`);
  await tunnel.read(new Uint8Array(100));
  using asking = await Deno.connect({ transport: "unix", path: proxy.path });
  await send(asking, "CONNECT unknown.test:443 HTTP/1.1\r\n\r\n");
  await question.promise;
  await proxy[Symbol.asyncDispose]();
  strictEqual(await readAll(tunnel), "");
  strictEqual(await readAll(asking), "");
});

Deno.test("listenAt() takes the first free name, and over what a killed session left", async () => {
  await using dir = await tempDir();
  const paths = socketPaths(dir.path);
  deepStrictEqual(paths.slice(0, 2), [dir.join("egress.sock"), dir.join("egress-1.sock")]);
  {
    await using first = await listenAt(paths);
    await using second = await listenAt(paths);
    deepStrictEqual([first.path, second.path], paths.slice(0, 2));
    strictEqual((await Deno.stat(first.path)).mode! & 0o777, 0o600);
  }
  // What a killed process leaves: a socket that nobody holds the lock of.
  const listen = 'Deno.listen({ transport: "unix", path: Deno.env.get("SOCKET") }); console.log();';
  const left = new Deno.Command(Deno.execPath(), {
    args: ["eval", `${listen} setInterval(() => {}, 1000)`],
    stdin: "null",
    stdout: "piped",
    detached: true,
    clearEnv: true,
    env: { SOCKET: paths[0] ?? "", HOME: dir.path, DENO_NO_UPDATE_CHECK: "1" },
  }).spawn();
  const output = left.stdout.getReader();
  await output.read();
  left.kill("SIGKILL");
  await left.status;
  await output.cancel();
  strictEqual((await Deno.lstat(paths[0] ?? "")).isSocket, true);
  await using again = await listenAt(paths);
  strictEqual(again.path, paths[0]);
});

Deno.test("listenAt() leaves a file of that name alone and refuses a path that is too long", async () => {
  await using dir = await tempDir({ "egress.sock": "mine" });
  await rejectsWith(listenAt(socketPaths(dir.path)), Deno.errors.AddrInUse);
  strictEqual(await Deno.readTextFile(dir.join("egress.sock")), "mine");
  await rejectsWith(listenAt(socketPaths(dir.join("x".repeat(100)))), Error, /at most 103 bytes/);
});

async function rejectsWith(
  promise: Promise<unknown>,
  type: ErrorConstructor | typeof Deno.errors.AddrInUse,
  message = /./,
): Promise<void> {
  const error = await promise.then(() => undefined, (error: unknown) => error);
  ok(error instanceof type, String(error));
  match(error.message, message);
}
