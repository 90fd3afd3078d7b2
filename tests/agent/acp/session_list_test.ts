import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { sessionPage } from "../../../agent/acp/session_list.ts";
import { titleOf } from "../../../agent/acp/title.ts";
import { createSession } from "../../../agent/session/log.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { options, said } from "../session/fixtures.ts";

Deno.test("sessionPage() goes through all sessions, each once, also those of the same time", async () => {
  await using dir = await tempDir();
  const setup = options(dir.path);
  const now = () => new Date(Date.UTC(2026, 0, 1));
  for (let n = 0; n < 60; n++) {
    const session = await createSession({ ...setup, now, cwd: n % 4 === 0 ? "/else" : "/project" });
    if (n > 0) await session.append(said(`task ${n}`));
    await session.close("done");
  }
  const all: string[] = [];
  let cursor: string | undefined;
  const sizes: number[] = [];
  do {
    const page = await sessionPage(dir.path, undefined, cursor);
    all.push(...page.sessions.map(({ sessionId }) => sessionId));
    sizes.push(page.sessions.length);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  // One in which nothing was said is none to go on with.
  deepStrictEqual(sizes, [50, 9]);
  strictEqual(new Set(all).size, 59);
  const elsewhere = await sessionPage(dir.path, "/else", undefined);
  deepStrictEqual([elsewhere.sessions.length, elsewhere.nextCursor], [14, undefined]);
  strictEqual(elsewhere.sessions[0]?.cwd, "/else");
  for (const bad of ["", "x", "12", "12:", "99999999999999999999:x"]) {
    await rejects(sessionPage(dir.path, undefined, bad), /There is no such page/);
  }
});

Deno.test("titleOf() is the name, else what was said first, on one line", () => {
  strictEqual(titleOf({ name: "mine", firstPrompt: "task" }), "mine");
  strictEqual(titleOf({ firstPrompt: "\u001b[1mfix\n it\u001b[0m" }), "fix it");
  strictEqual(titleOf({ firstPrompt: " \n" }), undefined);
  strictEqual(titleOf({}), undefined);
  strictEqual(titleOf({ firstPrompt: "x".repeat(500) })?.length, 81);
});
