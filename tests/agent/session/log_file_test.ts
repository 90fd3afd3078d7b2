import { deepStrictEqual, rejects, strictEqual, throws } from "node:assert/strict";
import { LogFile } from "../../../agent/session/log_file.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

/** A log on a real file whose syncs end when the test says so. */
async function heldSyncs(path: string) {
  const file = await Deno.open(path, { append: true, create: true });
  const syncs: PromiseWithResolvers<void>[] = [];
  file.syncData = () => {
    const sync = Promise.withResolvers<void>();
    syncs.push(sync);
    return sync.promise;
  };
  return { log: new LogFile(path, file, 0), syncs };
}

/** Lets all that is ready run. */
function settle(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}

Deno.test("LogFile.durable() waits for a sync that began after the write", async () => {
  await using dir = await tempDir();
  const { log, syncs } = await heldSyncs(dir.join("log"));
  const done: string[] = [];
  const append = (line: string) => {
    log.write(line);
    return log.durable().then(() => done.push(line));
  };
  const all = [append("a"), append("b")];
  await settle();
  strictEqual(syncs.length, 1, "lines that follow each other share a sync");
  all.push(append("c"), append("d"));
  await settle();
  deepStrictEqual([syncs.length, done], [1, []], "a sync under way does not cover later lines");
  syncs[0]?.resolve();
  await settle();
  deepStrictEqual([syncs.length, done], [2, ["a", "b"]]);
  syncs[1]?.resolve();
  await Promise.all(all);
  deepStrictEqual(done, ["a", "b", "c", "d"]);
  await log.close();
});

Deno.test("LogFile takes nothing after a failed sync", async () => {
  await using dir = await tempDir();
  const { log, syncs } = await heldSyncs(dir.join("log"));
  log.write("a");
  const durable = log.durable();
  await settle();
  syncs[0]?.reject(new Error("input/output error"));
  const error = { kind: "write", message: /^Cannot write session log ".*": input\/output error$/ };
  await rejects(durable, error);
  throws(() => log.write("b"), error);
  strictEqual(log.failed, true);
  await log.close();
  strictEqual(await Deno.readTextFile(dir.join("log")), "a");
});
