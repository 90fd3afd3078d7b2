import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { calling, eventsOf, newWorld, resultText } from "../helpers/cordon.ts";
import { canConfine } from "../helpers/confined.ts";
import { hasProgram } from "../helpers/has_program.ts";
import { modelServer } from "../helpers/model_server.ts";
import { hasTerminal } from "../helpers/terminal.ts";

/** A page of this machine. */
function pageServer(html: string) {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response(html, { headers: { "content-type": "text/html" } }),
  );
  const host = `localhost:${server.addr.port}`;
  return { host, url: `http://${host}/`, [Symbol.asyncDispose]: () => server.shutdown() };
}

/** The row of a tool in what `cordon tools` prints. */
function rowOf(report: string, tool: string): string {
  return report.split("\n").find((line) => line.startsWith(`${tool} `)) ?? "";
}

Deno.test("web tools are offered where a host is granted, and nowhere else", async (t) => {
  await using world = await newWorld();
  const missing = /^web_fetch +not offered: no host is granted: --egress=HOST or --allow-net=HOST/;
  const offered = /^web_fetch +offered/;
  const all = ["--allow-read", "--allow-write", "--allow-run", "--allow-env"];
  const models = ["-m=m", "--base-url=https://models.test/v1"];
  const keys = { BRAVE_API_KEY: "b" };
  const cases: [args: string[], env: Record<string, string>, fetch: RegExp, search: RegExp][] = [
    [["--profile=plan"], keys, missing, /^web_search +not offered: no host is granted/],
    [[...models, ...all, "--allow-net=models.test"], {}, missing, /^web_search +not offered/],
    [
      ["--egress=docs.test"],
      {},
      offered,
      /^web_search +not offered: no search engine is configured: "search" in/,
    ],
    [[...all, "--allow-net=docs.test"], keys, offered, /^web_search +offered/],
  ];
  for (const [args, env, fetch, search] of cases) {
    await t.step(args.join(" "), async () => {
      const { stdout } = await world.run(["tools", "--tools=+web_fetch,+web_search", ...args], {
        env,
      });
      match(rowOf(stdout, "web_fetch"), fetch);
      match(rowOf(stdout, "web_search"), search);
    });
  }
});

Deno.test("a page is fetched and read by the whole program, and what is not granted is not", async () => {
  await using server = pageServer("<title>T</title><h2>Read me</h2><script>not me</script>");
  await using other = pageServer("<p>not me either");
  await using world = await newWorld();
  const calls = [server.url, other.url].map((url) => calling("web_fetch", { url }));
  const run = await world.play([...calls, { text: "ok" }], [
    // This machine is meant only where it is named with its port.
    ...["--tools=+web_fetch", `--egress=localhost,${server.host}`, "--profile=plan"],
  ]);
  strictEqual(run.code, 0, run.stderr);
  const [read, refused] = eventsOf(run, "tool_result");
  const want = new RegExp(
    `^\\[untrusted content (\\w+) from ${server.url}: [^\\n]*\\]\\nTitle: T\\n\\n## Read me\\n\\[end \\1\\]$`,
  );
  match(read?.text, want);
  strictEqual(read?.value.untrusted, true);
  match(refused?.text, /\[not fetched: bad_port\]$/);
  const [egress] = eventsOf(run, "egress");
  deepStrictEqual([egress?.source, egress?.host], ["tool", "localhost"]);
});

Deno.test("the smallest line names what web_fetch needs, and it works under it", async (t) => {
  await using server = pageServer("<p>Read me");
  for (const args of [[], ["--tier=3"]]) {
    await t.step(args.join(" ") || "this machine's tier", async () => {
      await using world = await newWorld();
      const model = await world.script(calling("web_fetch", { url: server.url }), { text: "ok" });
      const named = ["--tools=web_fetch", `--egress=${server.host}`, "-m", model];
      const { stdout } = await world.run(["rights", "--flags", ...named, ...args]);
      ok(stdout.includes(` --allow-net=${server.host} `), stdout);
      const flags = stdout.split(" ").filter((word) => /^--allow-/.test(word));
      const state = stdout.split(" ").filter((word) => /^--state=/.test(word));
      const run = await world.run(
        ["-p", "--output-format=stream-json", ...named, ...state.map((word) => word.trim()), "go"],
        { flags },
      );
      match(resultText(run), /\]\nRead me\n\[end/);
    });
  }
});

Deno.test("web_search asks the engine that a person configured, where its host is granted", async () => {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const title = new URL(request.url).searchParams.get("q");
    return Response.json({ results: [{ title, url: "https://one.test/", content: "It is" }] });
  });
  const host = `localhost:${server.addr.port}`;
  await using world = await searchWorld([{ name: "searxng", url: `http://${host}` }]);
  const turns = [calling("web_search", { query: "deno" }), { text: "ok" }];
  const run = await world.play(turns, ["--tools=+web_search", `--egress=${host}`]);
  match(
    resultText(run),
    /from searxng: [^]*\n1\. deno\n {3}https:\/\/one\.test\/\n {3}It is\n\[end/,
  );
});

