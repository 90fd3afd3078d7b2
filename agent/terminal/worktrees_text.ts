import { obeyedReason } from "../../sandbox/sweep/names.ts";
import type { KeptWorktree } from "../worktrees/kept.ts";
import type { Closed, LeftBehind, MergeOutcome, Patch } from "../worktrees/worktree.ts";
import { printable } from "./output.ts";
import { minuteOf, table } from "./reports.ts";

/** A worktree in a list. */
export interface ListedWorktree {
  readonly kept: KeptWorktree;
  /** What was done in it, or why that is not known; undefined where it was not looked into. */
  readonly found:
    | Pick<Patch, "files" | "commits" | "aside">
    | { readonly problem: string }
    | undefined;
}

/**
 * `cordon worktrees`, two lines each: a function for those of `all`, as soon as one was looked into.
 * `folders`: with what it is a copy of.
 */
export function worktreesReport(
  all: readonly KeptWorktree[],
  folders: boolean,
): (listed: ListedWorktree) => string {
  const heads = table(all.map(({ id, standing, record }) => [
    id,
    record ? minuteOf(new Date(record.created)) : "",
    standing,
  ])).split("\n");
  const width = Math.max(...heads.map(({ length }) => length));
  return ({ kept, found }) => {
    const head = heads[all.indexOf(kept)] ?? "";
    const line = `${head.padEnd(width)}  ${foundText(found)}`.trimEnd();
    return `${line}\n${placeText(kept, folders)}`;
  };
}

function placeText({ path, record }: KeptWorktree, folders: boolean): string {
  const facts = [
    path,
    ...(record?.git ? [`branch ${record.git.branch}`] : []),
    ...(record ? [`session ${record.session}`] : []),
    ...(record && folders ? [`of ${record.workspace}`] : []),
  ];
  return `    ${facts.map(printable).join(", ")}\n`;
}

function foundText(found: ListedWorktree["found"]): string {
  if (!found) return "";
  if ("problem" in found) return printable(found.problem);
  const { files, commits, aside } = found;
  const parts = [
    ...(files.length > 0 ? [`${files.length} changed`] : []),
    ...(aside.length > 0 ? [`${aside.length} that do not land`] : []),
    ...(commits.length > 0 ? [counted(commits.length, "commit")] : []),
  ];
  return parts.join(", ") || "nothing was done in it";
}

/** What stands below a list that is not empty. */
export const WHAT_TO_DO = "cordon worktrees show ID, merge ID, remove ID\n";

/** What a diff does not say: commits, and changes that a merge leaves where they are. */
export function besideText({ commits, aside, files }: Patch): string {
  return [
    ...(files.length === 0 ? ["No file of it would change in the workspace"] : []),
    ...commits.map((line) => `commit ${line}`),
    ...aside.map(({ path, why }) => `does not land: ${path}: ${why}`),
    ...files.flatMap(({ path, to }) => {
      const reason = to && obeyedReason(path);
      return reason ? [`runs or is obeyed unasked: ${path}: ${reason}`] : [];
    }),
  ].map((line) => `${printable(line)}\n`).join("");
}

/** How a merge went. */
export function mergedText(id: string, outcome: MergeOutcome): string {
  if (outcome.ok) {
    const { length } = outcome.changed;
    return length === 0
      ? `The workspace has all of ${id} already\n`
      : `${counted(length, "path")} of the workspace changed by ${id}\n`;
  }
  const told = outcome.reason === "conflicts"
    ? `Nothing was touched: both sides changed the same\n`
    : `Only a part of ${id} could be brought, ${counted(outcome.changed.length, "path")} changed\n`;
  return told + outcome.conflicts.map(conflictLine).join("");
}

function conflictLine({ path, why }: LeftBehind): string {
  return `  ${printable(path)}: ${printable(why)}\n`;
}

/** What is left of it. */
export function closedText(id: string, { path, branch, why = "" }: Closed): string {
  if (path !== undefined) return `${id} stays in ${printable(path)}: ${printable(why)}\n`;
  const commits = branch === undefined ? "" : `; its commits are on branch ${branch}`;
  return `${id} is removed${commits}\n`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
