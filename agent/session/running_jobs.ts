/** The jobs of a session, as far as results of calls tell of them. */
export class RunningJobs {
  readonly #running = new Set<string>();
  #last = 0;

  /** Those of which a result told and whose end is not known. */
  get ids(): readonly string[] {
    return [...this.#running];
  }

  /** The highest number of a job so far; 0 where there was none. */
  get last(): number {
    return this.#last;
  }

  /** Takes the value of a tool, which may say that a job runs. */
  note(value: unknown): void {
    const id = runningJobOf(value);
    if (id === undefined) return;
    this.#running.add(id);
    this.#last = Math.max(this.#last, Number(id) || 0);
  }

  end(id: string): void {
    this.#running.delete(id);
  }
}

function runningJobOf(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (!("job_id" in value) || !("running" in value) || value.running !== true) return undefined;
  return typeof value.job_id === "string" ? value.job_id : undefined;
}
