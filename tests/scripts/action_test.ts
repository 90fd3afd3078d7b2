import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { Ajv } from "ajv";
import { load } from "js-yaml";
import { ROOT } from "../../scripts/compile/contents.ts";
import { OPTIONS } from "../../agent/command_line/options.ts";
import { readAction } from "../helpers/action_runner.ts";

/** A workflow, as far as these tests look into it. */
interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

interface Job {
  readonly permissions: Readonly<Record<string, string>>;
  readonly "timeout-minutes": number;
  readonly steps: readonly {
    readonly uses?: string;
    readonly run?: string;
    readonly with?: Readonly<Record<string, unknown>>;
  }[];
}

const SCHEMA = JSON.parse(
  await Deno.readTextFile(`${ROOT}tests/fixtures/action/action_schema.json`),
);

Deno.test("action.yml fits what GitHub documents", async (t) => {
  const validate = new Ajv({ strict: false }).compile(SCHEMA);
  const read = async () => load(await Deno.readTextFile(`${ROOT}action.yml`));
  await t.step("as it is", async () => {
    validate(await read());
    deepStrictEqual(validate.errors, null);
  });
  // deno-lint-ignore no-explicit-any -- each case spoils another part
  const spoiled: [name: string, spoil: (action: any) => void][] = [
    ["a step without a shell", (action) => delete action.runs.steps[0].shell],
    ["a step that does nothing", (action) => delete action.runs.steps[0].run],
    ["a key that no step has", (action) => action.runs.steps[0].timeout = 1],
    ["a default that is no text", (action) => action.inputs["max-turns"].default = 50],
    ["an input without description", (action) => delete action.inputs.model.description],
    ["an output without value", (action) => delete action.outputs.answer.value],
    ["a key that no action has", (action) => action.permissions = {}],
  ];
  for (const [name, spoil] of spoiled) {
    await t.step(`not with ${name}`, async () => {
      const action = await read();
      spoil(action);
      strictEqual(validate(action), false);
    });
  }
});

Deno.test("action.yml: no expression stands in a script, and one step alone has the key", async () => {
  const { runs: { steps } } = await readAction();
  deepStrictEqual(steps.filter(({ run }) => run.includes("${{")), []);
  const withKey = steps.filter((step) => JSON.stringify(step).includes("inputs.api-key }}"));
  deepStrictEqual(withKey.map(({ name }) => name), ["Ask the model"]);
});

Deno.test("action.yml: each input reaches a step, and run.sh knows the options that it gives", async () => {
  const action = await readAction();
  const steps = JSON.stringify(action.runs.steps);
  const unused = Object.keys(action.inputs).filter((name) => !steps.includes(`inputs.${name} }}`));
  deepStrictEqual(unused, []);
  const script = await Deno.readTextFile(`${ROOT}scripts/action/run.sh`);
  const given = [...script.matchAll(/^option ([\w-]+) /gm)].map(([, name]) => name ?? "");
  ok(given.length > 5);
  deepStrictEqual(given.filter((name) => !(name in OPTIONS)), []);
});

Deno.test("the example workflows of docs/ci", async (t) => {
  const { inputs } = await readAction();
  for (const name of ["review.yml", "task.yml"]) {
    // Files of our own, whose shape the steps below look at.
    const workflow = load(await Deno.readTextFile(`${ROOT}docs/ci/${name}`)) as Workflow;
    const jobs = Object.values(workflow.jobs);
    const steps = jobs.flatMap((job) => job.steps);
    await t.step(`${name} gives no rights but a job's own, and ends in time`, () => {
      deepStrictEqual(workflow.permissions, {});
      for (const job of jobs) {
        ok(job["timeout-minutes"] <= 60);
        ok("contents" in job.permissions);
      }
    });
    await t.step(`${name} pins what it uses`, () => {
      for (const { uses } of steps) match(uses ?? "@COMMIT", /@([0-9a-f]{40}|COMMIT)$/);
    });
    await t.step(`${name} gives inputs that there are`, () => {
      const ours = steps.filter(({ uses }) => uses?.startsWith("OWNER/cordon@"));
      strictEqual(ours.length, 1);
      const given = Object.keys(ours[0]?.with ?? {});
      deepStrictEqual(given.filter((input) => !(input in inputs)), []);
      const required = Object.keys(inputs).filter((input) => inputs[input]?.required);
      deepStrictEqual(required.filter((input) => !given.includes(input)), []);
    });
    await t.step(`${name}: who has the key cannot write, nor find a token on the disk`, () => {
      for (const job of jobs.filter((job) => JSON.stringify(job).includes("secrets."))) {
        deepStrictEqual(job.permissions, { contents: "read" });
        const checkout = job.steps.find(({ uses }) => uses?.startsWith("actions/checkout@"));
        strictEqual(checkout?.with?.["persist-credentials"], false);
      }
    });
    await t.step(`${name}: no expression stands in a script`, () => {
      for (const { run = "" } of steps) strictEqual(run.includes("${{"), false);
    });
  }
});

Deno.test("docs/ci.md tells each input with its default, and each output", async () => {
  const { inputs, outputs } = await readAction();
  const page = await Deno.readTextFile(`${ROOT}docs/ci.md`);
  const [, inputPart = "", outputPart = ""] =
    /\n## Inputs\n(.*)\n## Outputs\n(.*?)\n## /s.exec(page) ?? [];
  const cells = (part: string) =>
    [...part.matchAll(/^\| `([\w-]+)` +\| (?:`(.*?)`)?/gm)].map(([, name, value]) => [name, value]);
  const defaults = Object.entries(inputs).map((
    [name, input],
  ) => [name, input.default || undefined]);
  deepStrictEqual(cells(inputPart), defaults);
  deepStrictEqual(cells(outputPart).map(([name]) => name), Object.keys(outputs));
});
