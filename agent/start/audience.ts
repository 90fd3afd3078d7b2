import type { Person } from "../../tools/tool.ts";
import type { ChildStanding } from "../children/messages.ts";
import type { EventSink } from "../events.ts";
import type { FileLayer } from "../backing/file_layer.ts";
import type { Approver } from "../gate/approver.ts";
import type { McpServer } from "../mcp/servers.ts";
import type { Model } from "../model/model.ts";
import { redactedApprover, redactedEvents, redactedPerson, type Redaction } from "../redaction.ts";

/** Who watches a run, and who can be asked. */
export interface Audience {
  readonly emit: EventSink;
  /** A line for people, outside the events. */
  readonly note: (line: string) => void;
  /** The same for what a person must not miss. */
  readonly alarm: (line: string) => void;
  readonly approve: Approver;
  /** Whether a person can be asked. */
  readonly interactive: boolean;
  /** They can be asked once the agent is there, and not before. */
  readonly asksLater?: true;
  /** Who answers the questions of the model; absent where nobody does. */
  readonly person?: Person;
  /** JSON Schema that the answer must fit, as JSON. */
  readonly answerSchema?: string;
  /** Servers that they bring along, beside those that are configured. */
  readonly servers?: readonly McpServer[];
  /** What they lay over the files. */
  readonly fileLayer?: FileLayer;
  /** Answers in the place of the model that the options name, as in a replay. */
  readonly model?: Model;
  /** What ties a sub-agent to the session that started it; what concerns the folder was settled there. */
  readonly child?: ChildStanding & { readonly instructions: string };
}

/** Whether what concerns the folder can be asked before the agent is there. */
export function asksFirst(
  { interactive, asksLater, child }: Pick<Audience, "interactive" | "asksLater" | "child">,
): boolean {
  return interactive && !asksLater && child === undefined;
}

/** The same audience; what it is shown, told and asked comes without secrets. */
export function redactedAudience(audience: Audience, redaction: Redaction): Audience {
  return {
    ...audience,
    emit: redactedEvents(audience.emit, redaction),
    note: (line) => audience.note(redaction.redact(line)),
    alarm: (line) => audience.alarm(redaction.redact(line)),
    approve: redactedApprover(audience.approve, redaction),
    ...(audience.person && { person: redactedPerson(audience.person, redaction) }),
  };
}
