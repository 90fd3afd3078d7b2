import type { Children, ChildRequest, RoleFacts, Started } from "../../tools/subagent/children.ts";
import { nearestNames } from "../../tools/nearest_name.ts";
import { parseAnswerSchema } from "../answer_schema.ts";
import { ConfigurationError } from "../json_file.ts";
import type { Apart, Tenant } from "./apart.ts";
import type { PreparedChild } from "./child_run.ts";
import { type ChildParts, OwnChild } from "./own_child.ts";
import type { ChildToStart } from "./launch_child.ts";
import type { Role } from "./roles.ts";

/** What the children of a session are made with. */
export interface RegistryParts
  extends Pick<ChildParts, "approve" | "onChange" | "note" | "readLog" | "now" | "stopGraceMs"> {
  readonly roles: ReadonlyMap<string, Role>;
  /** So many work at once; the others wait for a place. */
  readonly maxAtOnce: number;
  /** The number of the first. */
  readonly firstId: number;
  /**
   * Works out how a child is started.
   * @throws {Error} where it cannot be started, in one sentence.
   */
  readonly prepare: (child: ChildToStart, apart?: string) => PreparedChild;
  /** Opens a worktree for a child; a sentence on why none can be had, where that is settled. */
  readonly openApart: string | ((tenant: Tenant, signal: AbortSignal) => Promise<Apart>);
}

/** Children that have not ended, at the most: a model in a loop must not fill the machine. */
export const MAX_UNFINISHED = 250;

/** Ended children of which the last message is kept, at the most; the logs of all of them stay. */
const MAX_KEPT = 500;

/** The children of a session: a queue, some that work, and what came of the others. */
export class ChildRegistry implements Children, AsyncDisposable {
  readonly #parts: RegistryParts;
  readonly #children = new Map<string, OwnChild>();
  readonly #queue: OwnChild[] = [];
  readonly #unannounced = new Set<OwnChild>();
  #working = 0;
  #lastId: number;
  #closed = false;

  constructor(parts: RegistryParts) {
    this.#parts = parts;
    this.#lastId = parts.firstId - 1;
  }

  get roles(): readonly RoleFacts[] {
    return [...this.#parts.roles.values()];
  }

  async start(request: ChildRequest): Promise<Started> {
    const role = this.#parts.roles.get(request.role);
    if (!role) return { ok: false, problem: this.#unknownRole(request.role) };
    const { openApart, approve, note } = this.#parts;
    const isApart = request.isolation === "worktree";
    if (isApart && typeof openApart === "string") return { ok: false, problem: openApart };
    const misfit = await schemaProblem(request.schema);
    if (misfit !== undefined) return { ok: false, problem: misfit };
    const unfinished = this.list().filter((child) => child.facts().end === undefined).length;
    if (this.#closed || unfinished >= MAX_UNFINISHED) {
      const why = this.#closed ? "the session ends" : `${unfinished} are not finished yet`;
      return { ok: false, problem: `Cannot start a sub-agent: ${why}` };
    }
    const id = `c${++this.#lastId}`;
    const by = `sub-agent ${id} (${request.role}${titleOf(request)})`;
    const { onChange, readLog, now, stopGraceMs } = this.#parts;
    const child = new OwnChild({
      ...{ id, request, onChange, readLog, now },
      ...(stopGraceMs !== undefined && { stopGraceMs }),
      prepare: (apart) => this.#parts.prepare({ id, role, request }, apart),
      ...(isApart && typeof openApart !== "string" && {
        openApart: (signal) => openApart({ id, by, request }, signal),
      }),
      approve: (question, signal) =>
        approve({ ...question, callId: `${id}/${question.callId}`, by }, signal),
      note: (line, alarm) => note(`${id}: ${line}`, alarm),
    });
    this.#children.set(id, child);
    this.#unannounced.add(child);
    this.#queue.push(child);
    this.#parts.onChange(child);
    this.#fill();
    return { ok: true, child };
  }

  find(id: string): OwnChild | undefined {
    return this.#children.get(id);
  }

  list(): readonly OwnChild[] {
    return [...this.#children.values()];
  }

  /** Children that ended since the last time, each once. */
  takeEnded(): readonly OwnChild[] {
    const ended = [...this.#unannounced].filter((child) => child.facts().end !== undefined);
    for (const child of ended) {
      this.#unannounced.delete(child);
      child.announced();
    }
    this.#forgetOldest();
    return ended;
  }

  /** Children whose end was not taken yet: what they used is in no log. */
  get untaken(): readonly OwnChild[] {
    return [...this.#unannounced];
  }

  /** Children whose question the model does not know. */
  takeQuestions(): readonly OwnChild[] {
    const asking = this.list().filter((child) => child.hasNewQuestion);
    for (const child of asking) child.told();
    return asking;
  }

  /** Has all of them end without waiting for it. */
  abandon(): void {
    this.#closed = true;
    for (const child of this.#children.values()) child.abandon();
  }

  /** Ends all of them; no process of them is left once this resolves. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed = true;
    await this.cancelAll("cancelled");
  }

  async cancelAll(how: "cancelled" | "budget"): Promise<void> {
    await Promise.all(this.list().map((child) => child.cancel(how)));
  }

  #fill(): void {
    while (this.#working < this.#parts.maxAtOnce) {
      const next = this.#queue.shift();
      if (!next) return;
      if (next.facts().end) continue;
      this.#working++;
      void next.ended.then(() => {
        this.#working--;
        this.#fill();
      });
      next.begin();
    }
  }

  #forgetOldest(): void {
    const ended = this.list().filter((child) => !this.#unannounced.has(child));
    for (const { id } of ended.slice(0, Math.max(0, ended.length - MAX_KEPT))) {
      this.#children.delete(id);
    }
  }

  #unknownRole(name: string): string {
    const known = [...this.#parts.roles.keys()];
    const guess = nearestNames(name, known)[0];
    return `There is no role "${name}"${guess ? `, did you mean ${guess}` : ""}: ` +
      `the roles are ${known.join(", ")}`;
  }
}

/** What is wrong with a schema; said at once, since the child's work would be for nothing. */
async function schemaProblem(schema: unknown): Promise<string | undefined> {
  if (schema === undefined) return undefined;
  try {
    await parseAnswerSchema("schema", JSON.stringify(schema));
    return undefined;
  } catch (error) {
    if (error instanceof ConfigurationError) return error.message;
    throw error;
  }
}

function titleOf({ description }: ChildRequest): string {
  return description === undefined ? "" : `: ${description}`;
}
