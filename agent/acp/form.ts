import type { ElicitationPropertySchema } from "@agentclientprotocol/sdk";
import type { Person, PersonQuestion } from "../../tools/tool.ts";
import type { SessionVoice } from "./session_voice.ts";

/** Puts the model's questions to the person behind an editor, as forms. */
export function personByForm(voice: SessionVoice): Person {
  return {
    async ask(question, signal) {
      const { id: sessionId } = voice;
      if (sessionId === undefined) return undefined;
      try {
        const answer = await voice.editor.ask("elicitation/create", {
          mode: "form",
          sessionId,
          message: question.question,
          requestedSchema: { type: "object", properties: fieldsOf(question) },
        }, signal);
        const content = answer.action === "accept" ? answer["content"] : undefined;
        return answerIn(content, question);
      } catch {
        // Withdrawn, or the editor will not ask: there is no answer, and the model is told so.
        return undefined;
      }
    },
  };
}

/** Where there are options, another answer has a field of its own. */
function fieldsOf(
  { options, default: fallback }: PersonQuestion,
): Record<string, ElicitationPropertySchema> {
  const preset = fallback === undefined ? {} : { default: fallback };
  if (!options || options.length === 0) {
    return { answer: { type: "string", title: "Answer", ...preset } };
  }
  const listed = fallback !== undefined && options.includes(fallback) ? preset : {};
  return {
    choice: { type: "string", title: "Answer", enum: [...options], ...listed },
    other: { type: "string", title: "Another answer" },
  };
}

/** What was said; the default where the form came back empty. */
function answerIn(content: unknown, { default: fallback }: PersonQuestion): string | undefined {
  if (typeof content !== "object" || content === null) return undefined;
  // What any object is: its fields are looked at one by one.
  const { answer, choice, other } = content as Readonly<Record<string, unknown>>;
  const said = [other, answer, choice].find((value): value is string =>
    typeof value === "string" && value.trim() !== ""
  );
  return said ?? fallback;
}
