import type { Agent } from "../agent.ts";
import type { Desk } from "../terminal/slash/desk.ts";
import { listedCommands, offeredCommands } from "./commands.ts";
import type { SessionVoice } from "./session_voice.ts";
import { titleOf } from "./title.ts";

/** Tells an editor what has changed of a session since it was told last. */
export class SessionNews {
  readonly #voice: SessionVoice;
  #title: string | undefined;
  #commands = "[]";

  constructor(voice: SessionVoice) {
    this.#voice = voice;
  }

  /** Looks for what is new at a desk. */
  async tell(desk: Desk): Promise<void> {
    this.#tellTitle(desk.seat.agent);
    const availableCommands = listedCommands(await offeredCommands(desk));
    const commands = JSON.stringify(availableCommands);
    if (commands === this.#commands) return;
    this.#commands = commands;
    await this.#voice.tell({ sessionUpdate: "available_commands_update", availableCommands });
  }

  #tellTitle({ session: { conversation } }: Agent): void {
    const { name, said: [first] } = conversation;
    const firstPrompt = first?.content.find((part) => part.type === "text")?.text;
    const title = titleOf({
      ...(name !== undefined && { name }),
      ...(firstPrompt !== undefined && { firstPrompt }),
    });
    if (title === undefined || title === this.#title) return;
    this.#title = title;
    const updatedAt = new Date().toISOString();
    void this.#voice.tell({ sessionUpdate: "session_info_update", title, updatedAt });
  }
}
