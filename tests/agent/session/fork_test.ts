import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { forkPoints, forkSession } from "../../../agent/session/fork.ts";
import { createSession } from "../../../agent/session/log.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import {
  answer,
  handWritten,
  headerFields,
  linesIn,
  ONE_OF_EACH,
  options,
  said,
} from "./fixtures.ts";

Deno.test("forkSession() goes on where the other stands, also while that is open", async () => {
  await using dir = await tempDir();
  const setup = options(dir.path);
  const source = await createSession(setup);
  for (const record of ONE_OF_EACH) await source.append(record);
  const fork = await forkSession({ folder: dir.path, id: source.id }, { ...setup, cwd: "/else" });
  deepStrictEqual([fork.header.parent, fork.header.cwd], [source.id, "/else"]);
  deepStrictEqual(fork.conversation.messages, source.conversation.messages);
  deepStrictEqual(fork.conversation.usage, source.conversation.usage);
  await fork.append(answer("in the fork"));
  strictEqual(fork.conversation.turns, source.conversation.turns + 1);
  await source.append(answer("in the source"));
  await source.close("done");
  await fork.close("done");
});

Deno.test("forkSession() keeps unknown types and fields", async () => {
  await using dir = await tempDir();
  const time = "2026-12-01T10:15:31.000Z";
  const records = [
    { id: "r1", parent: "x", time, type: "telepathy", waves: [1] },
    { id: "r2", parent: "r1", time, ...answer("hi"), mood: "good" },
  ];
  await handWritten(dir.path, "x", [headerFields("x"), ...records]);
  const fork = await forkSession({ folder: dir.path, id: "x" }, options(dir.path));
  await fork.close("done");
  const [, ...lines] = await linesIn(fork.path ?? "");
  deepStrictEqual(lines.slice(0, 2), [{ ...records[0], parent: fork.id }, records[1]]);
});

Deno.test("forkSession() stops at a record, and answers the calls that are open there", async () => {
  await using dir = await tempDir();
  const setup = options(dir.path);
  const source = await createSession(setup);
  for (const record of ONE_OF_EACH) await source.append(record);
  await source.close("done");
  const from = { folder: dir.path, id: source.id };
  const fork = await forkSession({ ...from, upTo: "r3" }, setup);
  const roles = fork.conversation.messages.map((message) => message.role);
  deepStrictEqual(roles, ["user", "assistant", "tool", "tool"]);
  await fork.close("done");
  await rejects(forkSession({ ...from, upTo: "r99" }, setup), { name: "RangeError" });
  await rejects(forkSession({ ...from, id: "none" }, setup), { kind: "missing" });
});

Deno.test("forkPoints() lie just before each thing that a person said", async () => {
  await using dir = await tempDir();
  const setup = options(dir.path);
  const source = await createSession(setup);
  const talk = [said("one"), answer("1"), said("two"), answer("2")];
  for (const record of talk) await source.append(record);
  await source.close("done");
  const points = await forkPoints(dir.path, source.id);
  deepStrictEqual(points, [source.id, "r2"]);
  for (const [i, upTo] of points.entries()) {
    const fork = await forkSession({ folder: dir.path, id: source.id, upTo }, setup);
    strictEqual(fork.conversation.messages.length, 2 * i);
    await fork.close("done");
  }
});

Deno.test("forkSession() leaves the name to the other", async () => {
  await using dir = await tempDir();
  const setup = options(dir.path);
  const source = await createSession(setup);
  await source.append({ type: "name", name: "mine" });
  const fork = await forkSession({ folder: dir.path, id: source.id }, setup);
  deepStrictEqual([source.conversation.name, fork.conversation.name], ["mine", undefined]);
  await fork.close("done");
  await source.close("done");
});

Deno.test("forkSession() copies the files that the records name", async () => {
  await using dir = await tempDir();
  const setup = options(dir.path);
  const source = await createSession(setup);
  for (const name of ["shot.png", "c1.out", "later.png", "unnamed.txt"]) {
    await source.blobs.save(name, new TextEncoder().encode(name));
  }
  await source.append(answer("a", ["c1", "bash"]));
  await source.append({
    ...{ type: "tool_result", call_id: "c1", is_error: false },
    text: `[output truncated: 50 KB of 3.1 MB shown, all in ${source.folder}/c1.out].`,
    blobs: [{ name: "shot.png", media_type: "image/png" }],
  });
  await source.append({
    type: "user",
    content: [{ type: "image", blob: "later.png", media_type: "image/png" }],
  });
  await source.close("done");
  const fork = await forkSession({ folder: dir.path, id: source.id, upTo: "r2" }, setup);
  const names = [...Deno.readDirSync(fork.folder ?? "")].map((entry) => entry.name);
  deepStrictEqual(names.sort(), ["c1.out", "shot.png"]);
  deepStrictEqual(await fork.blobs.load("c1.out"), new TextEncoder().encode("c1.out"));
  await fork.close("done");
});
