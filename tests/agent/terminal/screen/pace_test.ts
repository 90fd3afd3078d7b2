import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { type Clock, Pace } from "../../../../agent/terminal/screen/pace.ts";

/** A clock that a test turns. */
class HandClock implements Clock {
  #now = 0;
  #timers: { at: number; act: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, act: () => void): () => void {
    const timer = { at: this.#now + ms, act };
    this.#timers.push(timer);
    return () => this.#timers = this.#timers.filter((other) => other !== timer);
  }

  async turn(ms: number): Promise<void> {
    this.#now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#now);
    this.#timers = this.#timers.filter(({ at }) => at > this.#now);
    for (const { act } of due) act();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

Deno.test("Pace draws at once, then as often as it may, and what asked last is drawn", async () => {
  const clock = new HandClock();
  const drawn: number[] = [];
  let state = 0;
  const pace = new Pace(
    () => {
      drawn.push(state);
      return Promise.resolve();
    },
    33,
    clock,
  );
  // 200 updates in a second.
  for (; state < 200; state++) {
    pace.ask();
    await clock.turn(5);
  }
  await clock.turn(33);
  strictEqual(drawn[0], 0);
  strictEqual(drawn.at(-1), 200);
  strictEqual(drawn.length <= 31, true, `${drawn.length} drawings`);
});

Deno.test("Pace waits for a terminal that is slow", async () => {
  const clock = new HandClock();
  const taken: PromiseWithResolvers<void>[] = [];
  const pace = new Pace(
    () => {
      const taking = Promise.withResolvers<void>();
      taken.push(taking);
      return taking.promise;
    },
    33,
    clock,
  );
  pace.ask();
  pace.ask();
  await clock.turn(1_000);
  strictEqual(taken.length, 1);
  taken[0]?.resolve();
  await clock.turn(0);
  strictEqual(taken.length, 2);
});

Deno.test("Pace.stop() draws no more", async () => {
  const clock = new HandClock();
  const drawn: number[] = [];
  const pace = new Pace(
    () => {
      drawn.push(clock.now());
      return Promise.resolve();
    },
    33,
    clock,
  );
  pace.ask();
  await clock.turn(0);
  pace.ask();
  pace.stop();
  await clock.turn(100);
  pace.ask();
  deepStrictEqual(drawn, [0]);
});
