import type { Audience } from "../start/audience.ts";
import type { Observe } from "./observation.ts";

/** The same audience; what it is shown and told is observed, too. */
export function overheard(audience: Audience, observe: Observe): Audience {
  const hear = (line: string, alarm: boolean) => observe({ type: "note", line, alarm });
  return {
    ...audience,
    emit(event) {
      observe(event);
      audience.emit(event);
    },
    note(line) {
      hear(line, false);
      audience.note(line);
    },
    alarm(line) {
      hear(line, true);
      audience.alarm(line);
    },
  };
}
