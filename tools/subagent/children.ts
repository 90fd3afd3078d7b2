/** How a child ended; `lost` with a program that died, so that nobody saw its end. */
export const CHILD_ENDS = [
  "success",
  "failure",
  "timeout",
  "budget",
  "cancelled",
  "lost",
] as const;
export type ChildEndState = typeof CHILD_ENDS[number];

/** What a child is at: waiting for a place, working, waiting for an answer, or at an end. */
export const CHILD_STATES = ["queued", "running", "question", ...CHILD_ENDS] as const;
export type ChildState = typeof CHILD_STATES[number];

/** Tokens of a child so far; `cost_usd` is absent where a price is unknown. */
export interface ChildUsage {
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  readonly reasoning_tokens: number;
  readonly cost_usd?: number | undefined;
}

/** A kind of child. */
export interface RoleFacts {
  readonly name: string;
  /** What it is for, in one line. */
  readonly description: string;
}

/** What became of what a child did in a worktree of its own. */
export interface Landing {
  /** How many paths were brought into the workspace, and the first of them. */
  readonly landed: number;
  readonly paths: readonly string[];
  /** Half a sentence on why its changes, or some of them, were not. */
  readonly problem?: string;
  /** With the problem: what stood against it. */
  readonly conflicts?: readonly { readonly path: string; readonly why: string }[];
  /** The folder of the worktree, where it stays, and why it does. */
  readonly kept?: { readonly path: string; readonly why: string };
  /** Has its commits, or is that of the worktree that stays. */
  readonly branch?: string;
  /** The beginning of what was not brought, as a unified diff. */
  readonly diff?: string;
}

/** A task for a child. */
export interface ChildRequest {
  readonly prompt: string;
  readonly role: string;
  /** A few words by which a person knows it. */
  readonly description?: string;
  /** JSON Schema that its answer must fit. */
  readonly schema?: unknown;
  /** Where it works; default the folder of its parent. */
  readonly isolation?: "none" | "worktree";
  readonly limits: ChildLimits;
  /** Whether its questions can be answered while it works. */
  readonly answersQuestions: boolean;
}

/** What ends a child that does not end by itself. */
export interface ChildLimits {
  /** From its start, time in the queue not counted, in milliseconds. */
  readonly timeoutMs: number;
  readonly maxTurns?: number;
  readonly maxCostUsd?: number;
  /** Input and output together. */
  readonly maxTokens?: number;
}

/** What is known of a child at a moment. */
export interface ChildFacts {
  readonly id: string;
  readonly role: string;
  readonly description: string;
  readonly state: ChildState;
  readonly turns: number;
  readonly usage: ChildUsage;
  /** Since its start, in milliseconds. */
  readonly durationMs: number;
  /** The session that it writes, once it has one. */
  readonly sessionId?: string;
  /** What it did last, in one line. */
  readonly activity?: string;
  /** With `question`: what it wants to know. */
  readonly question?: ChildQuestion;
  /** Once it has ended. */
  readonly end?: ChildEnd;
}

/** A question of a child to the agent that started it. */
export interface ChildQuestion {
  readonly question: string;
  readonly options?: readonly string[];
}

/** What came of a child. */
export interface ChildEnd {
  /** The reason of its run, or half a sentence on why it has none. */
  readonly reason: string;
  /** Its last message; where a schema was asked for and met, the JSON value alone. */
  readonly text: string;
  /** Where it worked in a worktree. */
  readonly landing?: Landing;
}

/** One child, running or not. */
export interface Child {
  readonly id: string;
  /** Whether it has ended, and the model knows of that neither by a result nor by being told. */
  readonly isNews: boolean;
  facts(): ChildFacts;
  /** Resolves when it has ended, or waits for an answer; at once where it does. */
  settled(): Promise<void>;
  /** Calls back after each change of its facts, until disposed. */
  watch(listener: () => void): Disposable;
  /** Answers its question, or tells it something while it works. */
  reply(text: string): "answered" | "told" | "ended";
  /** Ends it; resolves when no process of it is left. One that has ended stays as it ended. */
  cancel(how?: "cancelled" | "budget"): Promise<void>;
  /** Its end, or its question, is known to the model from a result: it is not announced. */
  told(): void;
  /**
   * What it did so far, as Markdown.
   * @throws {Error} where its session cannot be read.
   */
  log(): Promise<string>;
}

/** A child, or why there is none, in a sentence for the model. */
export type Started =
  | { readonly ok: true; readonly child: Child }
  | { readonly ok: false; readonly problem: string };

/** Agents that work for this one, each a process of its own; none outlives this one. */
export interface Children {
  /** Those that can be asked for. */
  readonly roles: readonly RoleFacts[];
  /** Starts one, or puts it into the queue. */
  start(request: ChildRequest): Promise<Started>;
  find(id: string): Child | undefined;
  /** In the order of their start, those that have ended included. */
  list(): readonly Child[];
}
