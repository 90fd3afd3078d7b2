import { strictEqual } from "node:assert/strict";
import { isForAnytime } from "../../../../agent/terminal/slash/handle.ts";
import { deskWorld } from "../../../helpers/desk_world.ts";

Deno.test("isForAnytime(): what only tells may be given while the agent works", async (t) => {
  const files = { "home/.config/cordon/commands/deploy.md": "Deploy" };
  await using world = await deskWorld(files);
  const cases: [line: string, want: boolean][] = [
    ["/", true],
    ["/help", true],
    ["/cost", true],
    ["/todo", true],
    ["/rights", true],
    ["/tools", true],
    ["/quit", true],
    ["/exit", true],
    ["/model x", false],
    ["/undo", false],
    ["/resume", false],
    ["/deploy", false],
    ["/unknown", false],
    ["!ls", false],
    ["a prompt", false],
    ["//help", false],
  ];
  for (const [line, want] of cases) {
    await t.step(line, async () => strictEqual(await isForAnytime(line, world.desk), want));
  }
});
