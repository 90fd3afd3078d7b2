import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Config } from "../../agent/config/schema.ts";
import { ownSearch } from "../../agent/own_search.ts";
import { searchEngines } from "../../agent/search_engines.ts";
import { searchReach } from "../../agent/search_reach.ts";
import { searchSettings } from "../../agent/search_settings.ts";
import { joinSettings } from "../../agent/settings.ts";
import { providerFor } from "../../agent/model/provider.ts";
import { engineFor } from "../../tools/web/engines/mod.ts";

type Engines = NonNullable<Config["search"]>["engines"];

Deno.test("searchSettings() takes what is named and has what it needs, then what has a key", async (t) => {
  const cases: [
    name: string,
    engines: Engines,
    env: Record<string, string>,
    want: ReturnType<typeof searchSettings>,
  ][] = [
    ["nothing", [], {}, []],
    ["a key", [], { BRAVE_API_KEY: "b" }, [{ name: "brave", apiKey: "b" }]],
    ["an empty key", [], { BRAVE_API_KEY: "" }, []],
    ["named without a key", [{ name: "tavily" }], {}, []],
    ["a variable of its own", [{ name: "tavily", env_key: "MINE" }], { MINE: "t" }, [
      { name: "tavily", apiKey: "t" },
    ]],
    [
      "in the order of the configuration, the others after",
      [{ name: "duckduckgo" }, { name: "perplexity" }],
      { PERPLEXITY_API_KEY: "p", BRAVE_API_KEY: "b" },
      [{ name: "duckduckgo" }, { name: "perplexity", apiKey: "p" }, { name: "brave", apiKey: "b" }],
    ],
    ["google has to be named", [], { GOOGLE_API_KEY: "g", GOOGLE_CSE_ID: "c" }, []],
    ["google", [{ name: "google" }], { GOOGLE_API_KEY: "g", GOOGLE_CSE_ID: "c" }, [
      { name: "google", apiKey: "g", cx: "c" },
    ]],
    ["google by its page", [{ name: "google" }], {}, [{ name: "google" }]],
    ["google by its page elsewhere", [{ name: "google", url: "http://localhost:1" }], {}, [
      { name: "google", url: "http://localhost:1" },
    ]],
    ["google with an empty key", [{ name: "google" }], { GOOGLE_API_KEY: "" }, [
      { name: "google" },
    ]],
    ["google with one", [{ name: "google", cx: "x" }], { GOOGLE_API_KEY: "g" }, [
      { name: "google", apiKey: "g", cx: "x" },
    ]],
    ["searxng without a server", [{ name: "searxng" }], {}, []],
    ["searxng", [{ name: "searxng", url: "http://localhost:8888" }], {}, [
      { name: "searxng", url: "http://localhost:8888" },
    ]],
    ["the model's server", [{ name: "provider" }], {}, [{ name: "provider" }]],
  ];
  for (const [name, engines, env, want] of cases) {
    await t.step(name, () => {
      deepStrictEqual(searchSettings({ search: { engines } }, (variable) => env[variable]), want);
    });
  }
});

