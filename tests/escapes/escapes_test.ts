import { deepStrictEqual, ok } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { builtinTools } from "../../tools/mod.ts";
import { programBinary } from "../helpers/binary.ts";
import { canConfine } from "../helpers/confined.ts";
import { denoFolder } from "../helpers/cordon.ts";
import { tempDir } from "../helpers/temp_dir.ts";
import type { Outcome } from "./verdict.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CASES = fileURLToPath(new URL("../fixtures/cases/escapes-a.jsonl", import.meta.url));
const RUN = fileURLToPath(new URL("run.ts", import.meta.url));

/** What the harness itself is made of (README.md). */
const PROGRAMS = ["unshare", "setpriv", "ip", "socat", "git", "python3", "curl"];

/** Tools that are tried and are not in the default set. */
const FURTHER = ["python", "web_fetch"];

/** The one interface that no tool has yet. */
const SKIPPED = ["plugin-01", "plugin-03", "plugin-05"];

const known = builtinTools({ bashTimeoutMs: undefined }).map(({ name }) => name);
const missing = await whatIsMissing();

/** Why the cases cannot be tried here, as half a sentence; undefined where they can. */
async function whatIsMissing(): Promise<string | undefined> {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return "they need Linux and root";
  for (const name of PROGRAMS) {
    const args = ["-c", 'type -P -- "$1"', "bash", name];
    if (!(await new Deno.Command("bash", { args, stdout: "null" }).output()).success) {
      return `they need ${name}`;
    }
  }
  return await canConfine() ? undefined : "they need bubblewrap and namespaces";
}

/** Tries all cases against a program in a throw-away host. */
async function outcomesOf(command: string, shares: readonly string[]): Promise<Outcome[]> {
  await using dir = await tempDir();
  const file = dir.join("outcomes.jsonl");
  const more = FURTHER.filter((name) => known.includes(name)).map((name) => ` --tools=+${name}`);
  const grants = "--allow-read --allow-write --allow-run --allow-env --allow-net";
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", "--no-config", RUN, "--jobs", "2", "--json", file],
      ...["--missing", "There is no tool", "--cmd", command],
      `--workspace-args=--profile workspace${more.join("")}`,
      `--web-args=--profile egress ${grants}${more.join("")}`,
      ...shares.flatMap((share) => ["--share", share]),
      CASES,
    ],
    stdin: "null",
    stderr: "inherit",
  }).output();
  const report = new TextDecoder().decode(stdout);
  const lines = (await Deno.readTextFile(file)).trimEnd().split("\n");
  ok(lines.length > 100, report);
  return lines.map((line) => JSON.parse(line));
}

/** Nothing got out, and nothing was left untried but what no tool could do. */
function assertSafe(outcomes: readonly Outcome[]): void {
  const untried = !known.includes("web_fetch") ? ["web"] : [];
  const bad = outcomes.filter(({ id, kind, verdict }) => {
    switch (verdict) {
      case "safe":
        return false;
      case "not offered":
        return !untried.includes(kind);
      case "skipped":
        return !SKIPPED.includes(id);
      default:
        return true;
    }
  });
  deepStrictEqual(bad.map(({ id, verdict, detail }) => `${id} ${verdict}: ${detail}`), []);
}

const why = missing === undefined ? "" : ` (not here: ${missing})`;

Deno.test({
  name: `no escape case gets out of the program, run from source${why}`,
  ignore: missing !== undefined,
}, async () => {
  const program = "/share/deno run -A --cached-only --frozen /share/src/main.ts";
  const shares = [`src=${ROOT}`, `cache=${await denoFolder()}`];
  assertSafe(await outcomesOf(`env DENO_DIR=/share/cache ${program}`, shares));
});

const wanted = Deno.env.get("CORDON_ESCAPES_BINARY") === "1";

Deno.test({
  name: `no escape case gets out of the binary${why || " (with CORDON_ESCAPES_BINARY=1)"}`,
  ignore: missing !== undefined || !wanted,
}, async () => {
  assertSafe(await outcomesOf("/share/cordon", [`cordon=${await programBinary()}`]));
});
