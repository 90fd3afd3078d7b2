import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { interruptedByPerson } from "../../../agent/interruption.ts";
import { createSession, openSession } from "../../../agent/session/log.ts";
import { modelServer, type Reply } from "../../helpers/model_server.ts";
import { inSmallWindow, isSummaryRequest, tokensIn } from "../../helpers/small_window.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { options, unpaired } from "../session/fixtures.ts";
import { REFUSALS } from "./refusals.ts";
import { reads, type TaskWorld, taskWorld } from "../task_world.ts";

const WINDOW = 4_000;
const TASK = "Mend the parser, and never touch the file LICENSE.";

/** `count` answers that read a file of some 250 tokens each, and a last one. */
function manyReads(count: number, from = 0) {
  const answers = Array.from({ length: count }, (_, i) => reads(`f${from + i}.ts`, 1_000));
  return [...answers, { text: "All done." }];
}

function textOfFirst({ session }: TaskWorld): string {
  const first = session.conversation.messages[0];
  const part = first?.role === "user" ? first.content[0] : undefined;
  return part?.type === "text" ? part.text : "";
}

Deno.test("a session goes on for hundreds of turns in a small window", async (t) => {
  await t.step("that is known: nothing is asked in vain", async () => {
    const { script, summaries } = inSmallWindow({ tokens: WINDOW }, manyReads(200));
    await using server = await modelServer(script);
    const world = taskWorld(server, { window: { tokens: WINDOW } });
    const end = await world.task(TASK);
    deepStrictEqual([end.reason, end.text, end.turns], ["done", "All done.", 201]);
    ok(summaries() > 5);
    strictEqual(world.eventsOf("compaction").length, summaries());
    // Each answer, each summary, and not one refusal.
    strictEqual(server.requests.length, 201 + summaries());
    const first = textOfFirst(world);
    ok(first.includes(TASK) && first.includes("A SUMMARY") && /f1[5-9]\d\.ts/.test(first));
    for (const { before_tokens, after_tokens } of world.eventsOf("compaction")) {
      ok(before_tokens >= WINDOW * 0.75 && after_tokens < WINDOW / 2);
    }
  });
  for (const { server: name, status, body, tells } of REFUSALS) {
    await t.step(`that is learnt from ${name}`, async () => {
      const refusal = (n: number, w: number) => ({ status, body: body(n, w) }) as Reply;
      const { script, summaries } = inSmallWindow({ tokens: WINDOW, refusal }, manyReads(60));
      await using server = await modelServer(script);
      const world = taskWorld(server);
      const end = await world.task(TASK);
      deepStrictEqual([end.reason, end.turns], ["done", 61]);
      ok(summaries() >= 2);
      strictEqual(world.eventsOf("compaction_failed").length, 0);
      const { windowTokens = 0 } = world.keeper.fill(world.frame);
      if (tells?.includes("window") ?? true) strictEqual(windowTokens, WINDOW);
      else ok(windowTokens > WINDOW * 0.7 && windowTokens < WINDOW * 1.1);
      // The window is learnt once: of some sixty requests hardly one is refused after that.
      const refused = server.requests.filter((request) => tokensIn(request) > WINDOW);
      ok(refused.length <= 2, `${refused.length} were refused`);
    });
  }
});

Deno.test("a compaction sums the summary before it up, too", async () => {
  const seen: string[] = [];
  let made = 0;
  const { script } = inSmallWindow({
    tokens: WINDOW,
    summary(request) {
      seen.push(String(request.body.messages[1].content));
      return { text: `SUMMARY ${++made}` };
    },
  }, manyReads(60));
  await using server = await modelServer(script);
  const world = taskWorld(server, { window: { tokens: WINDOW } });
  await world.task(TASK);
  ok(seen.length >= 2);
  ok(seen[0]?.includes(TASK));
  for (const [i, given] of seen.entries()) {
    if (i > 0) {
      ok(given.includes(`SUMMARY ${i}`) && given.includes("Summary of all that came before"));
    }
    strictEqual(given.includes(`SUMMARY ${i + 1}`), false);
  }
  match(textOfFirst(world), new RegExp(`SUMMARY ${made}`));
  strictEqual(textOfFirst(world).includes(`SUMMARY ${made - 1}`), false);
});

