import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { createNet } from "../../../sandbox/egress/net.ts";
import type { EgressEvent } from "../../../sandbox/egress/events.ts";
import { egressGate } from "../../../sandbox/egress/permission.ts";
import type { EgressRules } from "../../../sandbox/egress/rules.ts";
import type { Net } from "../../../sandbox/net.ts";
import { AUTHORITY, CERTIFICATE, KEY } from "./certificate.ts";
import { readAll, recordingServer, tcpServer, testDialer } from "./world.ts";

interface TestNet {
  readonly net: Net;
  readonly events: EgressEvent[];
}

function testNet(rules: EgressRules, caCerts: string[] = [AUTHORITY]): TestNet {
  const events: EgressEvent[] = [];
  const dialer = testDialer({ "inside.test": ["10.9.8.7"] });
  const log = (event: EgressEvent) => void events.push(event);
  return { net: createNet({ gate: egressGate({ rules }), log, dialer, caCerts }), events };
}

interface WebServer extends AsyncDisposable {
  readonly port: number;
}

function webServer(
  handler: (request: Request, url: URL) => Response | Promise<Response>,
  tls: { cert?: string; key?: string } = {},
): WebServer {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {}, ...tls },
    (request) => handler(request, new URL(request.url)),
  );
  return { port: server.addr.port, [Symbol.asyncDispose]: () => server.shutdown() };
}

Deno.test("Net.fetch() answers with what a server says, whatever the status", async () => {
  await using server = webServer((request, url) =>
    new Response(`${request.method} ${url.pathname}${url.search} ${request.headers.get("host")}`, {
      status: 404,
      headers: [["x-one", "1"], ["x-one", "2"], ["content-type", "text/plain"]],
    })
  );
  const host = `allowed.test:${server.port}`;
  const { net, events } = testNet({ allow: [host] });
  const answer = await net.fetch(`http://${host}/a%20b?c=d#e`);
  ok(answer.ok);
  strictEqual(new TextDecoder().decode(answer.body), `GET /a%20b?c=d ${host}`);
  const { status, url, truncated, headers } = answer;
  deepStrictEqual([status, url, truncated], [404, `http://${host}/a%20b?c=d#e`, false]);
  deepStrictEqual([headers["x-one"], headers["content-type"]], ["1, 2", "text/plain"]);
  deepStrictEqual(events.map(({ type, source }) => [type, source]), [
    ["opened", "tool"],
    ["closed", "tool"],
  ]);
});

Deno.test("Net.fetch() speaks TLS to the host it judged, and to nobody else", async () => {
  await using server = webServer(() => new Response("safe"), { cert: CERTIFICATE, key: KEY });
  const hosts = [`allowed.test:${server.port}`, `other.test:${server.port}`] as const;
  const { net } = testNet({ allow: hosts });
  const answer = await net.fetch(`https://${hosts[0]}/`);
  ok(answer.ok);
  strictEqual(new TextDecoder().decode(answer.body), "safe");
  // The same server under a name that its certificate does not hold.
  const other = await net.fetch(`https://${hosts[1]}/`);
  ok(!other.ok && other.reason === "unreachable", JSON.stringify(other));
  match(other.message, /certificate/);
  const distrusting = testNet({ allow: hosts }, []).net;
  const refused = await distrusting.fetch(`https://${hosts[0]}/`);
  ok(!refused.ok && refused.reason === "unreachable");
});

