import * as z from "zod";
import { followTree } from "./rag/follow.ts";
import type { Index, IndexAnswer, IndexHit, IndexQuery } from "./rag/index.ts";
import { cutLine, readSnippets } from "./rag/snippets.ts";
import { estimateTokens } from "./rag/tokens.ts";
import { schema } from "./schema.ts";
import { onOneLine } from "./shown_part.ts";
import { defineTool, text } from "./tool.ts";
import { cleanText, fenced, newFence } from "./web/outside.ts";

/** Hits where the call does not say, and at the most. */
const DEFAULT_RESULTS = 8;
const MAX_RESULTS = 30;

/** What an answer may take of the model's window, where the call does not say, in tokens. */
const DEFAULT_TOKENS = 2_000;
const MIN_TOKENS = 200;
const MAX_TOKENS = 10_000;

const fileHit = z.object({
  source: z.literal("file"),
  path: z.string(),
  /** Of what is shown, from 1. */
  first: z.number(),
  last: z.number(),
  score: z.number(),
  title: z.string(),
  text: z.string(),
  /** The file changed since it was indexed. */
  stale: z.boolean(),
});

const sessionHit = z.object({
  source: z.literal("session"),
  session: z.string(),
  time: z.string(),
  score: z.number(),
  title: z.string(),
  text: z.string(),
});

const found = z.object({
  ok: z.literal(true),
  query: z.string(),
  hits: z.array(z.discriminatedUnion("source", [fileHit, sessionHit])),
  /** Hits that the budget left out. */
  left_out: z.number(),
  /** Sentences about what was not as it should be. */
  warnings: z.array(z.string()),
  fence: z.string(),
});

type Found = z.infer<typeof found>;
type Hit = Found["hits"][number];

/** The tool `rag_search`: ranked places of the workspace, and of earlier sessions in it. */
export const ragSearch = defineTool({
  name: "rag_search",
  description: "Find where something is done or described in the workspace, by words, ranked. " +
    'Finds parts of identifiers; "quotes" make a phrase. For an exact text use grep.',
  parameters: schema(z.strictObject({
    query: z.string().min(1).max(2_000),
    path: z.string().describe("A folder, or a glob as src/*.ts").optional(),
    kind: z.enum(["code", "docs", "data"]).optional(),
    sessions: z.boolean().describe("Also earlier sessions here").optional(),
    max_results: z.int().min(1).max(MAX_RESULTS).describe(`Default ${DEFAULT_RESULTS}`).optional(),
    max_tokens: z.int().min(MIN_TOKENS).max(MAX_TOKENS).describe(`Default ${DEFAULT_TOKENS}`)
      .optional(),
  })),
  needs: { read: ["workspace"], uses: ["index"] },
  callable: true,
  plan: () => ({ touches: [{ kind: "read", path: "." }] }),
  async run(args, { files, index, signal, progress }) {
    const { query: text, path, kind, sessions = false } = args;
    const query = {
      ...{ text, sessions, limit: args.max_results ?? DEFAULT_RESULTS },
      ...(path !== undefined && { include: path }),
      ...(kind !== undefined && { kind }),
    };
    const follow = async () => {
      const followed = await followTree({ files, index, signal, progress });
      if (sessions) await index.followSessions(signal);
      return [
        ...(followed.state === "busy" ? [BUSY] : []),
        ...(followed.stopped ? ["the tree has more files than are looked at"] : []),
      ];
    };
    const { answer, warnings } = await searchSound(index, query, follow, signal);
    const hits = await shownHits(answer.hits, text, files, index.root);
    const shown = withinBudget(hits, args.max_tokens ?? DEFAULT_TOKENS);
    return {
      ok: true as const,
      ...{ query: text, hits: shown, left_out: hits.length - shown.length },
      warnings: [...warnings, ...answer.warnings],
      fence: newFence(),
    };
  },
  result: schema(found),
  render: (value) => [text(render(value))],
});

const BUSY = "another process updates the index: what it has so far was searched";

/** Searches once the index is up to date, and again where it turned out to be damaged. */
async function searchSound(
  index: Index,
  query: IndexQuery,
  follow: () => Promise<string[]>,
  signal: AbortSignal,
): Promise<{ answer: Extract<IndexAnswer, { ok: true }>; warnings: string[] }> {
  for (let attempt = 1;; attempt++) {
    const warnings = await follow();
    const answer = await index.search(query, signal);
    if (answer.ok) return { answer, warnings };
    if (attempt === 2) throw new Error("Cannot search: the index is damaged again and again");
  }
}

async function shownHits(
  hits: readonly IndexHit[],
  query: string,
  files: Parameters<typeof readSnippets>[2],
  root: string,
): Promise<Hit[]> {
  const inFiles = hits.filter((hit) => hit.source === "file");
  const snippets = await readSnippets(inFiles, query, files, root);
  const bySnippet = new Map(inFiles.map((hit, index) => [hit, snippets[index]]));
  return hits.flatMap((hit): Hit[] => {
    const score = Math.round(hit.score * 1000) / 1000;
    if (hit.source === "session") return [{ ...hit, score }];
    const snippet = bySnippet.get(hit);
    // A file that went away since answers nothing.
    if (!snippet || snippet.lines.length === 0) return [];
    return [{
      ...{ source: "file", path: hit.stamp.path, score, title: hit.title, stale: snippet.stale },
      ...{ first: snippet.first, last: snippet.first + snippet.lines.length - 1 },
      text: snippet.lines.join("\n"),
    }];
  });
}

/** The first hits that fit; one at least, whatever it takes. */
function withinBudget(hits: readonly Hit[], maxTokens: number): Hit[] {
  let left = maxTokens;
  const shown: Hit[] = [];
  for (const hit of hits) {
    left -= estimateTokens(renderHit(hit));
    if (left < 0 && shown.length > 0) break;
    shown.push(hit);
  }
  return shown;
}

function render({ hits, left_out, warnings, fence }: Found): string {
  const inFiles = hits.filter(({ source }) => source === "file").map(renderHit);
  const said = hits.filter(({ source }) => source === "session").map(renderHit);
  return [
    ...(hits.length === 0 ? ["[no match]"] : []),
    ...inFiles,
    ...(said.length > 0 ? [fenced(said.join("\n\n"), "earlier sessions", fence)] : []),
    ...(left_out > 0 ? [`[${left_out} more found: raise max_tokens, or narrow by path]`] : []),
    ...warnings.map((warning) => `[${onOneLine(warning)}]`),
  ].join("\n\n");
}

function renderHit(hit: Hit): string {
  const score = hit.score.toFixed(2);
  if (hit.source === "session") {
    const lines = cleanText(hit.text).split("\n").map(cutLine).join("\n");
    return `session ${hit.session}, ${hit.time}, ${hit.title} (${score})\n${lines}`;
  }
  const title = hit.title === "" ? "" : ` ${onOneLine(hit.title)}`;
  const stale = hit.stale ? " [changed since it was indexed]" : "";
  const rows = hit.text.split("\n").map((line, index) =>
    `${String(hit.first + index).padStart(6)}\t${line}`
  );
  const place = `${onOneLine(hit.path)}:${hit.first}-${hit.last}`;
  return [`${place} (${score})${title}${stale}`, ...rows].join("\n");
}
