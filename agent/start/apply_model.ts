import { type ApplyModel, text } from "../../tools/tool.ts";
import type { Model } from "../model/model.ts";

/** Apply models know their work; others that are configured in their place need to be told. */
const SYSTEM =
  "Merge the update into the code. Answer with the whole new file and nothing else, without a fence.";

/** How long one merge may take, in milliseconds: apply models write thousands of tokens a second. */
const MERGE_LIMIT_MS = 120_000;

/** A model as one that merges edits: each prompt is a conversation of its own. */
export function applyModel(model: Model): ApplyModel {
  return {
    async complete(prompt) {
      const messages = [{ role: "user", content: [text(prompt)] }] as const;
      const signal = AbortSignal.timeout(MERGE_LIMIT_MS);
      for await (const event of model.ask({ system: SYSTEM, messages, tools: [] }, signal)) {
        if (event.type !== "answer") continue;
        if (event.message.finish === "stop") return event.message.text;
        const why = `its answer did not end (${event.message.finish})`;
        throw new Error(`Cannot merge by ${model.name}: ${why}, use edit_file or patch`);
      }
      throw new Error(`Cannot merge by ${model.name}: it gave no answer, use edit_file or patch`);
    },
  };
}
