import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { acpEditor, saidIn } from "../helpers/acp_editor.ts";
import { calling, newWorld } from "../helpers/cordon.ts";

Deno.test("an editor opens a session, prompts and gets text, calls and an end", async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const model = await world.script(
    { text: "I look.", ...calling("read_file", { path: "a.txt" }) },
    calling("edit_file", { path: "a.txt", old_string: "one", new_string: "two" }),
    calling("bash", { command: "echo hello" }),
    { text: "Done." },
  );
  await using editor = await acpEditor(world, { args: ["acp", "-m", model] });
  const id = await editor.open();
  deepStrictEqual(await editor.prompt(id, "go"), { stopReason: "end_turn" });
  strictEqual(saidIn(editor, id), "I look.Done.");
  await editor.leave();
});
