import { deepStrictEqual } from "node:assert/strict";
import { historyOf } from "../../../agent/acp/history.ts";
import { createSession, readLogFile } from "../../../agent/session/log.ts";
import { PIXEL } from "../../helpers/pixel.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { answer, ONE_OF_EACH, options, result, said } from "../session/fixtures.ts";

const names = { path: (path: string) => `/project/${path}`, cwd: () => "/project" };

async function past(records: Parameters<Awaited<ReturnType<typeof createSession>>["append"]>[0][]) {
  await using dir = await tempDir();
  const session = await createSession(options(dir.path));
  for (const record of records) await session.append(record);
  await session.close("done");
  const log = await readLogFile(session.path ?? "");
  let ids = 0;
  const load = (name: string) => Promise.resolve(name === "a.png" ? PIXEL : undefined);
  const newId = (wish: string) => `${wish}#${++ids}`;
  return await Array.fromAsync(historyOf(log, { names, newId, load }));
}

Deno.test("historyOf() tells what was said and done, and nothing else", async () => {
  const kinds = (await past([...ONE_OF_EACH])).map((update) => update.sessionUpdate);
  deepStrictEqual(kinds, [
    "user_message_chunk",
    "agent_message_chunk",
    ...["tool_call", "tool_call", "tool_call_update", "tool_call_update"] as const,
    "agent_message_chunk",
  ]);
});

Deno.test("historyOf() pairs results with calls of the same id, and shows images that are there", async () => {
  const shown = {
    ...result("c1", { found: true }, "an image"),
    blobs: [{ name: "a.png", media_type: "image/png" }, {
      name: "gone.png",
      media_type: "image/png",
    }],
  };
  const updates = await past([
    said("look"),
    answer("", ["c1", "view_image"]),
    shown as typeof shown & { type: "tool_result" },
    answer("", ["c1", "bash"]),
    result("c1", null),
    // Its call was never made.
    result("c9", {}),
  ]);
  deepStrictEqual(
    updates.flatMap((update) =>
      update.sessionUpdate === "tool_call_update"
        ? [[
          update.toolCallId,
          update.status,
          update.content?.map((part) =>
            part.type === "content"
              ? [part.content.type, "text" in part.content ? part.content.text : ""]
              : []
          ),
        ]]
        : []
    ),
    [
      ["c1#1", "completed", [["text", "```\nan image\n```"], ["image", ""], [
        "text",
        "[image gone.png: it is gone]",
      ]]],
      ["c1#2", "failed", [["text", "```\ndid c1\n```"]]],
    ],
  );
});
