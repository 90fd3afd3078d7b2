import type { SessionUpdate } from "@agentclientprotocol/sdk";
import type { Editor } from "./editor.ts";

/**
 * What a session says to its editor, in order. An editor knows a session by its id alone, so what is
 * said before it has that is kept until `begin`.
 */
export class SessionVoice {
  readonly #editor: Editor;
  readonly #log: (line: string) => void;
  readonly #tag: string;
  #id: string | undefined;
  #kept: SessionUpdate[] = [];
  #ids = 0;

  /**
   * `log` takes lines for whoever looks for what went wrong. `tag` is no other voice's: an editor may
   * remember what another one said in the same session.
   */
  constructor(editor: Editor, log: (line: string) => void, tag: string) {
    this.#editor = editor;
    this.#log = log;
    this.#tag = tag;
  }

  get editor(): Editor {
    return this.#editor;
  }

  /** The session's id; undefined before `begin`. */
  get id(): string | undefined {
    return this.#id;
  }

  /** The editor knows the session from now on. */
  begin(id: string): void {
    this.#id = id;
    const kept = this.#kept;
    this.#kept = [];
    for (const update of kept) void this.tell(update);
  }

  /** An id for something of the session that has none by itself. */
  newId(kind: string): string {
    return `${kind}-${this.#tag}-${++this.#ids}`;
  }

  /** Resolves when the update is written, or kept. */
  async tell(update: SessionUpdate): Promise<void> {
    if (this.#id === undefined) this.#kept.push(update);
    else await this.#editor.tell(this.#id, update);
  }

  /** A sentence beside the matter, which can be missed. */
  note(line: string): void {
    this.#log(line);
    this.#notice("info", line);
  }

  /** A sentence that must not be missed: where no notices are shown it is part of the conversation. */
  warn(line: string): void {
    this.#log(line);
    if (this.#editor.offers.notices) this.#notice("warning", line);
    else this.say(line);
  }

  /** Markdown that stands in the conversation, and that no model wrote. */
  say(markdown: string): void {
    const messageId = this.newId("note");
    const content = { type: "text", text: markdown } as const;
    void this.tell({ sessionUpdate: "agent_message_chunk", messageId, content });
  }

  #notice(severity: "info" | "warning", line: string): void {
    const title = line.replace(/^warning: /, "").trim();
    if (!this.#editor.offers.notices || title === "") return;
    const known = line.startsWith("warning: ") ? "warning" : severity;
    void this.tell({ sessionUpdate: "notice", severity: known, title });
  }
}
