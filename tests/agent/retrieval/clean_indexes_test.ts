import { deepStrictEqual } from "node:assert/strict";
import { cleanIndexes } from "../../../agent/retrieval/clean_indexes.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

Deno.test("cleanIndexes() removes what is old and not at work", async (t) => {
  await using dir = await tempDir({
    "old.sqlite": "x",
    "old.sqlite-wal": "x",
    "old.sqlite.lock": "",
    "new.sqlite": "x",
    "new.sqlite.lock": "",
    "busy.sqlite": "x",
    "busy.sqlite.lock": "",
    "other.txt": "x",
  });
  const before = new Date(Date.now() - 20 * DAY_MS);
  for (const name of ["old.sqlite", "busy.sqlite", "other.txt"]) {
    await Deno.utime(dir.join(name), before, before);
  }
  using busy = await Deno.open(dir.join("busy.sqlite.lock"), { write: true });
  await busy.lock(true);
  const left = async (now: number) => {
    await cleanIndexes(dir.path, 14 * DAY_MS, now);
    return (await Array.fromAsync(Deno.readDir(dir.path))).map(({ name }) => name).sort();
  };
  await t.step("old ones", async () => {
    deepStrictEqual(await left(Date.now()), [
      ...["busy.sqlite", "busy.sqlite.lock", "new.sqlite", "new.sqlite.lock", "other.txt"],
    ]);
  });
  await t.step("a busy one later, when it is free", async () => {
    await busy.unlock();
    deepStrictEqual(await left(Date.now()), ["new.sqlite", "new.sqlite.lock", "other.txt"]);
  });
  await t.step("nothing where there is no folder", async () => {
    await cleanIndexes(dir.join("none"), 1, Date.now());
  });
});
