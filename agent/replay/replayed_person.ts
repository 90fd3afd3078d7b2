import { isDeepStrictEqual } from "node:util";
import type { Person } from "../../tools/tool.ts";
import type { Approver } from "../gate/approver.ts";
import type { RecordedCall, Recording } from "./recording.ts";

/** How paths are put from the place of the replay to that of the recording, and back. */
export interface Places {
  toRecorded(text: string): string;
  toReplay(text: string): string;
}

/**
 * Answers a question as the person did then, where it is about exactly the same call. Whatever else
 * would ask has nobody to be asked.
 */
export function replayedApprover({ calls }: Recording, places: Places): Approver {
  const answered = new Map<string, number>();
  return ({ callId, tool, arguments: asked }) => {
    const call = calls.get(callId);
    const count = answered.get(callId) ?? 0;
    const approval = call?.approvals[count];
    const args = JSON.parse(places.toRecorded(asked));
    if (!call || !approval || call.name !== tool) return Promise.resolve(UNKNOWN);
    const { decision, remark, arguments: edited } = approval;
    if (edited !== undefined && isDeepStrictEqual(args, call.arguments)) {
      const text = places.toReplay(JSON.stringify(edited));
      return Promise.resolve({ decision: "edit", by: "person", arguments: text });
    }
    if (!isDeepStrictEqual(args, edited ?? call.arguments)) return Promise.resolve(UNKNOWN);
    answered.set(callId, count + 1);
    const by = decision === "unavailable" ? "policy" : "person";
    return Promise.resolve({ decision, by, ...(remark !== undefined && { remark }) });
  };
}

const UNKNOWN = { decision: "unavailable", by: "policy" } as const;

/** A person who answers the questions of a recording, each once; undefined where it has none. */
export function replayedPerson({ calls }: Recording): Person | undefined {
  const waiting = [...calls.values()].filter(({ name, result }) => name === "ask_user" && result);
  if (waiting.length === 0) return undefined;
  return {
    ask({ question }) {
      const index = waiting.findIndex((call) => field(call.arguments, "question") === question);
      const [call] = index < 0 ? [] : waiting.splice(index, 1);
      return Promise.resolve(call && answerOf(call));
    },
  };
}

function answerOf({ result }: RecordedCall): string | undefined {
  const answer = field(result?.value, "answer");
  return typeof answer === "string" ? answer : undefined;
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
