import type { Approver } from "../gate/approver.ts";
import { styleFor } from "../terminal/style.ts";
import type { Desk } from "../terminal/slash/desk.ts";
import type { Seat } from "../terminal/slash/seat.ts";
import { fencedText } from "./call_content.ts";
import type { SessionVoice } from "./session_voice.ts";

/** What a desk in an editor is made of. */
export interface EditorDeskParts {
  readonly seat: Seat;
  readonly voice: SessionVoice;
  readonly approve: Approver;
  /** Raised when the person stops the turn. */
  readonly signal: AbortSignal;
  readonly submit: Desk["submit"];
}

/** What is drawn in columns is drawn for so many: panels of editors are narrow. */
const COLUMNS = 80;

const STYLE = styleFor({ flag: "never", isTerminal: false, env: () => undefined });

/** A desk whose words stand in the conversation, and whose questions are requests for permission. */
export function editorDesk({ seat, voice, approve, signal, submit }: EditorDeskParts): Desk {
  const say = (text: string) => voice.say(text.includes("\n") ? fencedText(text) : text);
  async function confirm(ask: string): Promise<boolean> {
    const question = {
      callId: "",
      tool: "Cordon",
      arguments: "{}",
      reason: "you asked for it",
      ask,
    };
    return (await approve(question, signal)).decision === "allow";
  }
  return {
    ...{ seat, say, confirm, submit },
    sayMarkdown: (markdown) => voice.say(markdown),
    draw: (lines) => say(lines({ width: COLUMNS, style: STYLE }).join("\n")),
    note: (line) => voice.note(line),
    warn: (line) => voice.say(line),
    // No command that is given here asks for these.
    ask: () => Promise.resolve(undefined),
    choose: () => Promise.resolve(undefined),
    working: (_, act) => act(signal, () => {}),
    leave() {},
  };
}
