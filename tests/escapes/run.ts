/**
 * Tries the escape cases of a file against a product, in a throw-away host, and reports what got out.
 *
 *   sudo deno run -A run.ts --cmd COMMAND [--share NAME=PATH]... [options] CASES.jsonl
 *
 * See README.md. This is the outer half: it reads the options, starts the inner half (inside.ts) in the throw-away
 * host (host.sh), and prints what comes back.
 */

import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { parseCases, renameProduct, selectCases } from "./cases.ts";
import type { Job } from "./inside.ts";
import type { Contract } from "./product.ts";
import { detailLine, reportText, sums } from "./report.ts";
import type { Outcome } from "./verdict.ts";
import * as world from "./world.ts";

const USAGE = `usage: run.ts --cmd COMMAND [options] CASES.jsonl
  --cmd COMMAND        how to call the product (or CORDON_CMD); paths as in the throw-away host
  --share NAME=PATH    makes PATH readable there as /share/NAME; repeatable
  --only KIND|ID       only cases of this kind, or whose id begins so
  --jobs N             cases at a time (default 1)
  --name NAME          the product's name in its own files and folders (default cordon)
  --result TYPE:PATH   where tool results are in the stream (default tool_result:text)
  --missing REGEX      what the product says about a tool that it does not offer
  --plan-args, --workspace-args, --egress-args, --web-args ARGUMENTS   see README.md
  --strict             a tool that is not offered counts as failed
  --json FILE          also write the outcomes, one JSON object a line
  --verbose            print each case as it ends`;

const GRANTS = "--allow-read --allow-write --allow-run --allow-env";

const OPTIONS = {
  "cmd": { type: "string" },
  "share": { type: "string", multiple: true, default: [] as string[] },
  "only": { type: "string" },
  "jobs": { type: "string", default: "1" },
  "name": { type: "string", default: "cordon" },
  "result": { type: "string", default: "tool_result:text" },
  "missing": {
    type: "string",
    default:
      "unknown tool|no such tool|no tool (named|called)|tool .*not (offered|available|found)",
  },
  "workspace-args": { type: "string", default: "--profile workspace" },
  "plan-args": { type: "string", default: "--profile plan" },
  "egress-args": {
    type: "string",
    default:
      `--profile egress ${GRANTS} --allow-net=${world.ALLOWED_NAME}:80,${world.ALLOWED_NAME}:443`,
  },
  "web-args": { type: "string", default: `--profile egress ${GRANTS} --allow-net` },
  "strict": { type: "boolean", default: false },
  "json": { type: "string" },
  "verbose": { type: "boolean", default: false },
} as const;

type Options = ReturnType<typeof readOptions>["values"];

const SAFE = 0;
const ESCAPED = 1;
const UNUSABLE = 2;

async function main(): Promise<number> {
  const { values: options, positionals } = readOptions();
  const command = options.cmd ?? Deno.env.get("CORDON_CMD");
  const jobs = Number(options.jobs);
  const [file] = positionals;
  if (command === undefined || file === undefined || positionals.length > 1 || !(jobs >= 1)) {
    return unusable(USAGE);
  }
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) {
    return unusable("the throw-away host needs Linux and root");
  }

  const cases = selectCases(parseCases(await Deno.readTextFile(file)), options.only)
    .map((test) => renameProduct(test, options.name));
  if (cases.length === 0) return unusable("no case is selected");

  const started = performance.now();
  const job = { contract: contractFrom(command, options), cases, jobs };
  const outcomes = await runInside(job, options);
  for (
    const { id, kind, layer = "" } of cases.filter(({ id }) =>
      !outcomes.some((outcome) => outcome.id === id)
    )
  ) {
    outcomes.push({
      id,
      kind,
      layer,
      verdict: "error",
      detail: "the harness ended early",
      output: "",
      duration_ms: 0,
    });
  }
  if (options.json) {
    await Deno.writeTextFile(
      options.json,
      outcomes.map((outcome) => JSON.stringify(outcome) + "\n").join(""),
    );
  }
  console.log(reportText(outcomes, performance.now() - started, options.strict));
  const { passed, failed, escaped } = sums(outcomes, options.strict);
  if (escaped > 0) return ESCAPED;
  return failed > 0 || passed === 0 ? UNUSABLE : SAFE;
}

function readOptions() {
  try {
    return parseArgs({ args: Deno.args, options: OPTIONS, allowPositionals: true });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    Deno.exit(unusable(`${error.message}\n\n${USAGE}`));
  }
}

function unusable(message: string): number {
  console.error(message);
  return UNUSABLE;
}

function contractFrom(command: string, options: Options): Contract {
  const [resultType = "", resultPath = ""] = options.result.split(":");
  return {
    command,
    profiles: {
      "workspace": options["workspace-args"],
      "read-only": options["plan-args"],
      "egress": options["egress-args"],
      "web": options["web-args"],
    },
    resultType,
    resultPath,
    missing: options.missing,
  };
}

/** Starts the inner half on `job`, and collects its outcomes. */
async function runInside(job: Job, options: Options): Promise<Outcome[]> {
  const child = new Deno.Command("bash", {
    args: hostArguments(options),
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    Deno.addSignalListener(signal, () => child.kill("SIGTERM"));
  }
  const writer = child.stdin.getWriter();
  await writer.write(new TextEncoder().encode(JSON.stringify(job)));
  await writer.close();
  const outcomes: Outcome[] = [];
  for await (const line of lines(child.stdout)) {
    const outcome: Outcome = JSON.parse(line);
    outcomes.push(outcome);
    if (options.verbose) console.error(detailLine(outcome));
  }
  await child.status;
  return outcomes;
}

function hostArguments(options: Options): string[] {
  const here = fileURLToPath(new URL(".", import.meta.url));
  const shares = [`escapes=${here}`, `deno=${Deno.execPath()}`, ...options.share];
  return [
    `${here}host.sh`,
    ...shares.flatMap((share) => ["--share", share]),
    ...[world.METADATA_ADDRESS, world.PRIVATE_ADDRESS].flatMap((address) => ["--address", address]),
    ...[world.ALLOWED_ADDRESS, world.EVIL_ADDRESS].flatMap((address) => ["--route", address]),
    "--",
    ...["/share/deno", "run", "--no-config", "--no-check", "-A", "/share/escapes/inside.ts"],
  ];
}

async function* lines(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  let rest = "";
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    yield* parts.filter((part) => part !== "");
  }
}

if (import.meta.main) Deno.exit(await main());
