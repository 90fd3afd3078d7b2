import { strictEqual } from "node:assert/strict";
import {
  type BehaviourCase,
  type EditCase,
  isToolCase,
  playBehaviour,
  playEdit,
  readCases,
} from "../helpers/edit_cases.ts";

Deno.test("edit-a through the tools", async (t) => {
  for (const one of await readCases<EditCase>("edit-a")) {
    await t.step(one.id, async () => strictEqual(await playEdit(one), undefined));
  }
});

Deno.test("behaviour-a through the tools", async (t) => {
  for (const one of (await readCases<BehaviourCase>("behaviour-a")).filter(isToolCase)) {
    await t.step(one.id, async () => strictEqual(await playBehaviour(one), undefined));
  }
});
