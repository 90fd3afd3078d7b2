import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { createEmbedder } from "../../../agent/retrieval/embedder.ts";
import { providerFor } from "../../../agent/model/provider.ts";
import { indexWorld } from "./index_world.ts";

/** Meaning, as far as a test goes: each word belongs to one of three things. */
const THINGS: Readonly<Record<string, number>> = { car: 0, vehicle: 0, auto: 0, cat: 1, kitten: 1 };

function meaningOf(text: string): number[] {
  const vector = [0.01, 0.01, 0.01];
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
    const thing = THINGS[word] ?? 2;
    vector[thing] = (vector[thing] ?? 0) + (thing === 2 ? 0.1 : 1);
  }
  return vector;
}

interface Asked {
  readonly path: string;
  readonly key: string | null;
  readonly model: string;
  readonly input: string[];
  readonly dimensions?: number;
}

/** A server of vectors; `answer` may say something else first. */
function vectorServer(answer: (count: number) => Response | undefined = () => undefined) {
  const asked: Asked[] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen() {} }, async (request) => {
    const { model, input, dimensions } = await request.json();
    const { pathname: path } = new URL(request.url);
    asked.push({ path, key: request.headers.get("authorization"), model, input, dimensions });
    const data = input.map((text: string, index: number) => ({
      index,
      embedding: meaningOf(text),
    }));
    return answer(asked.length) ?? Response.json({ data: data.reverse() });
  });
  const embedder = (model = "small", retried: number[] = []) =>
    createEmbedder({
      ...{ model, apiKey: "sk-secret", dimensions: 3 },
      provider: providerFor({ baseUrl: `http://127.0.0.1:${server.addr.port}/v1/` }),
    }, {
      clock: {
        now: () => 0,
        random: () => 0,
        sleep: (ms) => {
          retried.push(ms);
          return Promise.resolve();
        },
      },
    });
  return { asked, embedder, [Symbol.asyncDispose]: () => server.shutdown() };
}

const TREE = { "a.txt": "the kitten sleeps\n", "b.txt": "a vehicle drives\n", "c.txt": "else\n" };

Deno.test("what is meant is found, beside what is said", async (t) => {
  await using server = vectorServer();
  await using world = await indexWorld(TREE, { embedder: server.embedder() });
  await t.step("a word that no file has", async () => {
    deepStrictEqual((await world.places("car"))[0], "b.txt");
    deepStrictEqual((await world.places("cat"))[0], "a.txt");
  });
  await t.step("the request is as the interface wants it", () => {
    deepStrictEqual(server.asked[0], {
      ...{ path: "/v1/embeddings", key: "Bearer sk-secret", model: "small", dimensions: 3 },
      input: ["the kitten sleeps\n", "a vehicle drives\n", "else\n"],
    });
  });
  await t.step("only new texts are asked for", async () => {
    server.asked.splice(0);
    await Deno.rename(world.join("a.txt"), world.join("moved.txt"));
    await Deno.writeTextFile(world.join("d.txt"), "an auto\n");
    await world.follow();
    deepStrictEqual(server.asked.map(({ input }) => input), [["an auto\n"]]);
    match((await world.status()).text, /4 files in 4 chunks.*\nChunks with a vector: 4/);
  });
});

Deno.test("another model makes all vectors anew", async () => {
  await using server = vectorServer();
  await using world = await indexWorld(TREE, { embedder: server.embedder() });
  await world.follow();
  using other = await world.another({ embedder: server.embedder("large") });
  strictEqual((await other.status()).embedded, 3);
  const answer = await other.search(
    { text: "car", limit: 5, sessions: false },
    new AbortController().signal,
  );
  deepStrictEqual(answer.ok && answer.hits, [], "vectors of the first are not compared");
});

Deno.test("an index from before there were embeddings gets its vectors", async () => {
  await using server = vectorServer();
  await using world = await indexWorld(TREE);
  await world.follow();
  using other = await world.another({ embedder: server.embedder() });
  await other.update((writer) => {
    deepStrictEqual([...writer.known().keys()], [], "all files are to be read again");
    return Promise.resolve();
  });
});

Deno.test("a server that does not answer well takes nothing from the words", async (t) => {
  const busy = () => Response.json({ error: { message: "slow down" } }, { status: 429 });
  await t.step("one that is busy is asked again", async () => {
    await using server = vectorServer((count) => count === 1 ? busy() : undefined);
    const retried: number[] = [];
    await using world = await indexWorld(TREE, { embedder: server.embedder("small", retried) });
    deepStrictEqual((await world.places("car"))[0], "b.txt");
    strictEqual(retried.length, 1);
  });
  const cases: [name: string, answer: () => Response, words: RegExp][] = [
    ["refuses", () => Response.json({ error: { message: "no" } }, { status: 400 }), /400: no/],
    ["redirects", () => Response.redirect("http://127.0.0.1:1/"), /it redirects to/],
    ["sends a page", () => new Response("<p>hi</p>"), /holds no such vectors/],
    ["sends too few", () => Response.json({ data: [] }), /its answer holds no such vectors/],
    [
      "repeats the key",
      () => Response.json({ error: { message: "sk-secret" } }, { status: 401 }),
      /401/,
    ],
  ];
  for (const [name, answer, words] of cases) {
    await t.step(`one that ${name}`, async () => {
      await using server = vectorServer(answer);
      await using world = await indexWorld(TREE, { embedder: server.embedder() });
      const { isError, text } = await world.search("kitten");
      strictEqual(isError, false);
      ok(text.startsWith("a.txt:1-2 (1.00)\n"));
      match(text, /\n\n\[Cannot get vectors of small at http:\/\/127\.0\.0\.1:\d+\/v1 \(3\): /);
      match(text, words);
      ok(!text.includes("sk-secret"));
    });
  }
});

Deno.test("secrets are not sent", async () => {
  await using server = vectorServer();
  await using world = await indexWorld({ "a.txt": "password hunter2hunter2\n" }, {
    embedder: server.embedder(),
    secrets: [{ name: "PASSWORD", value: "hunter2hunter2" }],
  });
  await world.search("what is hunter2hunter2");
  strictEqual(server.asked.length, 2);
  ok(!JSON.stringify(server.asked).includes("hunter2"));
});
