import { load } from "js-yaml";
import { ROOT } from "../../scripts/compile/contents.ts";

/** A step of `action.yml`. */
export interface ActionStep {
  readonly name: string;
  readonly id?: string;
  readonly if?: string;
  readonly run: string;
  readonly env: Readonly<Record<string, string>>;
  readonly "working-directory"?: string;
}

/** What `action.yml` says. */
export interface Action {
  readonly inputs: Readonly<Record<string, { default?: string; required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { value: string }>>;
  readonly runs: { readonly steps: readonly ActionStep[] };
}

/** Reads `action.yml`. */
export async function readAction(): Promise<Action> {
  // Its shape is what a test of its own checks against a schema.
  return load(await Deno.readTextFile(`${ROOT}action.yml`)) as Action;
}

/** How a job's use of the action ended. */
export interface ActionRun {
  /** The code of the last step that ran; a step that fails ends the job. */
  readonly code: number;
  /** All that the steps printed. */
  readonly log: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** The names of the steps that ran. */
  readonly ran: readonly string[];
}

/** Where and with what an action runs. */
export interface ActionJob {
  readonly inputs: Readonly<Record<string, string>>;
  /** The checked out repository. */
  readonly workspace: string;
  /** A folder for the runner's own files. */
  readonly temp: string;
  /** The payload of the event. */
  readonly event?: unknown;
  /** More of the environment; it beats what the runner sets. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs the steps of `action.yml` as a runner of GitHub does: expressions resolved, the command files
 * of each step fresh, outputs handed on, `bash -eo pipefail`.
 */
export async function runAction(job: ActionJob): Promise<ActionRun> {
  const action = await readAction();
  const outputs = new Map<string, string>();
  const say = (text: string) => evaluate(text, job, action, outputs);
  const seen = { code: 0, log: "", summary: "", ran: [] as string[] };
  await Deno.writeTextFile(`${job.temp}/event.json`, JSON.stringify(job.event ?? {}));
  for (const step of action.runs.steps) {
    if (step.if !== undefined && say(step.if) !== "true") continue;
    const ended = await runStep(step, job, say);
    seen.ran.push(step.name);
    seen.code = ended.code;
    seen.log += ended.log;
    seen.summary += ended.summary;
    for (const [name, value] of readOutputs(ended.output)) {
      outputs.set(`steps.${step.id}.outputs.${name}`, value);
    }
    if (ended.code !== 0) break;
  }
  const told = Object.entries(action.outputs).map(([name, { value }]) => [name, say(value)]);
  return { ...seen, outputs: Object.fromEntries(told) };
}

async function runStep(step: ActionStep, job: ActionJob, say: (text: string) => string) {
  const files = { output: `${job.temp}/output`, summary: `${job.temp}/summary` };
  for (const path of Object.values(files)) await Deno.writeTextFile(path, "");
  const own = Object.entries(step.env).map(([name, value]) => [name, say(value)]);
  const { code, stdout, stderr } = await new Deno.Command("bash", {
    args: ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run],
    cwd: `${job.workspace}/${say(step["working-directory"] ?? ".")}`,
    clearEnv: true,
    env: { ...runnerEnvironment(job, files), ...job.env, ...Object.fromEntries(own) },
    stdin: "null",
  }).output();
  return {
    code,
    log: new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr),
    output: await Deno.readTextFile(files.output),
    summary: await Deno.readTextFile(files.summary),
  };
}

function runnerEnvironment(job: ActionJob, files: { output: string; summary: string }) {
  return {
    PATH: Deno.env.get("PATH") ?? "",
    HOME: `${job.temp}/home`,
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION_PATH: ROOT.replace(/\/$/, ""),
    GITHUB_EVENT_PATH: `${job.temp}/event.json`,
    GITHUB_OUTPUT: files.output,
    GITHUB_STEP_SUMMARY: files.summary,
    GITHUB_SERVER_URL: "http://127.0.0.1:9",
    GITHUB_WORKSPACE: job.workspace,
    RUNNER_TEMP: job.temp,
    RUNNER_OS: "Linux",
    RUNNER_ARCH: "X64",
    ACTIONS_RUNTIME_TOKEN: "runner's own token",
  };
}

/** The few forms of expressions that our action has. */
function evaluate(
  text: string,
  { inputs }: ActionJob,
  action: Action,
  outputs: ReadonlyMap<string, string>,
): string {
  const value = (name: string): string => {
    const input = /^inputs\.(.+)$/.exec(name)?.[1];
    if (input !== undefined) return inputs[input] ?? action.inputs[input]?.default ?? "";
    if (name.startsWith("steps.")) return outputs.get(name) ?? "";
    if (name === "github.action_repository") return "owner/cordon";
    throw new Error(`Cannot evaluate "${name}": the runner of the tests does not know it`);
  };
  return text.replaceAll(/\$\{\{ (.+?) \}\}/g, (_, expression: string) => {
    const [, name = "", operator, literal = ""] =
      /^(\S+)(?: (==|\|\|) '(.*)')?$/.exec(expression) ?? [];
    if (operator === "==") return String(value(name) === literal);
    return value(name) || literal;
  });
}

/** `NAME=VALUE`, or `NAME<<END`, lines, and `END`. */
function readOutputs(text: string): [name: string, value: string][] {
  const found: [string, string][] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const [, name, end] = /^([\w-]+)<<(.+)$/.exec(line) ?? [];
    if (name === undefined || end === undefined) {
      const [, short, value = ""] = /^([\w-]+)=(.*)$/.exec(line) ?? [];
      if (short !== undefined) found.push([short, value]);
      continue;
    }
    const last = lines.indexOf(end, at + 1);
    found.push([name, lines.slice(at + 1, last).join("\n")]);
    at = last;
  }
  return found;
}