Deno.test("Net.fetch() refuses and connects nowhere", async (t) => {
  await using server = recordingServer("HTTP/1.1 200 OK\r\n\r\n");
  const { port } = server;
  const { net } = testNet({ allow: ["allowed.test", `inside.test:${port}`] });
  const cases: [url: string, reason: string][] = [
    [`http://127.0.0.1:${port}/`, "bad_name"],
    [`http://2130706433:${port}/`, "bad_name"],
    [`http://0x7f.1:${port}/`, "bad_name"],
    [`http://[::1]:${port}/`, "bad_name"],
    [`http://[::ffff:127.0.0.1]:${port}/`, "bad_name"],
    ["http://169.254.169.254/latest", "bad_name"],
    [`http://user:pw@127.0.0.1:${port}/`, "bad_url"],
    [`dict://127.0.0.1:${port}/`, "bad_url"],
    ["file:///etc/passwd", "bad_url"],
    ["data:text/plain,hi", "bad_url"],
    ["allowed.test", "bad_url"],
    [`http://inside.test:${port}/`, "forbidden_address"],
    ["https://unknown.test/", "unlisted"],
    [`http://allowed.test:${port}/`, "bad_port"],
  ];
  for (const [url, reason] of cases) {
    await t.step(url, async () => {
      const answer = await net.fetch(url);
      strictEqual(answer.ok ? "ok" : answer.reason, reason);
    });
  }
  strictEqual(server.connections, 0);
});

Deno.test("Net.fetch() judges each redirect anew", async (t) => {
  await using inner = recordingServer("HTTP/1.1 200 OK\r\n\r\n");
  const seen: string[] = [];
  await using server = webServer(async (request, url) => {
    seen.push(
      `${request.method} ${url.pathname} ${request.headers.get("authorization")} ${await request
        .text()}`,
    );
    const to = url.searchParams.get("to");
    const status = Number(url.searchParams.get("status") ?? 302);
    return to === null
      ? new Response("there")
      : new Response("moved", { status, headers: { location: to } });
  });
  const host = `allowed.test:${server.port}`;
  const other = `other.test:${server.port}`;
  const { net } = testNet({ allow: [host, other] });
  const via = (to: string, status = 302) =>
    `http://${host}/?status=${status}&to=${encodeURIComponent(to)}`;

  await t.step("follows one that is allowed, without secrets to another origin", async () => {
    const headers = { authorization: "Bearer mine" };
    const answer = await net.fetch(via(`http://${other}/there`), { headers });
    ok(answer.ok);
    strictEqual(answer.url, `http://${other}/there`);
    deepStrictEqual(seen.splice(0), ["GET / Bearer mine ", "GET /there null "]);
  });
  await t.step("a relative one keeps them", async () => {
    await net.fetch(via("/there"), { headers: { authorization: "Bearer mine" } });
    deepStrictEqual(seen.splice(0), ["GET / Bearer mine ", "GET /there Bearer mine "]);
  });
  await t.step("302 turns POST into GET, 307 does not", async () => {
    const body = new TextEncoder().encode("data");
    await net.fetch(via("/there"), { method: "POST", body });
    await net.fetch(via("/there", 307), { method: "POST", body });
    deepStrictEqual(seen.splice(0), [
      "POST / null data",
      "GET /there null ",
      "POST / null data",
      "POST /there null data",
    ]);
  });
  const refusals: [to: string, reason: string][] = [
    [`http://127.0.0.1:${inner.port}/`, "bad_name"],
    [`http://0x7f.1:${inner.port}/`, "bad_name"],
    ["http://evil.test/", "unlisted"],
    ["file:///etc/passwd", "bad_url"],
    [`http://user@${host}/`, "bad_url"],
  ];
  for (const [to, reason] of refusals) {
    await t.step(`refuses ${to}`, async () => {
      const answer = await net.fetch(via(to));
      strictEqual(answer.ok ? "ok" : answer.reason, reason);
    });
  }
  strictEqual(inner.connections, 0);
  await t.step("ends a loop", async () => {
    seen.length = 0;
    const answer = await net.fetch(`http://${host}/?to=${encodeURIComponent("?to=%3Fto%3D")}`, {
      maxRedirects: 1,
    });
    strictEqual(answer.ok ? "ok" : answer.reason, "too_many_redirects");
    strictEqual(seen.length, 2);
  });
});

