import { extname, resolve } from "node:path";
import type { OptionValues } from "../command_line/options.ts";
import { type Invocation, UsageError } from "../command_line/parse.ts";
import { htmlOf } from "../export/html.ts";
import { jsonOf } from "../export/json.ts";
import { markdownOf } from "../export/markdown.ts";
import { type Transcript, transcriptOf } from "../export/transcript.ts";
import { findSessionId } from "../find_session_id.ts";
import { writeOutputFile } from "../output_file.ts";
import { findPlaces } from "../places.ts";
import { folderBlobs } from "../session/blobs.ts";
import { logPath, readLogFile } from "../session/log.ts";
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
  const log = await readLogFile(path);
  const blobs = folderBlobs(path.slice(0, -".jsonl".length));
  const text = render(formatOf(options), log, await transcriptOf(log, blobs.load));
  if (options.output === undefined || options.output === "-") return text;
  const target = resolve(host.cwd, options.output);
  await writeOutputFile(target, text, options.force ? "replace" : "refuse");
  host.streams.stderr.write(`Session ${id} is in ${target}\n`);
  return "";
}

type Format = NonNullable<OptionValues["format"]>;

function formatOf({ format, output = "" }: OptionValues): Format {
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

function render(format: Format, log: LogContents, transcript: Transcript): string {
  switch (format) {
    case "md":
      return markdownOf(transcript);
    case "html":
      return htmlOf(transcript);
    case "json":
      return jsonOf(log, transcript);
  }
}
