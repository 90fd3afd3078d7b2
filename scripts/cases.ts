/**
 * `deno task cases`: plays the published edit cases and our own through the tools, and prints for
 * each kind how many hold. Ends with 1 where one does not.
 */
import {
  type BehaviourCase,
  type EditCase,
  isEditCase,
  playBehaviour,
  playEdit,
  readCases,
} from "../tests/helpers/edit_cases.ts";

/** How the cases of one kind went. */
interface Row {
  readonly kind: string;
  readonly held: number;
  readonly total: number;
}

interface Played {
  readonly id: string;
  readonly kind: string;
  readonly problem: string | undefined;
}

/** Counts by kind, in the order in which kinds come. */
export function countByKind(played: readonly Pick<Played, "kind" | "problem">[]): Row[] {
  const kinds = Map.groupBy(played, ({ kind }) => kind);
  return [...kinds].map(([kind, cases]) => ({
    kind,
    held: cases.filter(({ problem }) => problem === undefined).length,
    total: cases.length,
  }));
}

/** The rows as a table, with a line of totals. */
export function renderTable(title: string, rows: readonly Row[]): string {
  const sum = (count: (row: Row) => number) => rows.reduce((total, row) => total + count(row), 0);
  const all = [
    ...rows,
    { kind: "all", held: sum(({ held }) => held), total: sum(({ total }) => total) },
  ];
  const width = Math.max(title.length, ...all.map(({ kind }) => kind.length));
  const line = ({ kind, held, total }: Row) =>
    `${kind.padEnd(width)}  ${String(held).padStart(4)} of ${String(total).padStart(4)}`;
  return [title, ...all.map(line)].join("\n");
}

async function play<C extends { readonly id: string; readonly kind: string }>(
  cases: readonly C[],
  playOne: (one: C) => Promise<string | undefined>,
  kindOf: (one: C) => string,
): Promise<Played[]> {
  const played: Played[] = [];
  for (const one of cases) {
    played.push({ id: one.id, kind: kindOf(one), problem: await playOne(one) });
  }
  return played;
}

if (import.meta.main) {
  const failed: Played[] = [];
  const show = (title: string, played: readonly Played[]) => {
    console.log(`${renderTable(title, countByKind(played))}\n`);
    failed.push(...played.filter(({ problem }) => problem !== undefined));
  };
  for (const name of ["edit-a", "edit-own"]) {
    show(name, await play(await readCases<EditCase>(name), playEdit, ({ kind }) => kind));
  }
  for (const name of ["behaviour-a", "behaviour-own"]) {
    const calls = (await readCases<BehaviourCase>(name)).filter(isEditCase);
    show(name, await play(calls, playBehaviour, ({ tool, kind }) => `${tool} ${kind}`));
  }
  for (const { id, problem } of failed) console.log(`${id}: ${problem}`);
  Deno.exitCode = failed.length > 0 ? 1 : 0;
}
