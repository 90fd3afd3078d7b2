import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { type LinkCall, ServerLink } from "../../../agent/mcp/server_link.ts";
import { hasProgram } from "../../helpers/has_program.ts";
import { wayToFake } from "../../helpers/mcp_server.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

const ignore = !await hasProgram("python3");
const LIMITS = { startMs: 20_000, callMs: 20_000 };
const QUIET: LinkCall = { signal: new AbortController().signal, progress() {} };

async function openLink(how: string, limits = LIMITS, onChange?: (list: string) => void) {
  const dir = await tempDir();
  const fake = wayToFake(how, dir.path);
  const link = new ServerLink("fake", fake.way, limits, onChange);
  return {
    ...{ link, dir, starts: fake.starts },
    async call(name: string, args = {}, call = QUIET) {
      const tools = await link.tools();
      const tool = tools.find((listed) => listed.name === name);
      ok(tool, name);
      return await link.call(tool, args, call);
    },
    async [Symbol.asyncDispose]() {
      await link[Symbol.asyncDispose]();
      await fake[Symbol.asyncDispose]();
      await dir[Symbol.asyncDispose]();
    },
  };
}

Deno.test({ name: "ServerLink speaks every revision over stdio", ignore }, async (t) => {
  const cases: [how: string, protocol: string, starts: number][] = [
    ["well", "2025-11-25", 1],
    ["old", "2024-11-05", 1],
    // What prints rubbish is heard all the same.
    ["rubbish", "2025-11-25", 1],
    // Only a refusal of `initialize` leads to the revision without, and to another process.
    ["modern", "2026-07-28", 2],
  ];
  for (const [how, protocol, starts] of cases) {
    await t.step(how, async () => {
      await using opened = await openLink(how);
      strictEqual(await opened.link.connect(), protocol);
      const { content } = await opened.call("echo", { message: "hi" });
      deepStrictEqual(content, [{ type: "text", text: "hi" }]);
      strictEqual(opened.starts(), starts);
    });
  }
});

Deno.test({ name: "ServerLink says why a server cannot be had", ignore }, async (t) => {
  const cases: [how: string, limits: typeof LIMITS, why: RegExp][] = [
    ["fails", LIMITS, /^Cannot start MCP server "fake": .*exit code 7.*Error: cannot begin/],
    ["silent", { ...LIMITS, startMs: 300 }, /^Cannot start MCP server "fake": .*timed out/i],
    ["flood", LIMITS, /^Cannot start MCP server "fake": /],
  ];
  for (const [how, limits, why] of cases) {
    await t.step(how, async () => {
      await using opened = await openLink(how, limits);
      await rejects(opened.link.connect(), { message: why });
    });
  }
});

Deno.test(
  { name: "ServerLink starts a dead server again with the next request", ignore },
  async () => {
    await using opened = await openLink("well");
    await rejects(opened.call("die"), {
      message: /^Cannot ask MCP server "fake": .*exit code 3; it hurts/,
    });
    const { content } = await opened.call("echo", { message: "again" });
    deepStrictEqual(content, [{ type: "text", text: "again" }]);
    strictEqual(opened.starts(), 2);
  },
);

Deno.test(
  { name: "ServerLink leaves a server alone that dies again and again", ignore },
  async () => {
    await using opened = await openLink("well");
    for (let i = 0; i < 6; i++) await rejects(opened.call("die"), { message: /exit code 3/ });
    await rejects(opened.link.tools(), { message: /has died 6 times in this session/ });
  },
);

Deno.test(
  { name: "ServerLink keeps the limit of a call and tells of progress", ignore },
  async (t) => {
    await t.step("a call that never ends", async () => {
      await using opened = await openLink("well", { ...LIMITS, callMs: 300 });
      await rejects(opened.call("hang"), { message: /Cannot ask MCP server "fake": .*timed out/i });
      // The server is there still.
      strictEqual((await opened.call("echo", { message: "on" })).isError ?? false, false);
      strictEqual(opened.starts(), 1);
    });
    await t.step("progress", async () => {
      await using opened = await openLink("well");
      const told: string[] = [];
      await opened.call("wait", { short: true }, {
        ...QUIET,
        progress: (part) => void told.push(part),
      });
      deepStrictEqual(told, ["1 of 2: half\n"]);
    });
    await t.step("a call that is called off", async () => {
      await using opened = await openLink("well");
      const stop = new AbortController();
      const calling = opened.call("wait", {}, {
        signal: stop.signal,
        progress: () => stop.abort(),
      });
      await rejects(calling);
      // The server was told, in its own order: it has done so before it answers the next.
      await opened.call("echo", { message: "x" });
      strictEqual(await Deno.readTextFile(opened.dir.join("cancelled")), "yes");
    });
  },
);

Deno.test(
  { name: "ServerLink tells of lists that change, resources and prompts", ignore },
  async () => {
    const changed = Promise.withResolvers<string>();
    await using opened = await openLink("well", LIMITS, changed.resolve);
    deepStrictEqual(await opened.link.lists(), ["tools", "prompts", "resources"]);
    await opened.call("change");
    strictEqual(await changed.promise, "tools");
    deepStrictEqual((await opened.link.tools()).map(({ name }) => name), ["after"]);
    const { signal } = QUIET;
    deepStrictEqual((await opened.link.resources(signal)).map(({ uri }) => uri), ["fake://one"]);
    const { contents } = await opened.link.readResource("fake://one", signal);
    deepStrictEqual(contents, [{ uri: "fake://one", text: "the first" }]);
    await rejects(opened.link.readResource("fake://two", signal), { message: /no such resource/ });
    const { messages } = await opened.link.prompt("greet", { who: "Ann" }, signal);
    match(JSON.stringify(messages), /Greet Ann kindly/);
  },
);

Deno.test(
  { name: "ServerLink lists what can be had of a list that is not right", ignore },
  async () => {
    await using opened = await openLink("names");
    const names = (await opened.link.tools()).map(({ name }) => name);
    // That the schema of "broken" is none is for whoever reads it.
    deepStrictEqual([names.length, names.includes("broken"), names.includes("a.b")], [
      8,
      true,
      true,
    ]);
  },
);

Deno.test({ name: "a link that ends while it starts waits for nothing", ignore }, async () => {
  await using opened = await openLink("silent");
  const starting = rejects(opened.link.connect());
  await opened.link[Symbol.asyncDispose]();
  await starting;
});
