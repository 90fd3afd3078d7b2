import type { ConversationView } from "../session/conversation.ts";
import type { SaidByPerson } from "../session/message_history.ts";
import { textOf } from "../loop/steering.ts";
import { clip } from "./clip.ts";

/** A job that runs. */
export interface RunningJob {
  readonly id: string;
  readonly command: string;
}

/** A sub-agent that has not ended. */
export interface RunningChild {
  readonly id: string;
  readonly role: string;
  /** Empty where it was given none. */
  readonly description: string;
}

/** What goes into each summary by ourselves, whatever the model makes of it. */
export interface KeptFacts {
  readonly conversation: Pick<ConversationView, "said" | "touched">;
  /** Messages from this one on stay as they are. */
  readonly cut: number;
  readonly jobs: readonly RunningJob[];
  readonly children: readonly RunningChild[];
  /** For all the facts together, in characters. */
  readonly maxCharacters: number;
}

const INTRODUCTION = "[The older part of this conversation is summed up here, to fit the model's " +
  "window. Results of its calls are gone: where you need one, run the call again.]";

/** Of the room for facts: what the first task may take, what was said since, and each of two lists. */
const SHARES = { first: 0.35, since: 0.25, files: 0.15, running: 0.05 } as const;

/**
 * The text that stands for the older part: the model's summary between what we know for certain. The
 * todo list, the rights and the project's instructions are not in it: each request shows them as
 * they are then.
 */
export function summaryText(summary: string, facts: KeptFacts): string {
  const { conversation: { said, touched }, cut, jobs, children } = facts;
  const limit = (share: keyof typeof SHARES) => Math.floor(facts.maxCharacters * SHARES[share]);
  const gone = said.filter(({ index }) => index === undefined || index < cut);
  const [first, ...since] = gone;
  const parts = [
    section("What the person said first", first ? clip(textOf(first.content), limit("first")) : ""),
    section("What the person said since", quoted(since, limit("since"))),
    section("Summary", summary),
    section("Files changed so far", latest(touched.changed, limit("files"))),
    section("Files read so far", latest(touched.read, limit("files"))),
    section(
      "Jobs that ran when this was written",
      clip(jobs.map(({ id, command }) => `job ${id}: ${command}`).join("\n"), limit("running")),
    ),
    section(
      "Sub-agents that worked when this was written",
      clip(children.map(childText).join("\n"), limit("running")),
    ),
  ];
  return [INTRODUCTION, ...parts.filter((part) => part !== "")].join("\n\n");
}

function childText({ id, role, description }: RunningChild): string {
  return `${id}: ${description === "" ? role : `${role}, ${description}`}`;
}

function section(title: string, text: string): string {
  return text === "" ? "" : `# ${title}\n${text}`;
}

/** The latest of what was said, each clipped to a third of the room, in order. */
function quoted(said: readonly SaidByPerson[], limit: number): string {
  const lines: string[] = [];
  let left = limit;
  for (const { content } of said.toReversed()) {
    const line = `- ${clip(textOf(content), Math.floor(limit / 3))}`;
    if (line.length > left) break;
    left -= line.length;
    lines.unshift(line);
  }
  const older = said.length - lines.length;
  return older === 0 ? lines.join("\n") : [`- [${older} earlier]`, ...lines].join("\n");
}

/** The latest paths that have room, in a line. */
function latest(paths: readonly string[], limit: number): string {
  const shown: string[] = [];
  let left = limit;
  for (const path of paths.toReversed()) {
    if (path.length + 2 > left) break;
    left -= path.length + 2;
    shown.unshift(path);
  }
  const older = paths.length - shown.length;
  return older === 0 ? shown.join(", ") : [`[${older} earlier]`, ...shown].join(", ");
}
