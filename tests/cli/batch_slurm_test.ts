import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { resolve } from "node:path";
import { newBatch } from "../helpers/batch_world.ts";
import { baseEnvironment, sourceLine } from "../helpers/cordon.ts";
import { canRunSlurm, startSlurm } from "../helpers/slurm.ts";

const RECIPE = resolve(import.meta.dirname ?? ".", "../../docs/scale/slurm_array.sh");

Deno.test(
  "the Slurm recipe does tasks as an array, tries again what can go later, and is collected",
  {
    // Needs root and Debian's slurm-wlm.
    ignore: !await canRunSlurm(),
  },
  async () => {
    let refusals = 0;
    await using batch = await newBatch((prompt) => {
      if (prompt !== "busy" || refusals === 1) return { text: `did ${prompt}` };
      refusals++;
      return { status: 429, body: {}, headers: { "retry-after": "61" } };
    });
    const { world, server } = batch;
    await batch.tasks({ id: "a", prompt: "one" }, { id: "b", prompt: "busy" }, {
      id: "c",
      prompt: "two",
    });
    await Deno.mkdir(world.join("bin"));
    const words = sourceLine([]).map((word) => `'${word}'`).join(" ");
    await Deno.writeTextFile(world.join("bin/cordon"), `#!/bin/sh\nexec ${words} "$@"\n`, {
      mode: 0o755,
    });
    await using slurm = await startSlurm();
    const env = {
      ...await baseEnvironment(),
      PATH: `${world.join("bin")}:${Deno.env.get("PATH")}`,
      HOME: world.join("home"),
      OPENAI_API_KEY: "slurm-key-0123456789",
    };
    const submitted = await slurm.run("sbatch", [
      ...["--parsable", "--array=0-2", "--mem=100M", `--output=${world.join("%a.log")}`, RECIPE],
      ...[world.join("tasks.jsonl"), world.join("out"), `-C=${world.work}`, "--isolation=none"],
      ...["-m=m1", `--base-url=${server.url}`, "--wire=chat", "--retries=0"],
    ], { cwd: world.path, env });
    await slurm.ended(submitted.trim());
    const log = await Deno.readTextFile(world.join("1.log"));
    const run = await batch.run(["--collect", "--output-format=json"]);
    strictEqual(run.code, 0, `${run.stderr}${log}`);
    deepStrictEqual((await batch.lines()).map(({ id, text }) => [id, text]), [
      ["a", "did one"],
      ["b", "did busy"],
      ["c", "did two"],
    ]);
    deepStrictEqual(batch.prompts.toSorted(), ["busy", "busy", "one", "two"]);
    match(log, /^b: model_error, [^]+^b: done, 1 turn/m);
  },
);
