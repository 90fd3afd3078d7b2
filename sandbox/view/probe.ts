import { bwrapArguments, surveyBwrapArguments } from "./bwrap.ts";
import { type Obstacle, obstacleOf, startObstacle } from "./bwrap_errors.ts";
import { askBwrap, type BwrapAnswer, type BwrapRun } from "./bwrap_process.ts";
import { CommandError } from "../commands/commands.ts";
import { type MachineFacts, missingProgram, parseSurvey } from "./machine_facts.ts";
import { MarkReader } from "./marks.ts";
import type { Found } from "./remembered_proofs.ts";
import { supervisorArguments } from "./supervisor.ts";
import { SURVEY_SCRIPT, surveyArguments, type SurveyQuestions } from "./survey_script.ts";
import { startEnvironment, type View } from "./view.ts";

/** Time for looking around in a workspace, in milliseconds: find walks four levels of it. */
const SURVEY_LIMIT_MS = 20_000;
const PROBE_LIMIT_MS = 10_000;

export type SurveyAnswer =
  | { readonly ok: true; readonly facts: MachineFacts }
  | { readonly ok: false } & Obstacle;

/** Looks around on the machine through a read-only view of it. */
export async function surveyMachine(
  questions: SurveyQuestions,
  searchPath: string,
  runAs?: BwrapRun["runAs"],
): Promise<SurveyAnswer> {
  const argv = ["bash", "--noprofile", "--norc", "-c", SURVEY_SCRIPT, "survey"];
  const answer = await ask(
    surveyBwrapArguments([...argv, ...surveyArguments(questions)], questions.configuration),
    { environment: { PATH: searchPath }, timeoutMs: SURVEY_LIMIT_MS, runAs },
  );
  if ("reason" in answer) return { ok: false, ...answer };
  if (answer.timedOut) {
    return {
      ok: false,
      reason: `looking through ${JSON.stringify(questions.workspace)} took too long`,
      fix: "Start Cordon in a folder further down",
    };
  }
  const missing = missingProgram(answer.stdout);
  if (missing !== undefined) {
    return { ok: false, reason: `the program ${missing} is missing`, fix: `Install ${missing}` };
  }
  const facts = parseSurvey(answer.stdout);
  if (facts) return { ok: true, facts };
  if (answer.code !== 3) return { ok: false, ...obstacleOf(answer.stderr) };
  return {
    ok: false,
    reason: `the workspace ${JSON.stringify(questions.workspace)} cannot be entered`,
    fix: "Start Cordon in a folder that you may enter",
  };
}

export type ProbeAnswer = { readonly ok: true } & Found | { readonly ok: false } & Obstacle;

/**
 * Prints whether the workspace can be written, then those of the programs that the PATH which comes
 * first leads to; none of them runs.
 */
const LIST_PROGRAMS = `
PATH=$1
shift
if [[ -w . ]]; then echo writable; else echo read-only; fi
for name; do type -P -- "$name" >/dev/null && printf '%s\\n' "$name"; done
exit 0`;

/**
 * Runs the real arguments of a command once: that proves the view. Resolves to which of the
 * programs it shows.
 */
export async function probeView(
  view: View,
  filter: Uint8Array,
  programs: readonly string[],
): Promise<ProbeAnswer> {
  const key = crypto.randomUUID();
  const argv = [
    "bash",
    "--noprofile",
    "--norc",
    "-c",
    LIST_PROGRAMS,
    "probe",
    view.environment["PATH"] ?? "",
    ...programs,
  ] as const;
  const environment = startEnvironment(view);
  // What only looks runs no bash of the workspace, to which the user's own PATH may lead.
  const path = environment["PATH"] ?? "";
  const supervised = supervisorArguments(view, { key, cwd: view.workspace, path, argv: [...argv] });
  const answer = await ask(
    bwrapArguments(view, supervised),
    {
      environment,
      input: filter,
      timeoutMs: PROBE_LIMIT_MS,
      runAs: view.runAs,
    },
  );
  if ("reason" in answer) return { ok: false, ...answer };
  const { stderr, refused, started } = withoutMarks(answer.stderr, key);
  if (refused !== undefined) {
    return {
      ok: false,
      reason: `the view does not hold: ${refused}`,
      fix: "Start Cordon in another folder",
    };
  }
  if (!started) return { ok: false, ...obstacleOf(stderr) };
  const [writable, ...found] = answer.stdout.trimEnd().split("\n");
  return { ok: true, programs: found, workspaceWritable: writable === "writable" };
}

async function ask(
  args: readonly string[],
  run: BwrapRun & { readonly timeoutMs: number },
): Promise<BwrapAnswer | Obstacle> {
  try {
    return await askBwrap(args, run);
  } catch (error) {
    if (error instanceof CommandError) return startObstacle(error.cause);
    throw error;
  }
}

function withoutMarks(text: string, key: string) {
  const kept: string[] = [];
  let started = false;
  let refused: string | undefined;
  const decoder = new TextDecoder();
  const reader = new MarkReader(
    key,
    (bytes) => kept.push(decoder.decode(bytes, { stream: true })),
    (mark) => {
      if (mark.kind === "started") started = true;
      if (mark.kind === "refused") refused = mark.why;
    },
  );
  reader.write(new TextEncoder().encode(text));
  reader.end();
  return { stderr: kept.join(""), started, refused };
}
