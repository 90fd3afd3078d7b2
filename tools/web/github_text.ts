import * as z from "zod";
import type { WebDocument } from "./document.ts";
import { fenceFor } from "./fence.ts";

const person = z.object({ login: z.string() }).nullish();

const post = z.object({
  user: person,
  created_at: z.string(),
  body: z.string().nullish(),
});

/** An issue or pull request with its comments, as GitHub's interface has them. */
const thread = z.object({
  issue: post.extend({
    title: z.string(),
    number: z.int(),
    state: z.string(),
    state_reason: z.string().nullish(),
    comments: z.int().default(0),
    labels: z.array(z.object({ name: z.string() })).default([]),
    pull_request: z.object({ merged_at: z.string().nullish() }).optional(),
  }),
  comments: z.array(post),
});

const gist = z.object({
  description: z.string().nullish(),
  owner: person,
  created_at: z.string(),
  files: z.record(
    z.string(),
    z.object({
      filename: z.string(),
      language: z.string().nullish(),
      content: z.string().default(""),
      truncated: z.boolean().default(false),
    }),
  ),
});

/**
 * An issue with its comments as Markdown.
 * @throws {z.ZodError} where it is none.
 */
export function issueText(value: unknown): WebDocument {
  const { issue, comments } = thread.parse(value);
  const what = issue.pull_request ? "Pull request" : "Issue";
  const state = issue.pull_request?.merged_at
    ? "merged"
    : [issue.state, issue.state_reason].filter(Boolean).join(", ");
  const labels = issue.labels.map(({ name }) => name).join(", ");
  const head = [
    `# ${issue.title}`,
    `${what} #${issue.number}, ${state}${labels && `, labels: ${labels}`}`,
    entryText("Opened", issue),
  ];
  const missing = issue.comments - comments.length;
  return {
    ok: true,
    kind: "github",
    title: issue.title,
    text: [...head, ...comments.map((comment) => entryText("Comment", comment))].join("\n\n"),
    notes: missing > 0 ? [`${missing} later comments are not shown`] : [],
  };
}

function entryText(what: string, { user, created_at, body }: z.infer<typeof post>): string {
  return `## ${what} by ${user?.login ?? "ghost"}, ${created_at}\n\n${body?.trim() || "(no text)"}`;
}

/**
 * The files of a gist as Markdown.
 * @throws {z.ZodError} where it is none.
 */
export function gistText(value: unknown): WebDocument {
  const { description, owner, created_at, files } = gist.parse(value);
  const all = Object.values(files);
  const title = description || all[0]?.filename || "gist";
  const parts = all.map(({ filename, language, content }) => {
    const fence = fenceFor(content);
    return `## ${filename}\n\n${fence}${language?.toLowerCase() ?? ""}\n${content}\n${fence}`;
  });
  return {
    ok: true,
    kind: "github",
    title,
    text: [`# ${title}`, `Gist by ${owner?.login ?? "ghost"}, ${created_at}`, ...parts].join(
      "\n\n",
    ),
    notes: all.some(({ truncated }) => truncated) ? ["long files are cut by GitHub"] : [],
  };
}
