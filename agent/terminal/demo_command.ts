import { join } from "node:path";
import { commandEnvironment } from "../../sandbox/commands/environment.ts";
import { runBashScript } from "../../sandbox/commands/bash_script.ts";
import type { Invocation } from "../command_line/parse.ts";
import { DEMO } from "../demo.ts";
import { type Host, runHeadless } from "./headless.ts";

/** Makes the demo's folder a repository where git is there, so that its change can be shown. */
const MAKE_REPOSITORY = `
cd -- "$1" && command -v git >/dev/null || exit 0
git init -q && git add -A &&
  git -c user.name=demo -c user.email=demo@example.invalid commit -q -m "A cart that adds up wrong"
`;

const SHOW_CHANGE = `cd -- "$1" && [ -d .git ] && git --no-pager diff`;

/** Lets the agent, driven by a script, mend a small repository in a temporary folder. */
export async function runDemo(invocation: Invocation, host: Host): Promise<number> {
  const folder = await Deno.realPath(await Deno.makeTempDir({ prefix: "cordon-demo-" }));
  const repository = join(folder, "cart");
  const say = (text: string) => host.streams.stderr.write(`${text}\n`);
  try {
    await Deno.mkdir(repository);
    for (const [name, content] of Object.entries(DEMO.files)) {
      await Deno.writeTextFile(join(repository, name), content);
    }
    const script = join(folder, "script.json");
    await Deno.writeTextFile(script, DEMO.script);
    const environment = commandEnvironment({ PATH: host.env("PATH") ?? "" });
    await runBashScript(MAKE_REPOSITORY, [repository], environment);
    say(`Demo: a broken repository in ${repository}, a scripted model, real tools.`);
    say("It runs with --approval all, inside this temporary folder of its own.\n");
    const options = {
      ...invocation.options,
      cd: repository,
      model: `scripted:${script}`,
      state: join(folder, "state"),
      approval: "all" as const,
    };
    const code = await runHeadless({ command: "run", options, operands: [DEMO.prompt] }, host);
    say(`\n${await runBashScript(SHOW_CHANGE, [repository], environment)}`);
    return code;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
