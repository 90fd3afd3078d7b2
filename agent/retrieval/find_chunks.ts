import { allOf, anyOf, matchExpressions, quoted } from "../../tools/rag/match_expressions.ts";
import type { Database } from "./database.ts";
import { WEIGHTS } from "./schema.ts";

/** What a list of chunks is taken from. */
export interface ChunkQuery {
  readonly text: string;
  readonly sessions: boolean;
  /** Of each list, at the most. */
  readonly limit: number;
  /** Whether a chunk is wanted at all; absent: all are. */
  readonly isWanted?: (chunk: number) => boolean;
}

/** A word that is in more chunks says little, and to rank them all would take too long. */
const COMMON = 2_500;

/** In a small tree, a word in so much of it says little, too; but in few chunks any may. */
const COMMON_SHARE = 0.2;
const NEVER_COMMON = 40;

/** Matches that are ranked at the most. */
const MAX_RANKED = 4_000;

/** The same where most of them may not be wanted. */
const MAX_RANKED_OF_SOME = 40_000;

/** Words that a fragment stands for, at the most. */
const MAX_EXPANDED = 40;

/**
 * Ids of chunks as several lists, each with the best first: those with all words, those with any
 * that is not common, and, where these are few, those with words of which a part was asked for.
 */
export function findChunks(database: Database, query: ChunkQuery): number[][] {
  const { all, any, fragments } = matchExpressions(query.text);
  const most = commonFrom(database);
  const rare = any.filter((expression) => !isInMore(database, expression, most));
  const lists = [
    ...(all.length > 1 || rare.length === 0 ? [rank(database, allOf(all), query)] : []),
    ...(rare.length > 0 ? [rank(database, anyOf(rare), query)] : []),
  ];
  const found = new Set(lists.flat()).size;
  if (found >= query.limit) return lists;
  const wider = fragments.flatMap((fragment) => expanded(database, fragment));
  if (wider.length === 0) return lists;
  return [...lists, rank(database, anyOf(wider.slice(0, MAX_EXPANDED).map(quoted)), query)];
}

/** Words in more chunks than these are common. */
function commonFrom(database: Database): number {
  const total = database.get<{ count: number }>("SELECT count(*) AS count FROM chunks")?.count ?? 0;
  return Math.min(COMMON, Math.max(NEVER_COMMON, Math.floor(total * COMMON_SHARE)));
}

function isInMore(database: Database, expression: string, most: number): boolean {
  const sql = `SELECT count(*) AS count FROM
    (SELECT 1 FROM texts WHERE texts MATCH ? LIMIT ?)`;
  return (database.get<{ count: number }>(sql, expression, most + 1)?.count ?? 0) > most;
}

/** The best of the first matches, by bm25. */
function rank(database: Database, expression: string, query: ChunkQuery): number[] {
  const { sessions, isWanted, limit } = query;
  const sql = `SELECT rowid AS id, bm25(texts, ${WEIGHTS}) AS badness FROM texts
    WHERE texts MATCH ? AND rowid ${sessions ? "<" : ">"} 0 LIMIT ?`;
  const most = isWanted ? MAX_RANKED_OF_SOME : MAX_RANKED;
  const rows = database.all<{ id: number; badness: number }>(sql, expression, most);
  const wanted = isWanted ? rows.filter(({ id }) => isWanted(id)) : rows;
  return wanted.sort((a, b) => a.badness - b.badness || a.id - b.id).slice(0, limit).map(({ id }) =>
    id
  );
}

/** Longer words that a fragment is a part of. */
function expanded(database: Database, fragment: string): string[] {
  const sql = `SELECT term FROM terms WHERE id IN
    (SELECT rowid FROM grams WHERE grams MATCH ? LIMIT ${100 * MAX_EXPANDED})`;
  const trigrams = trigramsOf(fragment);
  return database.all<{ term: string }>(sql, allOf(trigrams.map(quoted)))
    .map(({ term }) => term)
    .filter((term) => term !== fragment && term.includes(fragment))
    // What is nearest in length is meant most probably.
    .sort((a, b) => a.length - b.length)
    .slice(0, MAX_EXPANDED);
}

/** Without their places (`detail='none'`) trigrams can only be asked for one by one. */
function trigramsOf(text: string): string[] {
  const characters = [...text];
  return [...new Set(characters.slice(2).map((_, at) => characters.slice(at, at + 3).join("")))];
}
