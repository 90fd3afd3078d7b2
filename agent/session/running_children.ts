/** The sub-agents of a session, as far as results of calls tell of them. */
export class RunningChildren {
  readonly #running = new Set<string>();
  /** Results come in any order, and one whose end is known may be told of again. */
  readonly #ended = new Set<string>();
  #last = 0;

  /** Those of which a result told and whose end is not known. */
  get ids(): readonly string[] {
    return [...this.#running];
  }

  /** The highest number of a sub-agent so far; 0 where there was none. */
  get last(): number {
    return this.#last;
  }

  /** Takes the value of a tool, which may tell of sub-agents. */
  note(value: unknown): void {
    for (const id of childrenIn(value)) {
      if (!this.#ended.has(id)) this.#running.add(id);
      this.#count(id);
    }
  }

  end(id: string): void {
    this.#running.delete(id);
    this.#ended.add(id);
    this.#count(id);
  }

  #count(id: string): void {
    this.#last = Math.max(this.#last, Number(/^c(\d{1,9})$/.exec(id)?.[1] ?? 0));
  }
}

/** The ids in `{child_id}` and in `{children: [{child_id}]}`. */
function childrenIn(value: unknown): string[] {
  if (typeof value !== "object" || value === null) return [];
  if ("children" in value && Array.isArray(value.children)) return value.children.flatMap(idOf);
  return idOf(value);
}

function idOf(value: unknown): string[] {
  if (typeof value !== "object" || value === null || !("child_id" in value)) return [];
  return typeof value.child_id === "string" ? [value.child_id] : [];
}
