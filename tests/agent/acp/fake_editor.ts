import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { Editor } from "../../../agent/acp/editor.ts";
import { type EditorOffers, offersOf } from "../../../agent/acp/offers.ts";
import { SessionVoice } from "../../../agent/acp/session_voice.ts";

/** An editor in this process: what it was told and asked, and what it answers. */
export interface FakeEditor {
  readonly editor: Editor;
  readonly updates: SessionUpdate[];
  /** Method and parameters. */
  readonly asked: [method: string, params: unknown][];
  /** Lines that were logged. */
  readonly logged: string[];
  /** A voice of session "s" that has begun. */
  voice(): SessionVoice;
}

/** Answers requests by `answer`, which throws to refuse. */
export function fakeEditor(
  answer: (method: string, params: unknown, signal: AbortSignal) => unknown,
  offers: Partial<EditorOffers> = {},
): FakeEditor {
  const updates: SessionUpdate[] = [];
  const asked: [string, unknown][] = [];
  const logged: string[] = [];
  const editor: Editor = {
    offers: { ...offersOf(), ...offers },
    tell: (_, update) => Promise.resolve(void updates.push(update)),
    // The test answers what the method wants.
    // deno-lint-ignore no-explicit-any
    async ask(method, params, signal): Promise<any> {
      asked.push([method, params]);
      return await answer(method, params, signal);
    },
  };
  return {
    ...{ editor, updates, asked, logged },
    voice() {
      const voice = new SessionVoice(editor, (line) => logged.push(line), "tag");
      voice.begin("s");
      return voice;
    },
  };
}
