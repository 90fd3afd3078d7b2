import { deepStrictEqual, match, strictEqual, throws } from "node:assert/strict";
import { promptArguments } from "../../../agent/terminal/slash/foreign_prompt.ts";
import { loadRegistry, registryOf } from "../../../agent/terminal/slash/registry.ts";
import { deskWorld } from "../../helpers/desk_world.ts";
import { hasProgram } from "../../helpers/has_program.ts";
import { FAKE_SERVER } from "../../helpers/mcp_server.ts";

Deno.test("promptArguments()", async (t) => {
  const two = [{ name: "who", required: true }, { name: "how" }];
  const cases: [typed: string, want: Record<string, string>][] = [
    ["Ann", { who: "Ann" }],
    ["Ann very loudly", { who: "Ann", how: "very loudly" }],
    ['"Ann Lee" how=loudly', { who: "Ann Lee", how: "loudly" }],
    ["how=a=b Ann", { who: "Ann", how: "a=b" }],
    // What is no argument's name is a word as any.
    ["x=1", { who: "x=1" }],
  ];
  for (const [typed, want] of cases) {
    await t.step(typed, () => deepStrictEqual(promptArguments("greet", two, typed), want));
  }
  await t.step("one that has to be there", () => {
    throws(() => promptArguments("greet", two, "how=x"), {
      message: 'Cannot give "greet": its who is missing',
    });
  });
});

Deno.test({
  name: "a server's prompt is a command of the conversation",
  ignore: !await hasProgram("python3"),
}, async () => {
  const mcp = { fake: { command: "python3", args: [FAKE_SERVER] } };
  await using world = await deskWorld(
    { "home/.config/cordon/config.jsonc": JSON.stringify({ mcp }) },
    [{ text: "Hello Ann" }],
  );
  await world.seat.agent.foreign?.ready(new AbortController().signal);
  match(await world.type("/help"), /\/mcp__fake__greet who \[how\] +Greets somebody \(mcp\)/);
  match(await world.type("/mcp__fake__greet"), /^! Cannot give "greet": its who is missing$/);
  strictEqual(await world.type("/mcp__fake__greet Ann"), "Hello Ann");
  strictEqual(world.messages()[0], "Greet Ann kindly");
  // What the server refuses is its word, and no mistake of ours.
  match(
    await world.type("/mcp__fake__greet nobody"),
    /^! Cannot ask MCP server "fake": there is nobody to greet$/,
  );
  const { launch } = world.seat.agent;
  strictEqual((await loadRegistry(launch)).find("mcp__fake__greet"), undefined);
  strictEqual((await registryOf(world.desk)).find("mcp__fake__greet")?.origin, "mcp");
});
