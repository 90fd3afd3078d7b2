import { strictEqual } from "node:assert/strict";
import {
  type BehaviourCase,
  type EditCase,
  isEditCase,
  playBehaviour,
  playEdit,
  readCases,
} from "../helpers/edit_cases.ts";

for (const name of ["edit-a", "edit-own"]) {
  Deno.test(`${name} through the tools`, async (t) => {
    for (const one of await readCases<EditCase>(name)) {
      await t.step(one.id, async () => strictEqual(await playEdit(one), undefined));
    }
  });
}

for (const name of ["behaviour-a", "behaviour-own"]) {
  Deno.test(`${name} through the tools`, async (t) => {
    for (const one of (await readCases<BehaviourCase>(name)).filter(isEditCase)) {
      await t.step(one.id, async () => strictEqual(await playBehaviour(one), undefined));
    }
  });
}
