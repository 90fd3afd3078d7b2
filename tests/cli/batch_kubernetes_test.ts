import { deepStrictEqual, doesNotThrow, ok, throws } from "node:assert/strict";
import { join, resolve } from "node:path";
import { load } from "js-yaml";
import { type IJob, Job } from "kubernetes-models/batch/v1/Job";
import { COMMANDS } from "../../agent/command_line/commands.ts";
import { parseCommandLine } from "../../agent/command_line/parse.ts";
import { EXIT } from "../../agent/exit_code.ts";
import { tempDir } from "../helpers/temp_dir.ts";

const ROOT = resolve(import.meta.dirname ?? ".", "../..");

const MANIFEST = join(ROOT, "docs/scale/kubernetes_job.yaml");

/** The Job as its file has it; that it is one is what the tests are about. */
function readJob(): IJob {
  return load(Deno.readTextFileSync(MANIFEST)) as IJob;
}

function cordonIn(job: IJob) {
  return job.spec?.template.spec?.containers.find(({ name }) => name === "cordon");
}

Deno.test("the Kubernetes manifest fits the schema of batch/v1 Job", () => {
  const job = readJob();
  deepStrictEqual([job.apiVersion, job.kind], ["batch/v1", "Job"]);
  doesNotThrow(() => new Job(job).validate());
  // The schema is a judge: it does not take what is none.
  const wrong: unknown = { ...job, spec: { ...job.spec, completions: "many" } };
  throws(() => new Job(wrong as IJob).validate(), /spec\/completions must be integer/);
});

Deno.test("the Kubernetes manifest names no field that a Job does not have", async () => {
  // The schema lets any field pass that it does not know; the types made of it do not.
  await using dir = await tempDir({
    "job.ts": [
      'import type { IJob } from "kubernetes-models/batch/v1/Job";',
      `export const job: IJob = ${JSON.stringify(readJob())};`,
      "// @ts-expect-error: a check that lets this pass would check nothing",
      "export const wrong: IJob = { spec: { completionz: 1, template: { spec: { containers: [] } } } };",
      "",
    ].join("\n"),
  });
  const { code, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["check", "--quiet", `--config=${join(ROOT, "deno.json")}`, dir.join("job.ts")],
    env: { NO_COLOR: "1", DENO_NO_UPDATE_CHECK: "1" },
  }).output();
  deepStrictEqual([code, new TextDecoder().decode(stderr)], [0, ""]);
});

Deno.test("the Kubernetes manifest gives a batch what a batch takes", () => {
  const { command = [], args = [] } = cordonIn(readJob()) ?? {};
  const [program, ...words] = [...command, ...args];
  // The cluster puts a number there.
  const line = words.map((word) => word.replace("$(JOB_COMPLETION_INDEX)", "3"));
  const invocation = parseCommandLine(line);
  deepStrictEqual([program, invocation.command], ["cordon", "batch"]);
  ok("batch" in COMMANDS);
  deepStrictEqual([invocation.operands, invocation.options.task, invocation.options.cd], [
    ...[["/tasks/tasks.jsonl"], 3, "/task/repository"],
  ]);
});

Deno.test("the Kubernetes manifest says what each of our exit codes means to a Job", () => {
  const rules = readJob().spec?.podFailurePolicy?.rules ?? [];
  const codes = rules.flatMap(({ onExitCodes }) => onExitCodes?.values ?? []);
  const { done, tryLater, hangup, interrupted, terminated, ...others } = EXIT;
  // Done is done; to go later is to be tried again, as is what a signal ended.
  ok([done, tryLater, hangup, interrupted, terminated].every((code) => !codes.includes(code)));
  deepStrictEqual(codes.toSorted((a, b) => a - b), Object.values(others).toSorted((a, b) => a - b));
});
