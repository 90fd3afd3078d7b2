import { commandEnvironment } from "../../sandbox/commands/environment.ts";
import type { OptionValues } from "../command_line/options.ts";
import { type Invocation, UsageError } from "../command_line/parse.ts";
import { EXIT } from "../exit_code.ts";
import { hostVariables } from "../launch.ts";
import { findPlaces, type Places } from "../places.ts";
import { StateError, usingState } from "../state_error.ts";
import {
  keptBranches,
  type KeptPlace,
  type KeptWorktree,
  keptWorktrees,
  removeUnrecorded,
  reopenKept,
} from "../worktrees/kept.ts";
import { isObstacle } from "../worktrees/obstacle.ts";
import { allWorktrees, type WorktreeRecord } from "../worktrees/record.ts";
import type { Host } from "./headless.ts";
import { mergeWorktree } from "./merge_worktree.ts";
import { shownPatch } from "./shown_patch.ts";
import { closedText, type ListedWorktree, WHAT_TO_DO, worktreesReport } from "./worktrees_text.ts";

/**
 * `cordon worktrees`: lists what sub-agents left, shows one, merges it or removes it; resolves to the
 * exit code.
 * @throws {UsageError}
 * @throws {StateError} where the folder of worktrees cannot be used.
 */
export async function runWorktrees(invocation: Invocation, host: Host): Promise<number> {
  const { options, operands: [verb, id, ...more] } = invocation;
  const places = findPlaces(options, host.env, host.cwd);
  const { state } = places;
  if (state === undefined) {
    throw new UsageError("There are no worktrees: no state folder is known, name it by --state");
  }
  const environment = commandEnvironment(hostVariables(host.env));
  const parts: Parts = { ...{ options, places, host }, place: { state, environment } };
  return await usingState(allWorktrees(state), async () => {
    if (verb === undefined) return await list(parts);
    const act = isVerb(verb) ? VERBS[verb] : undefined;
    if (!act) {
      throw new UsageError(`Cannot "${verb}" worktrees: there are show ID, merge ID and remove ID`);
    }
    if (id === undefined || more.length > 0) {
      throw new UsageError(`Cannot ${verb}: name one worktree by its id, see cordon worktrees`);
    }
    return await orStateError(act(await chosen(id, parts), parts));
  });
}

/** A worktree that cannot be looked into is no mistake of the program. */
async function orStateError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!isObstacle(error)) throw error;
    throw new StateError(error.message, { cause: error });
  }
}

interface Parts {
  readonly options: OptionValues;
  readonly places: Places;
  readonly place: KeptPlace;
  readonly host: Host;
}

const VERBS = { show, merge, remove } as const;

function isVerb(word: string): word is keyof typeof VERBS {
  return Object.hasOwn(VERBS, word);
}

async function list({ options, places, place, host }: Parts): Promise<number> {
  const { all = false } = options;
  const everywhere = await keptWorktrees(place.state, undefined);
  const here = await keptWorktrees(place.state, places.workspace);
  const wanted = all ? everywhere : here;
  const branches = all ? [] : await keptBranches(places.workspace, everywhere, place);
  const { stdout } = host.streams;
  if (isJson(options)) {
    const worktrees = [];
    for await (const listed of lookIntoAll(wanted, place)) worktrees.push(listedJson(listed));
    stdout.write(`${JSON.stringify({ type: "worktrees", worktrees, branches })}\n`);
    return EXIT.done;
  }
  const rowOf = worktreesReport(wanted, all);
  for await (const listed of lookIntoAll(wanted, place)) stdout.write(rowOf(listed));
  const others = all ? 0 : everywhere.length - here.length;
  stdout.write([
    wanted.length > 0 ? WHAT_TO_DO : "No worktree is kept here\n",
    ...(branches.length > 0
      ? [`Branches that keep commits of others: ${branches.join(", ")}\n`]
      : []),
    ...(others > 0 ? [`${others} of other folders: cordon worktrees --all\n`] : []),
  ].join(""));
  return EXIT.done;
}

/** Looks into one after the other: each may hold many files. */
async function* lookIntoAll(
  worktrees: readonly KeptWorktree[],
  place: KeptPlace,
): AsyncGenerator<ListedWorktree> {
  for (const kept of worktrees) yield { kept, found: await lookInto(kept, place) };
}

