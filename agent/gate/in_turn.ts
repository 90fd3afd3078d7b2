import type { Person } from "../../tools/tool.ts";
import { unlessAborted } from "../unless_aborted.ts";

/**
 * Lets one question stand at a time, in the order in which they came. `withdrawn` is what comes of
 * one whose signal is raised before its turn, at once.
 */
export type InTurn = <T>(
  ask: () => Promise<T>,
  withdrawn: () => T,
  signal: AbortSignal,
) => Promise<T>;

/** A queue in which questions wait for each other. */
export function questionQueue(): InTurn {
  let last: Promise<unknown> = Promise.resolve();
  return async (ask, withdrawn, signal) => {
    const before = last;
    const mine = Promise.withResolvers<void>();
    last = before.then(() => mine.promise);
    try {
      await unlessAborted(before, signal);
      return signal.aborted ? withdrawn() : await ask();
    } finally {
      mine.resolve();
    }
  };
}

/** The same person, whose questions wait for the others. */
export function inTurnPerson(person: Person, inTurn: InTurn): Person {
  return {
    ask: (question, signal) => inTurn(() => person.ask(question, signal), () => undefined, signal),
  };
}
