import { strictEqual } from "node:assert/strict";
import { waitingForTrust } from "../../../agent/terminal/waiting_for_trust.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

Deno.test("what waits for trust is told in one sentence", async (t) => {
  const command = "work/.cordon/commands/go.md";
  const skill = "work/.cordon/skills/build/SKILL.md";
  const agent = "work/.cordon/agents/review.md";
  const more = ["work/.cordon/commands/b.md", "work/.agents/skills/b/SKILL.md"];
  const end = (it: string) =>
    `, not used before you trust the folder: look at ${it}, then say cordon trust`;
  const cases: [name: string, files: string[], want: string | undefined, about?: About][] = [
    ["nothing", ["work/a.txt"], undefined],
    ["a command", [command], `a command in .cordon/commands${end("it")}`],
    ["commands where none can be given", [command], undefined, { takesCommands: false }],
    ["an agent", [agent], `an agent in .cordon/agents${end("it")}`],
    ["agents that no tool starts", [agent], undefined, { selected: ["bash"] }],
    ["a skill names its file", [skill], `a skill (WORK/.cordon/skills/build/SKILL.md)${end("it")}`],
    [
      "all together",
      [command, skill, agent, ...more],
      `2 commands in .cordon/commands, 2 skills and an agent in .cordon/agents${end("them")}`,
    ],
    [
      "two kinds",
      [command, agent],
      `a command in .cordon/commands and an agent in .cordon/agents${end("them")}`,
    ],
    ["what a person trusts", [command, skill, agent], undefined, { trust: "trusted" }],
    ["what a person has refused", [command, skill, agent], undefined, { trust: "refused" }],
  ];
  for (const [name, files, want, about = {}] of cases) {
    await t.step(name, async () => {
      await using dir = await tempDir({
        "work/": "",
        ...Object.fromEntries(files.map((file) => [file, "x"])),
      });
      const { trust = "unasked", selected = ["subagent"], takesCommands = true } = about;
      // Of a launch it needs no more than this.
      const launch = {
        places: { workspace: dir.join("work"), home: undefined },
        configuration: { project: { trust } },
        selected: new Set(selected),
      } as unknown as Parameters<typeof waitingForTrust>[0];
      const told = await waitingForTrust(launch, takesCommands);
      strictEqual(
        told?.replace(dir.join("work"), "WORK"),
        want === undefined ? undefined : `This project has ${want}`,
      );
    });
  }
});

interface About {
  readonly trust?: "trusted" | "refused" | "unasked";
  readonly selected?: readonly string[];
  readonly takesCommands?: boolean;
}
