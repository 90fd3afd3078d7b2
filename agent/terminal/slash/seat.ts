import type { Agent } from "../../agent.ts";
import type { OptionValues } from "../../command_line/options.ts";
import { failureOf } from "../../failure.ts";

/** What a person may change of a conversation that goes on: options that replace the present ones. */
export type Change =
  /** The same session, run in another way. */
  | {
    readonly kind: "settings";
    readonly options: Pick<OptionValues, "model" | "profile" | "approval">;
    /** Options that no longer hold. */
    readonly without?: readonly (keyof OptionValues)[];
  }
  /** Another session, which goes on. */
  | { readonly kind: "resume"; readonly id: string }
  /** A copy of the present session, from before the `at`th thing that was said, or whole. */
  | { readonly kind: "fork"; readonly at?: number }
  /** A session in which nothing was said. */
  | { readonly kind: "new" };

/** Whether somebody else sits there now; else why not, in a sentence. */
export type Exchanged = { readonly ok: true } | { readonly ok: false; readonly problem: string };

/** Builds agents for one place and audience. */
export interface Starter {
  /** Rejects with what keeps an agent from being built, as far as that shows beforehand. */
  check(options: OptionValues): Promise<void>;
  start(options: OptionValues): Promise<Agent>;
}

/**
 * The place of the agent that a person talks with. Model, profile and session of an agent are fixed,
 * so a change of them exchanges the agent; where the new one cannot be had, the old one stays, or
 * comes back.
 */
export class Seat {
  readonly #starter: Starter;
  #agent: Agent;
  #options: OptionValues;
  #lastReason = "done";
  #isEmpty = false;

  private constructor(starter: Starter, agent: Agent, options: OptionValues) {
    this.#starter = starter;
    this.#agent = agent;
    this.#options = options;
  }

  /**
   * Lets the first agent take its place. `onSeated` is told of each that does, the first included.
   * @throws what `starter.start` does.
   */
  static async take(
    starter: Starter,
    options: OptionValues,
    onSeated: (agent: Agent) => void = () => {},
  ): Promise<Seat> {
    const seating: Starter = {
      check: (asked) => starter.check(asked),
      async start(asked) {
        const agent = await starter.start(asked);
        onSeated(agent);
        return agent;
      },
    };
    return new Seat(seating, await seating.start(options), options);
  }

  /** Nobody sits there any more: an exchange failed, and the old agent could not be had back. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** Who sits there now; not to be kept, since it may be exchanged. */
  get agent(): Agent {
    return this.#agent;
  }

  /** The options that the present agent was started with. */
  get options(): OptionValues {
    return this.#options;
  }

  /** How the last turn ended, which the session's end is told with. */
  set lastReason(reason: string) {
    this.#lastReason = reason;
  }

  /**
   * Exchanges the agent; not to be called while it works.
   * @throws what `starter.start` does, where the old one could not be had back either.
   */
  async exchange(change: Change): Promise<Exchanged> {
    const logged = this.#agent.session.path !== undefined;
    if (!logged && change.kind !== "new") {
      const problem = "Cannot change that here: no log is kept, so nothing said would be known";
      return { ok: false, problem };
    }
    const options = optionsFor(change, this.#options, this.#agent.session.id);
    return change.kind === "settings" ? await this.#reopen(options) : await this.#moveTo(options);
  }

  /** Ends the present agent and its session; does nothing where there is none. */
  async close(): Promise<void> {
    if (!this.#isEmpty) await this.#agent.close(this.#lastReason);
  }

  /** Another session: the old agent leaves once the new one is there. */
  async #moveTo(options: OptionValues): Promise<Exchanged> {
    const old = this.#agent;
    try {
      this.#agent = await this.#starter.start(options);
    } catch (error) {
      return problemOf(error);
    }
    this.#options = settled(options, this.#agent.session.id);
    await old.close(this.#lastReason);
    this.#lastReason = "done";
    return { ok: true };
  }

  /** The same session, whose log is locked while it is open: the old agent leaves first. */
  async #reopen(options: OptionValues): Promise<Exchanged> {
    try {
      await this.#starter.check(options);
    } catch (error) {
      return problemOf(error);
    }
    await this.#agent.close(this.#lastReason);
    const { id } = this.#agent.session;
    this.#isEmpty = true;
    let exchanged: Exchanged = { ok: true };
    try {
      this.#agent = await this.#starter.start(options);
      this.#options = settled(options, id);
    } catch (error) {
      exchanged = problemOf(error);
      this.#agent = await this.#starter.start(settled(this.#options, id));
    }
    this.#isEmpty = false;
    return exchanged;
  }
}

function optionsFor(change: Change, present: OptionValues, id: string): OptionValues {
  switch (change.kind) {
    case "settings": {
      const kept = { ...settled(present, id) };
      for (const name of change.without ?? []) delete kept[name];
      return { ...kept, ...change.options };
    }
    case "resume":
      return settled(present, change.id);
    case "fork":
      return {
        ...settled(present, id),
        fork: true,
        ...(change.at !== undefined && { at: change.at }),
      };
    case "new":
      return withoutSession(present);
  }
}

/** The options that go on with a session as it is. */
function settled(options: OptionValues, id: string): OptionValues {
  return { ...withoutSession(options), resume: id };
}

function withoutSession(options: OptionValues): OptionValues {
  const { resume: _resume, continue: _continue, fork: _fork, at: _at, ...rest } = options;
  return rest;
}

/** Of an error that nobody expected the stack is what can be reported. */
function problemOf(error: unknown): Exchanged {
  const { message, stack } = failureOf(error);
  return { ok: false, problem: stack ?? message };
}
