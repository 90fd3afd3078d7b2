import { extname, resolve } from "node:path";
import type { OptionValues } from "../command_line/options.ts";
import { type Invocation, UsageError } from "../command_line/parse.ts";
import { htmlOf } from "../export/html.ts";
import { jsonOf } from "../export/json.ts";
import { markdownOf } from "../export/markdown.ts";
import { redactedLog } from "../export/redacted_log.ts";
import { type Transcript, transcriptOf } from "../export/transcript.ts";
import { findSessionId } from "../find_session_id.ts";
import { writeOutputFile } from "../output_file.ts";
import { findPlaces } from "../places.ts";
import { folderBlobs } from "../session/blobs.ts";
import { logPath } from "../session/log.ts";
import { salvageLogFile } from "../session/salvage.ts";
import type { LogContents } from "../session/read_log.ts";
import type { Host } from "./headless.ts";

/**
 * `cordon export ID`: the session for stdout, or nothing where `-o` names a file for it.
 * @throws {UsageError}
 * @throws {SessionLogError} where its log cannot be read.
 */
export async function runExport({ options, operands }: Invocation, host: Host): Promise<string> {
  const [part, ...more] = operands;
  if (part === undefined || more.length > 0) {
    throw new UsageError(
      "Cannot export: name one session, as cordon export ID; see cordon sessions",
    );
  }
  const { sessions } = findPlaces(options, host.env, host.cwd);
  if (sessions === undefined) throw new UsageError(`There is no session "${part}"`);
  const id = await findSessionId(sessions, part);
  const path = logPath(sessions, id);
  const { log: whole, problems } = await salvageLogFile(path);
  tellProblems(id, problems, host);
  const log = await redactedLog(whole);
  const blobs = folderBlobs(path.slice(0, -".jsonl".length));
  const text = render(formatOf(options), log, await transcriptOf(log, blobs.load));
  if (options.output === undefined || options.output === "-") return text;
  const target = resolve(host.cwd, options.output);
  await writeOutputFile(target, text, options.force ? "replace" : "refuse");
  host.streams.stderr.write(`Session ${id} is in ${target}\n`);
  return "";
}

/** How many damaged lines are told one by one. */
const MAX_PROBLEMS = 5;

function tellProblems(id: string, problems: readonly string[], { streams }: Host): void {
  if (problems.length === 0) return;
  const more = problems.length - MAX_PROBLEMS;
  const told = problems.slice(0, MAX_PROBLEMS).join("; ") + (more > 0 ? `; and ${more} more` : "");
  streams.stderr.write(
    `warning: Session ${id} is damaged, and what can be read is saved: ${told}\n`,
  );
}

/** What a session can be exported as. */
export type Format = NonNullable<OptionValues["format"]>;

/** The format that was asked for, or else that the file's name ends in; Markdown. */
export function formatOf({ format, output = "" }: OptionValues): Format {
  if (format !== undefined) return format;
  switch (extname(output).toLowerCase()) {
    case ".html":
    case ".htm":
      return "html";
    case ".json":
      return "json";
    default:
      return "md";
  }
}

/** A session in a format. */
export function render(format: Format, log: LogContents, transcript: Transcript): string {
  switch (format) {
    case "md":
      return markdownOf(transcript);
    case "html":
      return htmlOf(transcript);
    case "json":
      return jsonOf(log, transcript);
  }
}
