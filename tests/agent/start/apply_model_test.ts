import { match, rejects, strictEqual } from "node:assert/strict";
import { applyModel } from "../../../agent/start/apply_model.ts";
import { createModel } from "../../../agent/model/connect.ts";
import { morph } from "../../../tools/morph.ts";
import { modelServer } from "../../helpers/model_server.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { filesIn, runTool } from "../../helpers/tool_calls.ts";
import { options } from "../model/asking.ts";

const FILE = "one();\ntwo();\nthree();\n";
const UPDATE = "// ... existing code ...\n2();\n// ... existing code ...\n";

Deno.test("morph by a model behind the HTTP interface", async () => {
  const merged = FILE.replace("two", "2");
  await using server = await modelServer([{ text: merged }]);
  await using dir = await tempDir({ "a.ts": FILE });
  const model = applyModel(createModel(options(server)));
  const args = { path: "a.ts", update: UPDATE, instructions: "Call 2" };
  const { value, text } = await runTool(morph, args, { files: filesIn(dir.path), model });
  strictEqual(value.ok, true, text);
  strictEqual(await Deno.readTextFile(dir.join("a.ts")), merged);
  const [system, user] = server.requests[0]?.body.messages ?? [];
  match(system.content, /^Merge the update into the code/);
  strictEqual(
    user.content,
    `<instruction>Call 2</instruction>\n<code>${FILE}</code>\n<update>${UPDATE}</update>`,
  );
});

Deno.test("applyModel() takes no answer that was cut off", async () => {
  await using server = await modelServer([{ text: "one();\n", finish: "length" }]);
  const model = applyModel(createModel(options(server)));
  await rejects(
    model.complete("x"),
    /^Error: Cannot merge by m1: its answer did not end \(length\)/,
  );
});