Deno.test("OpenAI's own search is the last where there is a key, others only when named", () => {
  const names = (env: Record<string, string>, config: Config = {}) =>
    searchEngines(joinSettings({}, config, (variable) => env[variable])).map(({ name }) => name);
  deepStrictEqual(names({}), []);
  deepStrictEqual(names({ OPENAI_API_KEY: "k", BRAVE_API_KEY: "b" }), ["brave", "provider"]);
  deepStrictEqual(names({ OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://other.test/v1" }), []);
  const search = { engines: [{ name: "provider" as const }] };
  deepStrictEqual(names({ OPENAI_BASE_URL: "https://other.test/v1" }, { search }), ["provider"]);
  deepStrictEqual(names({ OPENAI_API_KEY: "k" }, { search }), ["provider"]);
});

Deno.test("google is asked by its page where a key or an engine is missing", () => {
  const byBrowser = (env: Record<string, string>) => {
    const config: Config = { search: { engines: [{ name: "google" }] } };
    return searchEngines(joinSettings({}, config, (name) => env[name]))[0]?.byBrowser ?? false;
  };
  strictEqual(byBrowser({}), true);
  strictEqual(byBrowser({ GOOGLE_API_KEY: "g" }), true);
  strictEqual(byBrowser({ GOOGLE_CSE_ID: "c" }), true);
  strictEqual(byBrowser({ GOOGLE_API_KEY: "g", GOOGLE_CSE_ID: "c" }), false);
});

Deno.test("searchReach() leaves an engine out whose page no browser runs", () => {
  const engines = [engineFor({ name: "google" }), engineFor({ name: "duckduckgo" })];
  const names = (noPages?: string) => searchReach(engines, noPages).engines.map(({ name }) => name);
  deepStrictEqual(names(), ["google", "duckduckgo"]);
  deepStrictEqual(names("no"), ["duckduckgo"]);
  match(searchReach(engines, "get one").noPage ?? "", /GOOGLE_API_KEY.*: get one$/);
  strictEqual(searchReach(engines.slice(1), "no").noPage, undefined);
});

Deno.test("the model's own server searches by the Responses API", async (t) => {
  let status = 200;
  let answer: unknown;
  const asked: unknown[] = [];
  await using server = {
    inner: Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, async (request) => {
      const { pathname } = new URL(request.url);
      asked.push([pathname, request.headers.get("authorization"), await request.json()]);
      return Response.json(answer, { status, headers: { location: "/elsewhere" } });
    }),
    [Symbol.asyncDispose]() {
      return this.inner.shutdown();
    },
  };
  const provider = providerFor({ baseUrl: `http://127.0.0.1:${server.inner.addr.port}/v1` });
  // The server's engine needs neither of the tools' capabilities.
  const context = { signal: new AbortController().signal } as never;
  const find = (model: string | undefined) =>
    ownSearch({ model, provider, apiKey: "sk-key" }).search(
      { query: "deno", maxResults: 2 },
      context,
    );

  await t.step("its words and its sources, each once", async () => {
    const source = (url: string, title?: string) => ({ type: "url_citation", url, title });
    answer = {
      output: [{ type: "web_search_call" }, {
        type: "message",
        content: [{
          type: "output_text",
          text: "It is a runtime.",
          annotations: [
            source("https://a.test/", "A"),
            source("https://a.test/"),
            source("https://b.test/"),
            source("https://c.test/"),
          ],
        }],
      }],
    };
    deepStrictEqual(await find("m"), {
      ok: true,
      answer: "It is a runtime.",
      hits: [
        { title: "A", url: "https://a.test/", snippet: "" },
        { title: "", url: "https://b.test/", snippet: "" },
      ],
    });
    deepStrictEqual(asked, [["/v1/responses", "Bearer sk-key", {
      model: "m",
      tools: [{ type: "web_search" }],
      tool_choice: "required",
      store: false,
      input: "Search the web and sum up, with sources: deno",
    }]]);
  });
  const refusals: [name: string, status: number, answer: unknown, problem: RegExp][] = [
    ["a server that cannot", 400, { error: {} }, /does not search \(http 400\)$/],
    ["a redirect is not followed", 307, {}, /does not search \(http 307\)$/],
    ["another shape", 200, { output: 1 }, /another shape/],
  ];
  for (const [name, code, sent, problem] of refusals) {
    await t.step(name, async () => {
      [status, answer] = [code, sent];
      const before = asked.length;
      const searched = await find("m");
      ok(!searched.ok);
      match(searched.problem, problem);
      strictEqual(asked.length, before + 1);
    });
  }
  await t.step("a script does not search", async () => {
    deepStrictEqual(await find("scripted:x"), { ok: false, problem: "a script does not search" });
  });
});
