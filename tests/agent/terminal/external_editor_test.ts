import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { editorLine, editOutside } from "../../../agent/terminal/external_editor.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

function variables(values: Readonly<Record<string, string>>) {
  const all: Readonly<Record<string, string | undefined>> = {
    PATH: Deno.env.get("PATH"),
    ...values,
  };
  return (name: string) => all[name];
}

Deno.test("editorLine() is VISUAL before EDITOR, and neither when it is empty", () => {
  strictEqual(editorLine(variables({ VISUAL: "code --wait", EDITOR: "vi" })), "code --wait");
  strictEqual(editorLine(variables({ VISUAL: "", EDITOR: "vi" })), "vi");
  strictEqual(editorLine(variables({})), undefined);
});

Deno.test("editOutside()", async (t) => {
  await using dir = await tempDir();
  const edit = (editor: string, env: Readonly<Record<string, string>> = {}) =>
    editOutside("one\n", "arguments.json", editor, variables(env));
  await t.step("runs the line with the file behind it", async () => {
    strictEqual(await edit("sed -i s/one/two/"), "two\n");
  });
  await t.step("the file is alone, and gone afterwards", async () => {
    const seen = dir.join("seen");
    await edit(`f() { echo "$1" > '${seen}'; stat -c %a "$1" >> '${seen}'; }; f`);
    const [path = "", mode] = (await Deno.readTextFile(seen)).split("\n");
    deepStrictEqual([path.endsWith("/arguments.json"), mode], [true, "600"]);
    const gone = await Deno.stat(path).then(() => false, () => true);
    strictEqual(gone, true);
  });
  await t.step("gets what a terminal needs, and no key", async () => {
    const seen = dir.join("environment");
    await edit(`f() { env > '${seen}'; }; f`, { TERM: "xterm", OPENAI_API_KEY: "secret" });
    const names = (await Deno.readTextFile(seen)).split("\n").map((line) => line.split("=")[0]);
    deepStrictEqual([names.includes("TERM"), names.includes("OPENAI_API_KEY")], [true, false]);
  });
  await t.step("an editor that fails, or is not there, gives nothing", async () => {
    strictEqual(await edit("false"), undefined);
    strictEqual(await edit("rm"), undefined);
    strictEqual(await edit("cordon-no-such-editor 2>/dev/null"), undefined);
  });
});