Deno.test("Net.fetch() unpacks, up to its limit", async () => {
  const packed = await new Response(
    new Blob([new Uint8Array(20 * 1024 * 1024)]).stream().pipeThrough(
      new CompressionStream("gzip"),
    ),
  ).bytes();
  await using server = webServer((_request, url) =>
    new Response(packed, {
      headers: { "content-encoding": url.pathname === "/br" ? "br" : "gzip" },
    })
  );
  const host = `allowed.test:${server.port}`;
  const { net } = testNet({ allow: [host] });
  const bomb = await net.fetch(`http://${host}/`, { maxBytes: 1000 });
  ok(bomb.ok);
  deepStrictEqual([bomb.body.length, bomb.truncated], [1000, true]);
  const whole = await net.fetch(`http://${host}/`, { maxBytes: 20 * 1024 * 1024 });
  ok(whole.ok);
  deepStrictEqual([whole.body.length, whole.truncated], [20 * 1024 * 1024, false]);
  const unknown = await net.fetch(`http://${host}/br`);
  ok(!unknown.ok && unknown.reason === "bad_answer", JSON.stringify(unknown));
});

Deno.test("Net.fetch() takes no answer that is torn or no HTTP", async (t) => {
  const cases: [name: string, answer: string, want: string][] = [
    ["until the end", "HTTP/1.1 200 OK\r\n\r\nhello", "hello"],
    ["HTTP/1.0", "HTTP/1.0 200\r\n\r\nhello", "hello"],
    [
      "chunks",
      "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
      "hello",
    ],
    ["what follows a length", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello more", "hello"],
    [
      "after an announcement",
      "HTTP/1.1 103 Early\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\n\r\nhello",
      "hello",
    ],
    ["nothing at all", "HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello", ""],
    ["short", "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhello", "bad_answer"],
    ["short chunks", "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel", "bad_answer"],
    ["not gzip", "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nhello", "bad_answer"],
    ["another protocol", "SSH-2.0-OpenSSH\r\n\r\n", "bad_answer"],
    ["another protocol on request", "HTTP/1.1 101 Switching\r\n\r\n", "bad_answer"],
    ["silence", "", "bad_answer"],
    ["announcements without end", "HTTP/1.1 100 Continue\r\n\r\n".repeat(20), "bad_answer"],
  ];
  for (const [name, raw, want] of cases) {
    await t.step(name, async () => {
      await using server = recordingServer(raw);
      const host = `allowed.test:${server.port}`;
      const answer = await testNet({ allow: [host] }).net.fetch(`http://${host}/`);
      strictEqual(answer.ok ? new TextDecoder().decode(answer.body) : answer.reason, want);
    });
  }
});

Deno.test("Net.fetch() ends at its time limit and when it is interrupted", async (t) => {
  const arrived: (() => void)[] = [];
  await using server = tcpServer(async (connection) => {
    arrived.shift()?.();
    await readAll(connection);
  });
  const host = `allowed.test:${server.port}`;
  const { net, events } = testNet({ allow: [host] });
  await t.step("time limit", async () => {
    const answer = await net.fetch(`http://${host}/`, { timeoutMs: 30 });
    ok(!answer.ok && answer.reason === "timeout");
    strictEqual(answer.message, `Cannot fetch "http://${host}/": no whole answer in 30 ms`);
  });
  await t.step("interrupted", async () => {
    const interruption = new AbortController();
    arrived.push(() => interruption.abort(new Error("interrupted by a person")));
    await rejects(net.fetch(`http://${host}/`, { signal: interruption.signal }), {
      message: "interrupted by a person",
    });
    strictEqual(events.at(-1)?.type, "closed");
  });
});

Deno.test("Net.fetch() sends no header field that would be two", async () => {
  await using server = recordingServer("HTTP/1.1 200 OK\r\n\r\n");
  const host = `allowed.test:${server.port}`;
  const { net } = testNet({ allow: [host] });
  await rejects(net.fetch(`http://${host}/`, { headers: { a: "1\r\nHost: evil" } }), RangeError);
  await net.fetch(`http://${host}/`, { headers: { a: "1", Host: "evil", "Content-Length": "9" } });
  strictEqual(
    server.received.at(-1),
    `GET / HTTP/1.1\r\nHost: ${host}\r\na: 1\r\nAccept-Encoding: gzip, deflate\r\nConnection: close\r\n\r\n`,
  );
});