/** Nothing is known of what somebody works in, or what nobody can read. */
async function lookInto(
  { standing, record }: KeptWorktree,
  place: KeptPlace,
): Promise<ListedWorktree["found"]> {
  if (!record || (standing !== "kept" && standing !== "session runs")) return undefined;
  try {
    using reopened = await reopenKept(record, place);
    return await reopened.worktree.changes();
  } catch (error) {
    if (!isObstacle(error)) throw error;
    return { problem: error.message };
  }
}

function listedJson({ kept: { id, path, standing, record }, found }: ListedWorktree) {
  return {
    ...{ id, path, standing },
    ...(record && {
      workspace: record.workspace,
      session: record.session,
      created: record.created,
      ...(record.git && { branch: record.git.branch }),
    }),
    ...(found && ("problem" in found ? found : {
      files: found.files.map(({ path, change }) => ({ path, change })),
      ...{ commits: found.commits, aside: found.aside },
    })),
  };
}

function isJson({ "output-format": format = "text" }: OptionValues): boolean {
  return format !== "text";
}

/** The worktree that a person means by its id, or by a part of it that no other one has. */
async function chosen(id: string, { options, places, place }: Parts): Promise<KeptWorktree> {
  const all = await keptWorktrees(place.state, options.all ? undefined : places.workspace);
  const exact = all.filter((kept) => kept.id === id);
  // What throws work away is named whole.
  const isExact = exact.length > 0 || options.force;
  const found = isExact ? exact : all.filter((kept) => kept.id.includes(id));
  const [first, second] = found;
  if (!first) throw new UsageError(`There is no worktree "${id}"; see cordon worktrees`);
  if (!second) return first;
  const names = found.map(({ id, path }) => exact.length > 0 ? path : id).join(", ");
  throw new UsageError(`"${id}" is part of ${found.length} worktrees: ${names}`);
}

/** What is still somebody's is told and not touched. */
function untaken(verb: string, { id, standing, record, path }: KeptWorktree): WorktreeRecord {
  switch (standing) {
    case "in use":
      throw new UsageError(
        `Cannot ${verb} "${id}": a sub-agent works in it, wait or end its session`,
      );
    case "session runs":
      if (verb === "show" && record) return record;
      throw new UsageError(
        `Cannot ${verb} "${id}": its session ${record?.session} runs, end that one first`,
      );
    case "no record":
      break;
    case "kept":
    case "folder gone":
      if (record) return record;
  }
  throw new UsageError(
    `Cannot ${verb} "${id}": nothing tells what it is a copy of, look into "${path}" yourself`,
  );
}

async function show(kept: KeptWorktree, { options, place, host }: Parts): Promise<number> {
  using reopened = await reopenKept(untaken("show", kept), place);
  const patch = await reopened.worktree.changes();
  if (isJson(options)) {
    const json = { type: "worktree", ...listedJson({ kept, found: patch }), diff: patch.text };
    host.streams.stdout.write(`${JSON.stringify(json)}\n`);
  } else host.streams.stdout.write(shownPatch(patch, options, host));
  return EXIT.done;
}

async function merge(kept: KeptWorktree, parts: Parts): Promise<number> {
  const { options, places: { workspace }, place, host } = parts;
  const record = untaken("merge", kept);
  if (record.workspace !== workspace) {
    throw new UsageError(
      `Cannot merge "${kept.id}" into "${workspace}": it is a copy of "${record.workspace}", ` +
        "name that by -C",
    );
  }
  if (!options.yes && !host.stdin.isTerminal) {
    throw new UsageError(`Cannot merge "${kept.id}": nobody can be asked here, say --yes`);
  }
  using reopened = await reopenKept(record, place);
  return await mergeWorktree(reopened.worktree, record, { state: place.state, options, host });
}

async function remove(kept: KeptWorktree, { options, place, host }: Parts): Promise<number> {
  const { stdout } = host.streams;
  const { force = false } = options;
  if (kept.standing === "no record" && force) {
    if (!await removeUnrecorded(kept.path)) untaken("remove", { ...kept, standing: "in use" });
    stdout.write(closedText(kept.id, {}));
    return EXIT.done;
  }
  using reopened = await reopenKept(untaken("remove", kept), place);
  const { worktree } = reopened;
  const closed = force ? await worktree.discard() : await worktree.close();
  stdout.write(closedText(kept.id, closed));
  if (closed.path === undefined) return EXIT.done;
  stdout.write("Its work goes with it by --force\n");
  return EXIT.failed;
}
