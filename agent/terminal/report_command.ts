import type { OptionValues } from "../command_line/options.ts";
import { UsageError } from "../command_line/parse.ts";
import { encloseRun } from "../enclosure.ts";
import { prepareLaunch } from "../launch.ts";
import type { Place } from "../shell/classification.ts";
import type { Host } from "./headless.ts";
import { flagsReport, rightsReport, toolsReport } from "./reports.ts";

/** The private folders of views that are opened to be told of, and for no session. */
const REPORT_VIEW = "report";

/** The text of a sub-command that only tells: `tools`, `rights`. */
export async function report(
  command: "tools" | "rights",
  options: OptionValues,
  { env, cwd, streams, stdin, program }: Host,
): Promise<string> {
  const launch = await prepareLaunch(options, env, cwd);
  for (const warning of launch.warnings) streams.stderr.write(`warning: ${warning}\n`);
  const { places } = launch;
  if (command === "rights" && options.classify) {
    return await classifyLines(stdin.readable, {
      workspace: places.workspace,
      cwd: places.workspace,
    });
  }
  async function enclose() {
    const enclosure = await encloseRun(launch, { id: REPORT_VIEW, folder: undefined }, {
      keepsLog: !options["no-session"],
    });
    for (const warning of enclosure.warnings) streams.stderr.write(`warning: ${warning}\n`);
    return enclosure;
  }
  switch (command) {
    case "tools":
      return toolsReport((await enclose()).tools);
    case "rights": {
      if (options.flags && options.tier) return flagsReport(launch, options.tier, program);
      const enclosure = await enclose();
      return options.flags
        ? flagsReport(launch, enclosure.rights.confinement.tier, program)
        : rightsReport(launch, enclosure);
    }
  }
}

/** `cordon rights --classify`: a judgement a line for each `{"command"}` line. */
async function classifyLines(input: ReadableStream<Uint8Array>, place: Place): Promise<string> {
  const { loadClassifier } = await import("../shell/classifier.ts");
  const classifier = await loadClassifier();
  const lines = (await new Response(input).text()).split("\n");
  return lines.flatMap((line, i) => {
    if (line.trim() === "") return [];
    const { decision, parts, reason } = classifier.classify(commandOf(line, i + 1), place);
    return [`${JSON.stringify({ decision, parts, reason })}\n`];
  }).join("");
}

function commandOf(line: string, number: number): string {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value === "object" && value !== null && "command" in value) {
      if (typeof value.command === "string") return value.command;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new UsageError(`Cannot classify line ${number} of stdin: it is no {"command": "…"} object`);
}
