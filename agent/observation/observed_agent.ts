import type { Agent } from "../agent.ts";
import { failureOf } from "../failure.ts";
import type { TaskEnd } from "../loop/loop.ts";
import { textOf } from "../loop/steering.ts";
import type { Observe } from "./observation.ts";

/** Who records an agent's run, as far as its agent has to know. */
export interface RunRecords {
  readonly observe: Observe;
  /** Lets go of what was recorded; waits for nobody for long. */
  close(): Promise<void>;
  /** The same for a process that ends at once. */
  abandon(): Promise<void>;
}

/** The same agent, whose tasks are observed; the records end with it. `now` is in milliseconds. */
export function observedAgent(agent: Agent, records: RunRecords, now: () => number): Agent {
  const { observe } = records;
  return {
    ...agent,
    async task(content, signal, options) {
      const began = now();
      observe({ type: "task_started", prompt: textOf(content) });
      let end: Pick<TaskEnd, "reason" | "exitCode" | "turns"> | undefined;
      try {
        return end = await agent.task(content, signal, options);
      } catch (error) {
        end = { ...failureOf(error), turns: 0 };
        throw error;
      } finally {
        if (end) {
          const { reason, exitCode: exit_code, turns } = end;
          const duration_ms = now() - began;
          observe({ type: "task_ended", reason, exit_code, turns, duration_ms });
        }
      }
    },
    async close(reason) {
      try {
        await agent.close(reason);
      } finally {
        await records.close();
      }
    },
    async abandon() {
      await Promise.all([agent.abandon(), records.abandon()]);
    },
  };
}
