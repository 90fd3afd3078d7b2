import { deepStrictEqual, rejects } from "node:assert/strict";
import { runProgram } from "../../../agent/screen/run_program.ts";

const environment = { PATH: "/usr/bin:/bin" };
const never = new AbortController().signal;

Deno.test("runProgram() hands over the input, and ends what takes longer than it may", async () => {
  const { code, stdout } = await runProgram(["/bin/cat"], environment, never, { input: "a\n" });
  deepStrictEqual([code, new TextDecoder().decode(stdout)], [0, "a\n"]);
  await rejects(
    runProgram(["/bin/sleep", "600"], environment, never, { limitMs: 500 }),
    /^Error: Cannot run \/bin\/sleep: it took longer than 0\.5 seconds$/,
  );
});

Deno.test("runProgram() ends what the person stops", async () => {
  const stop = new AbortController();
  const running = runProgram(["/bin/sleep", "600"], environment, stop.signal);
  stop.abort(new Error("enough"));
  await rejects(running, /^Error: enough$/);
});