Deno.test("a summary that cannot be had leaves the session as it was", async (t) => {
  const failures: [name: string, summary: () => Reply, reason: RegExp][] = [
    [
      "an error of the server",
      () => ({ status: 400, body: { error: { message: "no" } } }),
      /400: no/,
    ],
    ["an empty one", () => ({ text: " \n" }), /empty/],
    ["one that is longer", () => ({ text: "much ado ".repeat(9_000) }), /no shorter/],
    ["one that was filtered", () => ({ text: "x", finish: "content_filter" }), /filter/],
  ];
  for (const [name, summary, reason] of failures) {
    await t.step(name, async () => {
      const { script } = inSmallWindow({ tokens: WINDOW, summary }, manyReads(40));
      await using server = await modelServer(script);
      const world = taskWorld(server, { window: { tokens: WINDOW } });
      const end = await world.task(TASK);
      deepStrictEqual([end.reason, end.turns], ["done", 41]);
      const failed = world.eventsOf("compaction_failed");
      match(failed[0]?.reason ?? "", reason);
      // Tried again only after it has grown by a fifth: 13 reads are full, and 40 are 3 times that.
      ok(failed.length >= 2 && failed.length <= 8, `${failed.length} tries`);
      ok(world.eventsOf("left_out").length > 0);
      strictEqual(world.eventsOf("compaction").length, 0);
      strictEqual(world.session.conversation.messages.length, 82);
    });
  }
});

Deno.test("what a summary costs counts, also where it cannot be used", async (t) => {
  for (const [name, summary] of [["used", "A SUMMARY"], ["empty", ""]] as const) {
    await t.step(name, async () => {
      const { script } = inSmallWindow({
        tokens: WINDOW,
        summary: () => ({ text: summary }),
      }, manyReads(16));
      await using server = await modelServer(script);
      const world = taskWorld(server, { window: { tokens: WINDOW } });
      await world.task(TASK);
      const sent = server.requests.reduce((sum, request) => sum + tokensIn(request), 0);
      strictEqual(world.session.conversation.usage.inputTokens, sent);
    });
  }
  await t.step("and a budget ends the run by it", async () => {
    const { script, asked } = inSmallWindow({ tokens: WINDOW }, manyReads(60));
    await using server = await modelServer(script);
    const prices = { input: 1_000_000, cachedInput: 1_000_000, output: 0 };
    const world = taskWorld(server, {
      window: { tokens: WINDOW },
      ...{ prices, limits: { maxBudgetUsd: 30_000 } },
    });
    strictEqual((await world.task(TASK)).reason, "budget");
    const last = server.requests.filter((request) => !isSummaryRequest(request));
    const sum = server.requests.reduce((sum, request) => sum + tokensIn(request), 0);
    ok(asked() === last.length && sum > 30_000 && sum < 30_000 + 2 * WINDOW);
  });
});

Deno.test("an interrupted compaction changes nothing, and the session goes on", async () => {
  const { script } = inSmallWindow({
    tokens: WINDOW,
    summary: () => ({ raw: [], then: "hang" }),
  }, manyReads(40));
  await using server = await modelServer(script);
  await using dir = await tempDir();
  const session = await createSession(options(dir.path));
  const stop = new AbortController();
  const world = taskWorld(server, { session, window: { tokens: WINDOW } });
  const running = world.task(TASK, stop.signal);
  for (let n = 1; !isSummaryRequest(await server.request(n)); n++);
  stop.abort(interruptedByPerson());
  const end = await running;
  deepStrictEqual([end.reason, end.exitCode], ["interrupted", 130]);
  const before = session.conversation.messages;
  strictEqual(session.conversation.lastCompaction, undefined);
  await session.close("interrupted");

  const again = await openSession({ folder: dir.path, id: session.id, now: () => new Date(0) });
  deepStrictEqual(again.conversation.messages, before);
  const good = inSmallWindow({ tokens: WINDOW }, manyReads(10, 100));
  await using second = await modelServer(good.script);
  const resumed = taskWorld(second, { session: again, window: { tokens: WINDOW } });
  strictEqual((await resumed.task("go on")).reason, "done");
  ok(good.summaries() >= 1);
  await again.close("done");
});

Deno.test("a compacted session is resumed as it stood, with the window that was learnt", async () => {
  const { script } = inSmallWindow({ tokens: WINDOW }, manyReads(30));
  await using server = await modelServer(script);
  await using dir = await tempDir();
  const session = await createSession(options(dir.path));
  await taskWorld(server, { session }).task(TASK);
  const { messages, touched, said, usage } = session.conversation;
  await session.close("done");

  const again = await openSession({ folder: dir.path, id: session.id, now: () => new Date(0) });
  const { conversation } = again;
  deepStrictEqual(conversation.messages, messages);
  deepStrictEqual([conversation.said, conversation.usage], [said, usage]);
  deepStrictEqual(conversation.touched.read, touched.read);
  strictEqual(conversation.touched.read.length, 30);
  const good = inSmallWindow({ tokens: WINDOW }, manyReads(30, 100));
  await using second = await modelServer(good.script);
  const resumed = taskWorld(second, { session: again });
  strictEqual(resumed.keeper.fill(resumed.frame).windowTokens, WINDOW);
  strictEqual((await resumed.task("go on")).reason, "done");
  strictEqual(second.requests.some((request) => tokensIn(request) > WINDOW), false);
  ok(textOfFirst(resumed).includes(TASK) && textOfFirst(resumed).includes("- go on"));
  await again.close("done");
});

