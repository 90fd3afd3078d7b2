import { join, relative, resolve } from "node:path";
import { acceptQuarantined, type Quarantined } from "../../sandbox/sweep/quarantine.ts";
import { shown } from "../../sandbox/sweep/report.ts";
import type { OptionValues } from "../command_line/options.ts";
import { type Invocation, UsageError } from "../command_line/parse.ts";
import { findPlaces } from "../places.ts";
import { quarantineOf } from "../backing/quarantine.ts";
import { usingState } from "../state_error.ts";
import { copiesOf } from "../worktrees/record.ts";
import type { Host } from "./headless.ts";

/**
 * `cordon accept` lists what was taken out of this workspace after commands, and `cordon accept
 * FILE` puts one back, by its path or its id; the words for stdout.
 * @throws {UsageError} where nothing of that name was taken out, or another file is in its place.
 */
export async function runAccept({ options, operands }: Invocation, host: Host): Promise<string> {
  const { state, workspace, cwd } = findPlaces(options, host.env, host.cwd);
  if (operands.length > 1) throw new UsageError("Cannot accept more than one file at a time");
  if (state === undefined) {
    throw new UsageError("Cannot accept anything: no state folder is known, name it by --state");
  }
  const quarantine = quarantineOf(state);
  // What sub-agents made apart is merged into the workspace, and so is what was taken out there.
  const isCopy = copiesOf(state, workspace);
  const isOwn = (path: string) => path === workspace || isCopy(path);
  const entries = await usingState(join(state, "quarantine"), () => quarantine.list(isOwn));
  const [name] = operands;
  if (name === undefined) return listed(entries, options);
  const path = relative(workspace, resolve(cwd, name));
  // As the lines of a sweep say it, or as it is called from where the person stands.
  const isExact = entries.some((entry) => entry.path === name || entry.id === name);
  const { replace = false } = options;
  const which = isExact ? name : path;
  const answer = await acceptQuarantined(quarantine, workspace, which, { replace, isOwn });
  if (!answer.ok) throw new UsageError(answer.message);
  return `${shown(answer.accepted.path)} is back, as the command left it\n`;
}

function listed(entries: readonly Quarantined[], options: OptionValues): string {
  if ((options["output-format"] ?? "text") !== "text") {
    const files = entries.map(({ workspace: _, ...file }) => file);
    return `${JSON.stringify({ type: "quarantine", files })}\n`;
  }
  if (entries.length === 0) return "Nothing was taken out of this workspace\n";
  const lines = entries.map(({ id, path, size, reason, kind }) =>
    `${id}  ${shown(path)}  ${kind === "link" ? "link" : `${size} bytes`}: ${reason}\n`
  );
  return `${lines.join("")}Take one back by cordon accept FILE, or by the id before it\n`;
}
