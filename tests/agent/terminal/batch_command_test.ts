import { match, rejects } from "node:assert/strict";
import { parseCommandLine, UsageError } from "../../../agent/command_line/parse.ts";
import { runBatchCommand } from "../../../agent/terminal/batch_command.ts";
import type { Host } from "../../../agent/terminal/headless.ts";
import { textStream } from "../../../agent/terminal/stream.ts";

const NOWHERE = textStream({ write: (bytes) => Promise.resolve(bytes.length) });

const HOST: Host = {
  ...{ env: () => undefined, cwd: "/", program: "/main.ts" },
  stdin: { isTerminal: false, readable: new ReadableStream(), mayStaySilent: true },
  streams: { stdout: NOWHERE, stderr: NOWHERE },
  ...{ stdoutIsTerminal: false, stderrIsTerminal: false, exit: () => {} },
};

Deno.test("runBatchCommand() refuses what makes no batch", async (t) => {
  const cases: readonly [args: string[], message: RegExp][] = [
    [["--out=o"], /^Cannot run a batch: name one file of tasks/],
    [["a", "b", "--out=o"], /^Cannot run a batch: name one file of tasks/],
    [["a"], /^Cannot run a batch: name the folder of its results by --out DIR$/],
    [["a", "--out=o", "-c"], /^Cannot use --continue in a batch: it is for a single run$/],
    [["a", "--out=o", "-o=x"], /^Cannot use --output in a batch/],
    [["a", "--out=o", "-i=x.png"], /^Cannot use --image in a batch/],
    [["a", "--out=o", "--task=0", "--collect"], /^Cannot use --task with --collect/],
    [["-", "--out=o", "--task=0"], /^Cannot take the tasks of an array from a pipe/],
    [["-", "--out=o", "--collect"], /^Cannot take the tasks of an array from a pipe/],
  ];
  for (const [args, message] of cases) {
    await t.step(args.join(" "), async () => {
      await rejects(runBatchCommand(parseCommandLine(["batch", ...args]), HOST), (error) => {
        match(String(error instanceof UsageError && error.message), message);
        return true;
      });
    });
  }
});
