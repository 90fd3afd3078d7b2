/**
 * `deno task cases`: plays the published edit cases through the tools, and prints for each kind how
 * many hold. Ends with 1 where one does not.
 */
import {
  type BehaviourCase,
  type EditCase,
  isToolCase,
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
  const edits = await play(await readCases<EditCase>("edit-a"), playEdit, ({ kind }) => kind);
  const calls = (await readCases<BehaviourCase>("behaviour-a")).filter(isToolCase);
  const behaviour = await play(calls, playBehaviour, ({ tool, kind }) => `${tool} ${kind}`);
  console.log(renderTable("edit-a", countByKind(edits)));
  console.log(`\n${renderTable("behaviour-a", countByKind(behaviour))}`);
  const failed = [...edits, ...behaviour].filter(({ problem }) => problem !== undefined);
  for (const { id, problem } of failed) console.log(`${id}: ${problem}`);
  Deno.exitCode = failed.length > 0 ? 1 : 0;
}
