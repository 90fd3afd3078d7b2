import type { ClientCapabilities } from "@agentclientprotocol/sdk";

/** What an editor can do for us, as far as we go by it. */
export interface EditorOffers {
  /** It answers what its buffers hold, saved or not. */
  readonly readTextFile: boolean;
  /** It takes texts into its buffers. */
  readonly writeTextFile: boolean;
  /** It asks its person to fill in a form. */
  readonly forms: boolean;
  /** It shows sentences that are no part of the conversation. */
  readonly notices: boolean;
  /** It shows that older turns were summed up. */
  readonly compaction: boolean;
  /** It draws output as it comes, in a terminal that it does not run itself (an extension of Zed). */
  readonly terminalOutput: boolean;
}

/** What an editor offers by its own account; what it does not mention it does not offer. Pure. */
export function offersOf(said: ClientCapabilities = {}): EditorOffers {
  return {
    readTextFile: said.fs?.readTextFile === true,
    writeTextFile: said.fs?.writeTextFile === true,
    forms: isOffered(said.elicitation?.form),
    notices: isOffered(said.session?.notices),
    compaction: isOffered(said.session?.compaction),
    terminalOutput: said._meta?.["terminal_output"] === true,
  };
}

/** `{}` offers something, `null` and nothing do not. */
function isOffered(said: object | null | undefined): boolean {
  return said !== undefined && said !== null;
}
