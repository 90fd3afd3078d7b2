/** A run of lines that differs: lines `oldStart` to before `oldEnd` became `newStart` to before `newEnd`. */
export interface Change {
  readonly oldStart: number;
  readonly oldEnd: number;
  readonly newStart: number;
  readonly newEnd: number;
}

/** Edit distance past which the rest counts as one change; keeps time and memory below some 10 MB. */
const MAX_DISTANCE = 1_000;

/** The changes from one list of lines to another, in order (Myers 1986, greedy). */
export function diffLines(
  old: readonly string[],
  fresh: readonly string[],
  maxDistance: number = MAX_DISTANCE,
): Change[] {
  let head = 0;
  const shorter = Math.min(old.length, fresh.length);
  while (head < shorter && old[head] === fresh[head]) head++;
  let tail = 0;
  while (tail < shorter - head && old.at(-1 - tail) === fresh.at(-1 - tail)) tail++;
  const oldEnd = old.length - tail;
  const newEnd = fresh.length - tail;
  if (head === oldEnd && head === newEnd) return [];
  const whole = { oldStart: head, oldEnd, newStart: head, newEnd };
  if (head === oldEnd || head === newEnd) return [whole];
  const ids = new Map<string, number>();
  const a = numbered(old.slice(head, oldEnd), ids);
  const b = numbered(fresh.slice(head, newEnd), ids);
  const trace = traceEdits(a, b, maxDistance);
  return trace === undefined ? [whole] : changesOf(trace, a, b, head);
}

function numbered(lines: readonly string[], ids: Map<string, number>): Uint32Array {
  return Uint32Array.from(lines, (line) => {
    const id = ids.get(line) ?? ids.size;
    ids.set(line, id);
    return id;
  });
}

/** Furthest reaching points per edit distance; entry d holds diagonals -d to d. */
function traceEdits(a: Uint32Array, b: Uint32Array, limit: number): Int32Array[] | undefined {
  const trace: Int32Array[] = [];
  const last = a.length + b.length;
  let reach = new Int32Array([0]);
  for (let distance = 0; distance <= Math.min(last, limit); distance++) {
    const next = new Int32Array(2 * distance + 1);
    for (let k = -distance; k <= distance; k += 2) {
      const down = stepsDown(reach, distance, k);
      let x = distance === 0
        ? 0
        : down
        ? at(reach, distance - 1, k + 1)
        : at(reach, distance - 1, k - 1) + 1;
      while (x < a.length && x - k < b.length && x - k >= 0 && a[x] === b[x - k]) x++;
      next[k + distance] = x;
      if (x >= a.length && x - k >= b.length) {
        trace.push(next);
        return trace;
      }
    }
    trace.push(next);
    reach = next;
  }
  return undefined;
}

function stepsDown(reach: Int32Array, distance: number, k: number): boolean {
  return k === -distance ||
    (k !== distance && at(reach, distance - 1, k - 1) < at(reach, distance - 1, k + 1));
}

function at(reach: Int32Array, distance: number, k: number): number {
  return reach[k + distance] ?? 0;
}

function changesOf(trace: Int32Array[], a: Uint32Array, b: Uint32Array, offset: number): Change[] {
  const changes: Change[] = [];
  let x = a.length;
  let y = b.length;
  for (let distance = trace.length - 1; distance > 0; distance--) {
    const before = trace[distance - 1] ?? new Int32Array(1);
    const k = x - y;
    const down = stepsDown(before, distance, k);
    const fromK = down ? k + 1 : k - 1;
    const fromX = at(before, distance - 1, fromK);
    const fromY = fromX - fromK;
    const step = {
      oldStart: fromX + offset,
      oldEnd: fromX + (down ? 0 : 1) + offset,
      newStart: fromY + offset,
      newEnd: fromY + (down ? 1 : 0) + offset,
    };
    prepend(changes, step);
    x = fromX;
    y = fromY;
  }
  return changes.reverse();
}

/** Adds a step found from the end backwards; it joins the change that it touches. */
function prepend(changes: Change[], step: Change): void {
  const next = changes.at(-1);
  if (next !== undefined && next.oldStart === step.oldEnd && next.newStart === step.newEnd) {
    changes[changes.length - 1] = { ...next, oldStart: step.oldStart, newStart: step.newStart };
  } else changes.push(step);
}