/** A world whose configuration names these engines. */
async function searchWorld(engines: readonly object[], files: Record<string, string> = {}) {
  const world = await newWorld(files);
  await Deno.mkdir(world.join("home/.config/cordon"), { recursive: true });
  const path = world.join("home/.config/cordon/config.jsonc");
  await Deno.writeTextFile(path, JSON.stringify({ search: { engines } }));
  return world;
}

Deno.test({
  name: "google without a key is asked by its page, in a browser, within the same hosts",
  ignore: !await hasProgram("chromium") || !await canConfine(),
}, async () => {
  const html = await Deno.readTextFile(new URL("../fixtures/search/google.html", import.meta.url));
  await using server = pageServer(html);
  await using world = await searchWorld([{ name: "google", url: `http://${server.host}` }]);
  const search = [calling("web_search", { query: "deno 2" }), { text: "ok" }];
  const run = await world.play(search, ["--tools=+web_search", `--egress=${server.host}`]);
  match(
    resultText(run),
    /from google: [^]*\n1\. One page\n {3}https:\/\/one\.test\/a\?b=1\n {3}3 Jan 2026 — First snippet of it\n\n2\. Two\n/,
  );
  const hosts = eventsOf(run, "egress").map(({ source, host }) => `${source} ${host}`);
  deepStrictEqual([...new Set(hosts)], ["tool localhost"]);
});

Deno.test("google's page is not offered where no browser runs it, and why is told", async (t) => {
  const alone = [{ name: "google" }];
  const both = [...alone, { name: "duckduckgo" }];
  const none =
    /^web_search +not offered: google's page needs a browser, or GOOGLE_API_KEY and GOOGLE_CSE_ID: /;
  const keys = { GOOGLE_API_KEY: "k", GOOGLE_CSE_ID: "c" };
  const cases: [name: string, engines: object[], env: Record<string, string>, want: RegExp][] = [
    ["lynx", alone, {}, new RegExp(`${none.source}lynx runs no scripts`)],
    ["lynx, and another engine", both, {}, /^web_search +offered/],
    ["lynx, and a key", alone, keys, /^web_search +offered/],
  ];
  for (const [name, engines, env, want] of cases) {
    await t.step(name, async () => {
      await using world = await searchWorld(engines, { "bin/lynx": "", "bin/bash": "" });
      const args = ["tools", "--tools=+web_search", "--egress=docs.test", "--profile=off"];
      const PATH = world.join("work/bin");
      const { stdout, stderr } = await world.run(args, { env: { ...env, PATH } });
      match(rowOf(stdout, "web_search"), want, stderr);
    });
  }
});

Deno.test({
  name: "python fetches pages by the same way",
  ignore: !await hasProgram("python3"),
}, async () => {
  await using server = pageServer("<h2>Read me</h2>");
  await using world = await newWorld();
  const code = `page = web_fetch(url="${server.url}")\nprint(page["text"], page["untrusted"])`;
  const run = await world.play([calling("python", { code }), { text: "ok" }], [
    ...["--tools=+web_fetch,+python", `--egress=${server.host}`, "--approval=all"],
  ]);
  strictEqual(eventsOf(run, "tool_result").at(-1)?.text, "## Read me True");
});

Deno.test({
  name: "in a conversation a person is asked for each host",
  ignore: !await hasTerminal(),
}, async () => {
  await using world = await newWorld();
  const asked = (host: string) => ({
    toolCalls: [{ name: "web_fetch", arguments: `{"url":"${host}/page"}` }],
  });
  const turns = [asked("docs.test"), asked("other.test"), { text: "Said" }];
  await using server = await modelServer(turns);
  const args = ["-m=m", `--base-url=${server.url}`, "--tools=web_fetch", "hello"];
  const env = { OPENAI_API_KEY: "sk-test" };
  const running = await world.start(args, { terminal: true, env });
  for (const [host, answer] of [["docs.test", "n"], ["other.test", "y"]]) {
    await running.saw(`something wants to reach ${host}:443`);
    await running.saw("[y");
    await running.write(`${answer}\r`);
  }
  await running.saw("Said");
  running.kill("SIGTERM");
  await running.ended;
  const [refused, allowed] = [1, 2].map((n) =>
    JSON.stringify(server.requests[n]?.body.messages.at(-1)?.content)
  );
  match(refused ?? "", /^"Cannot reach \\"docs\.test:443\\": the host is not on the list of this/);
  // There is no such host, which is found out once it may be reached.
  match(allowed ?? "", /^"Cannot reach \\"other\.test:443\\": (?!the host is not on the list)/);
});
