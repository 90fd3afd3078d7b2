import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { httpWay } from "../../../agent/mcp/http_way.ts";
import { logIn } from "../../../agent/mcp/oauth/log_in.ts";
import { TokenStore } from "../../../agent/mcp/oauth/token_store.ts";
import { ServerLink } from "../../../agent/mcp/server_link.ts";
import type { HttpServer } from "../../../agent/mcp/server_schema.ts";
import { findPlaces } from "../../../agent/places.ts";
import { joinSettings } from "../../../agent/settings.ts";
import { grantsOf } from "../../../sandbox/rights/grants.ts";
import { type FakeWebOptions, fakeWebServer } from "../../helpers/mcp_web_server.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

const LIMITS = { startMs: 20_000, callMs: 20_000 };

/** A server on the web, a place of a person's, and what is needed to reach the one from the other. */
async function webWorld(options: FakeWebOptions = {}, more: Partial<HttpServer> = {}) {
  const dir = await tempDir({ "work/": "", "state/": "" });
  const server = fakeWebServer(options);
  const env = (name: string) => ({ HOME: dir.path })[name];
  const places = findPlaces({ cd: dir.join("work"), state: dir.join("state") }, env, dir.path);
  const launch = {
    places,
    settings: joinSettings({ model: "scripted:x" }, {}, env),
    grants: grantsOf(
      { allow: {}, deny: {} },
      { workspace: places.workspace, providers: [] },
      () => true,
    ),
  };
  const settings: HttpServer = { url: server.url, ...more };
  const learned: string[] = [];
  const refused: string[] = [];
  const parts = {
    ...{ launch, env },
    learn: (secrets: readonly { value: string }[]) =>
      void learned.push(...secrets.map(({ value }) => value)),
    log: (event: { type: string; message?: string }) => {
      if (event.type === "refused") refused.push(event.message ?? "");
    },
  };
  const store = new TokenStore(dir.join("state"));
  return {
    ...{ dir, server, settings, parts, store, learned, refused },
    link(limits = LIMITS) {
      const config = { name: "web", origin: "person", path: "", settings } as const;
      return new ServerLink("web", httpWay(config, settings, parts).way, limits);
    },
    logIn: (agrees: (host: string) => Promise<boolean> = () => Promise.resolve(false)) =>
      logIn(settings, {
        ...{ ...parts, store, agrees },
        show: (url) => void server.browse(url.href).then((page) => page.body?.cancel()),
        signal: AbortSignal.timeout(20_000),
      }),
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

async function echo(link: ServerLink, message: string) {
  const [tool] = await link.tools();
  ok(tool);
  const call = { signal: new AbortController().signal, progress() {} };
  return (await link.call(tool, { message }, call)).content;
}

Deno.test("a server on the web is spoken to by the newest revision that it knows", async (t) => {
  const cases: [options: FakeWebOptions, protocol: string, first: string][] = [
    [{}, "2026-07-28", "POST /mcp server/discover"],
    [{ legacy: true }, "2025-06-18", "POST /mcp server/discover"],
  ];
  for (const [options, protocol, first] of cases) {
    await t.step(protocol, async () => {
      await using world = await webWorld(options);
      await using link = world.link();
      strictEqual(await link.connect(), protocol);
      deepStrictEqual(await echo(link, "hi"), [{ type: "text", text: "hi" }]);
      strictEqual(world.server.requests[0], first);
    });
  }
});

Deno.test("no other host than the server's own is reached", async () => {
  await using world = await webWorld({ auth: true, authServer: "http://elsewhere.test" });
  await rejects(world.logIn(), /./);
  ok(world.refused.every((line) => /elsewhere\.test/.test(line)), world.refused.join());
  ok(world.refused.length > 0);
});

Deno.test("a stream that breaks before its result is told, and the server is there still", async () => {
  await using world = await webWorld({ dropsStreams: true });
  await using link = world.link();
  await rejects(echo(link, "hi"), { message: /^Cannot ask MCP server "web": it broke off/ });
  strictEqual((await link.tools()).length, 1);
});

Deno.test("a log-in is kept where nobody else reads it, refreshed, and forgotten", async (t) => {
  await using world = await webWorld({ auth: true });
  await t.step("without one the server is not to be had", async () => {
    await using link = world.link();
    await rejects(link.connect(), {
      message: /^Cannot start MCP server "web": .*log-in: cordon mcp/,
    });
  });
  await t.step("a person logs in", async () => {
    strictEqual(await world.logIn(), "done");
    strictEqual(world.server.tokens.size, 1);
    const folder = world.dir.join("state/mcp/logins");
    const files = await Array.fromAsync(Deno.readDir(folder));
    strictEqual(files.length, 1);
    const { mode } = await Deno.stat(`${folder}/${files[0]?.name}`);
    strictEqual((mode ?? 0) & 0o777, 0o600);
    strictEqual(((await Deno.stat(folder)).mode ?? 0) & 0o777, 0o700);
  });
  await t.step("sessions use it", async () => {
    await using link = world.link();
    deepStrictEqual(await echo(link, "hi"), [{ type: "text", text: "hi" }]);
    ok(world.learned.includes([...world.server.tokens][0] ?? ""));
  });
  await t.step("a token that expires is refreshed in the midst", async () => {
    await using link = world.link();
    await link.connect();
    const before = [...world.server.tokens];
    world.server.tokens.clear();
    deepStrictEqual(await echo(link, "again"), [{ type: "text", text: "again" }]);
    ok(!before.some((token) => world.server.tokens.has(token)));
    strictEqual(
      world.store.read(world.settings.url).tokens?.access_token,
      [
        ...world.server.tokens,
      ][0],
    );
  });
  await t.step("one that cannot be refreshed wants the person again", async () => {
    world.server.tokens.clear();
    world.store.update(world.settings.url, (kept) => ({
      ...kept,
      tokens: { access_token: "old", token_type: "Bearer", refresh_token: "wrong" },
    }));
    await using link = world.link();
    await rejects(link.connect(), { message: /log-in: cordon mcp login web/ });
  });
  await t.step("it is forgotten", () => {
    ok(world.store.remove(world.settings.url));
    ok(!world.store.remove(world.settings.url));
    deepStrictEqual(world.store.read(world.settings.url), { url: world.settings.url, hosts: [] });
  });
});

Deno.test("a log-in takes only an answer that knows its state", async () => {
  await using world = await webWorld({ auth: true });
  const stop = new AbortController();
  const seen = Promise.withResolvers<URL>();
  const logging = logIn(world.settings, {
    ...{ ...world.parts, store: world.store, agrees: () => Promise.resolve(false) },
    show: seen.resolve,
    signal: stop.signal,
  });
  logging.catch(() => {});
  const callback = new URL((await seen.promise).searchParams.get("redirect_uri") ?? "");
  match(callback.href, /^http:\/\/127\.0\.0\.1:\d+\/callback$/);
  for (const query of ["", "?code=x", "?code=x&state=guess"]) {
    const answer = await fetch(`${callback}${query}`);
    await answer.body?.cancel();
    strictEqual(answer.status, 404);
  }
  stop.abort(new Error("stopped"));
  await rejects(logging, { message: "stopped" });
  strictEqual(world.server.tokens.size, 0);
});

Deno.test("a server that wants no log-in gets none", async () => {
  await using world = await webWorld();
  strictEqual(await world.logIn(), "not_needed");
});
