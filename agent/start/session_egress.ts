import type { EgressEvent } from "../../sandbox/egress/events.ts";
import type { EgressQuestions } from "../egress_questions.ts";
import { denyAll } from "../gate/approver.ts";
import { rulesOf } from "../gate/rules.ts";
import type { Launch } from "../launch.ts";
import type { Session } from "../session/log.ts";
import type { Audience } from "./audience.ts";

/** How questions of the network are put, and answers for the session kept. */
export function egressQuestions(
  { settings }: Launch,
  session: Session,
  { approve, inTurn }: Pick<EgressQuestions, "approve" | "inTurn">,
): EgressQuestions {
  const denies = settings.approval === "deny";
  return {
    ...{ approve: denies ? denyAll : approve, inTurn },
    rules: () => denies ? [] : rulesOf(session.conversation.standingApprovals),
    append: (record) => session.append(record),
  };
}

/** A connection that ended is logged with its bytes; one that was refused is told. */
export function tellEgress(event: EgressEvent, session: Session, audience: Audience): void {
  switch (event.type) {
    case "opened":
      return;
    case "closed": {
      const { source, host, port, bytesUp, bytesDown } = event;
      const record = { source, host, port, bytes_up: bytesUp, bytes_down: bytesDown };
      audience.emit({ type: "egress", ...record });
      // A log that fails says so to the loop, whose next record fails too.
      session.append({ type: "egress", ...record }).catch(() => {});
      return;
    }
    case "refused":
      audience.note(`network: ${event.message}`);
  }
}
