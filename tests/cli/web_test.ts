import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { calling, eventsOf, newWorld, resultText } from "../helpers/cordon.ts";
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

Deno.test("web_fetch is offered where a host is granted, and nowhere else", async (t) => {
  await using world = await newWorld();
  const missing = /^web_fetch +not offered: no host is granted: --egress=HOST or --allow-net=HOST/;
  const offered = /^web_fetch +offered/;
  const all = ["--allow-read", "--allow-write", "--allow-run", "--allow-env"];
  const cases: [args: string[], want: RegExp][] = [
    [[], missing],
    [["--profile=plan"], missing],
    [["-m=m", "--base-url=https://models.test/v1", ...all, "--allow-net=models.test"], missing],
    [["--profile=plan", "--egress=docs.test"], offered],
    [[...all, "--allow-net=docs.test"], offered],
  ];
  for (const [args, want] of cases) {
    await t.step(args.join(" ") || "no flags", async () => {
      const { stdout } = await world.run(["tools", "--tools=+web_fetch", ...args]);
      match(rowOf(stdout, "web_fetch"), want);
    });
  }
});

Deno.test("a page is fetched and read by the whole program", async (t) => {
  await using server = pageServer("<title>T</title><h2>Read me</h2><script>not me</script>");
  const call = calling("web_fetch", { url: server.url });
  const want = new RegExp(
    `^\\[untrusted content (\\w+) from ${server.url}: [^\\n]*\\]\\nTitle: T\\n\\n## Read me\\n\\[end \\1\\]$`,
  );
  const grant = ["--tools=+web_fetch", `--egress=${server.host}`];
  for (const args of [[], ["--profile=plan"], ["--profile=off"], ["--profile=container"]]) {
    await t.step(args.join(" ") || "no flags", async () => {
      await using world = await newWorld();
      const run = await world.play([call, { text: "ok" }], [...grant, ...args]);
      strictEqual(run.code, 0, run.stderr);
      match(resultText(run), want);
      strictEqual(eventsOf(run, "tool_result")[0]?.value.untrusted, true);
      const [egress] = eventsOf(run, "egress");
      deepStrictEqual([egress?.source, egress?.host], ["tool", "localhost"]);
    });
  }
  await t.step("this machine only where it is named with its port", async () => {
    await using world = await newWorld();
    const args = ["--tools=+web_fetch", "--egress=localhost"];
    match(resultText(await world.play([call, { text: "ok" }], args)), /\[not fetched: bad_port\]$/);
    const others = ["--tools=+web_fetch", "--egress=docs.test"];
    match(
      resultText(await world.play([call, { text: "ok" }], others)),
      /\[not fetched: bad_port\]$/,
    );
  });
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

Deno.test("web_search asks the engine that a person configured, where its host is granted", async (t) => {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const title = new URL(request.url).searchParams.get("q");
    return Response.json({ results: [{ title, url: "https://one.test/", content: "It is" }] });
  });
  const host = `localhost:${server.addr.port}`;
  await using world = await newWorld();
  const config = { search: { engines: [{ name: "searxng", url: `http://${host}` }] } };
  await Deno.mkdir(world.join("home/.config/cordon"), { recursive: true });
  const args = ["--tools=+web_search", `--egress=${host}`];
  const report = async (more: string[], env = {}) =>
    rowOf((await world.run(["tools", ...args, ...more], { env })).stdout, "web_search");
  await t.step("not offered without an engine", async () => {
    match(
      await report([]),
      /^web_search +not offered: no search engine is configured: "search" in/,
    );
    match(await report([], { BRAVE_API_KEY: "b" }), /^web_search +offered/);
  });
  await Deno.writeTextFile(world.join("home/.config/cordon/config.jsonc"), JSON.stringify(config));
  await t.step("and with one it answers", async () => {
    const turns = [calling("web_search", { query: "deno" }), { text: "ok" }];
    const run = await world.play(turns, args);
    match(
      resultText(run),
      /from searxng: [^]*\n1\. deno\n {3}https:\/\/one\.test\/\n {3}It is\n\[end/,
    );
  });
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
}, async (t) => {
  const cases: [answer: string, want: RegExp][] = [
    ["n", /^Cannot reach "docs\.test:443": the host is not on the list of this session/],
    // There is no such host, which is found out once it may be reached.
    ["y", /^Cannot reach "docs\.test:443": (?!the host is not on the list)/],
  ];
  for (const [answer, want] of cases) {
    await t.step(answer, async () => {
      await using world = await newWorld();
      await using server = await modelServer([
        { toolCalls: [{ name: "web_fetch", arguments: '{"url":"docs.test/page"}' }] },
        { text: "Said" },
      ]);
      const args = ["-m=m", `--base-url=${server.url}`, "--tools=web_fetch", "hello"];
      const running = await world.start(args, {
        terminal: true,
        env: { OPENAI_API_KEY: "sk-test" },
      });
      await running.saw("something wants to reach docs.test:443");
      await running.saw("[y");
      await running.write(`${answer}\r`);
      await running.saw("Said");
      running.kill("SIGTERM");
      await running.ended;
      const result = server.requests[1]?.body.messages.at(-1)?.content;
      match(typeof result === "string" ? result : JSON.stringify(result), want);
    });
  }
});