Deno.test("what is larger than the window is told or left out", async (t) => {
  await t.step("a result, of which less is to be asked for", async () => {
    const { script } = inSmallWindow({ tokens: WINDOW }, [reads("big.ts", 40_000), { text: "ok" }]);
    await using server = await modelServer(script);
    const world = taskWorld(server);
    strictEqual((await world.task(TASK)).reason, "done");
    deepStrictEqual(world.eventsOf("left_out").map(({ results }) => results), [1]);
    match(server.requests.at(-1)?.body.messages.at(-1).content, /ask for less of it/);
  });
  await t.step("and nothing where the window that was set cannot be true", async () => {
    const { script } = inSmallWindow({ tokens: WINDOW }, [reads("a.ts", 2_600), { text: "ok" }]);
    await using server = await modelServer(script);
    const world = taskWorld(server, { window: { tokens: 30 } });
    strictEqual((await world.task(TASK)).reason, "done");
    deepStrictEqual(world.eventsOf("left_out"), []);
    match(server.requests.at(-1)?.body.messages.at(-1).content, /^line of text/);
  });
  await t.step("a message of the person, in one sentence", async () => {
    const { script } = inSmallWindow({ tokens: WINDOW }, [{ text: "ok" }]);
    await using server = await modelServer(script);
    const world = taskWorld(server);
    const end = await world.task("x".repeat(40_000));
    deepStrictEqual([end.reason, end.exitCode], ["model_error", 1]);
    match(
      world.eventsOf("error")[0]?.message ?? "",
      /^Cannot ask "m1": its window holds about 4000 tokens, .* about 100\d\d \(400: .*\); shorten/,
    );
    strictEqual(server.requests.length, 1);
  });
});

Deno.test("ContextKeeper.compact()", async (t) => {
  await t.step("does as the person wants, and keeps the last turn", async () => {
    const { script } = inSmallWindow({ tokens: 100_000 }, [
      ...manyReads(20),
      reads("last.ts", 130),
      { text: "The end." },
    ]);
    await using server = await modelServer(script);
    const world = taskWorld(server, { jobs: [{ id: "3", command: "npm run dev" }] });
    await world.task(TASK);
    await world.task("And now the lexer.");
    const outcome = await world.keeper.compact(
      world.frame,
      "keep the names of files",
      new AbortController().signal,
    );
    ok(outcome.ok && outcome.afterTokens < outcome.beforeTokens / 4);
    const asked = server.requests.at(-1)?.body.messages[1].content;
    match(asked, /The person asks of the summary: keep the names of files$/);
    match(textOfFirst(world), /job 3: npm run dev/);
    const { messages, said } = world.session.conversation;
    deepStrictEqual(said.map(({ index }) => index), [undefined, messages.length - 4]);
    deepStrictEqual(messages.slice(-4).map(({ role }) => role), [
      ...["user", "assistant", "tool", "assistant"],
    ]);
    deepStrictEqual(unpaired(world.session.conversation.messages), []);
  });
  await t.step("asks nothing where there is nothing older", async () => {
    await using server = await modelServer([{ text: "hi" }]);
    const world = taskWorld(server);
    await world.task("hello");
    const outcome = await world.keeper.compact(
      world.frame,
      undefined,
      new AbortController().signal,
    );
    strictEqual(outcome.ok, false);
    strictEqual(server.requests.length, 1);
  });
  await t.step("halves a transcript that is too large for the model itself", async () => {
    const { script } = inSmallWindow({ tokens: 100_000 }, manyReads(20));
    await using server = await modelServer([...script.slice(0, 21), tooLong, tooLong, {
      text: "AT LAST",
    }]);
    const world = taskWorld(server);
    await world.task(TASK);
    ok((await world.keeper.compact(world.frame, undefined, new AbortController().signal)).ok);
    const sizes = server.requests.slice(21).map(tokensIn);
    ok(sizes.length === 3 && (sizes[2] ?? 0) < (sizes[0] ?? 0) / 2, String(sizes));
    match(textOfFirst(world), /AT LAST/);
  });
});

const tooLong: Reply = { status: 400, body: { error: { message: "prompt is too long" } } };
