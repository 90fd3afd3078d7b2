import type { Invocation } from "../command_line/parse.ts";
import type { Check } from "../doctor/check.ts";
import { examine } from "../doctor/doctor.ts";
import { EXIT } from "../exit_code.ts";
import type { Host } from "./headless.ts";
import { printable } from "./output.ts";

/** `cordon doctor`: a line for each check, under it the fix; the exit code says whether all is well. */
export async function runDoctor({ options }: Invocation, host: Host): Promise<number> {
  const checks = await examine(options, host.env, host.cwd, new Date());
  const well = checks.every(({ status }) => status !== "fail");
  const format = options["output-format"] ?? "text";
  host.streams.stdout.write(
    format === "text"
      ? checks.map(checkText).join("")
      : `${JSON.stringify({ type: "doctor", ok: well, checks })}\n`,
  );
  return well ? EXIT.done : EXIT.failed;
}

function checkText({ status, what, fact, fix }: Check): string {
  const line = `${status.padEnd(4)}  ${what}: ${printable(fact)}\n`;
  return fix === undefined ? line : `${line}      ${printable(fix)}\n`;
}
