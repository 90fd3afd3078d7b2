import { resolve } from "node:path";
import { UsageError } from "../../../command_line/parse.ts";
import { redactedLog } from "../../../export/redacted_log.ts";
import { transcriptOf } from "../../../export/transcript.ts";
import { writeOutputFile } from "../../../output_file.ts";
import { readLogFile } from "../../../session/log.ts";
import { formatOf, render } from "../../export_command.ts";
import type { SlashCommand } from "../command.ts";

/** `/export [FILE]`: writes the session to a file, in the format that its name ends in. */
export const exportCommand: SlashCommand = {
  name: "export",
  hint: "[--force] [FILE]",
  description: "write this session to a file: .md, .html or .json",
  origin: "built-in",
  async run(argument, desk) {
    const [, force, file] = /^(--force(?=\s|$))?\s*(.*)$/s.exec(argument) ?? [];
    const { session, started } = desk.seat.agent;
    if (session.path === undefined) {
      throw new UsageError("Cannot export this session: no log of it is kept");
    }
    const target = resolve(started.cwd, file || `cordon-${session.id}.md`);
    const log = await redactedLog(await readLogFile(session.path));
    const transcript = await transcriptOf(log, (name) => session.blobs.load(name));
    const text = render(formatOf({ output: target }), log, transcript);
    await writeOutputFile(target, text, force ? "replace" : "refuse");
    desk.say(`This session is in ${target}`);
  },
};
