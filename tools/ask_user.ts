import * as z from "zod";
import { schema } from "./schema.ts";
import { defineTool, type Infer, text } from "./tool.ts";

const parameters = z.strictObject({
  question: z.string().min(1),
  options: z.array(z.string()).optional(),
  default: z.string().optional(),
});

const value = z.object({
  /** As typed or chosen; null where the person gave none. */
  answer: z.string().nullable(),
});

/** What a person answered. */
export type AskUserValue = Infer<typeof value>;

/** Asks the person; what they say is an answer, and never a yes to a call. */
export const askUser = defineTool({
  name: "ask_user",
  description: "Ask the person what only they can decide. It approves nothing.",
  parameters: schema(parameters),
  needs: { uses: ["person"] },
  plan: () => ({ touches: [] }),
  async run({ question, options, default: fallback }, { person, signal }): Promise<AskUserValue> {
    const answer = await person.ask({
      question,
      ...(options && { options }),
      ...(fallback !== undefined && { default: fallback }),
    }, signal);
    // A question that was withdrawn has no answer, and neither has the call.
    signal.throwIfAborted();
    return { answer: answer ?? null };
  },
  result: schema(value),
  render: ({ answer }) => [
    text(answer ?? "Take the safest way yourself, and say what you assumed.\n[no answer]"),
  ],
});
