/** Sweeps the folder that is its argument under the flags it was started with; run by sweeper_test.ts. */
import { createSweeper } from "../../../sandbox/sweep/sweeper.ts";

const [root = ""] = Deno.args;
const sweeper = createSweeper(root);
const look = await sweeper.before();
await Deno.writeTextFile(`${root}/.envrc`, "evil");
await Deno.writeTextFile(`${root}/.husky/pre-commit`, "evil");
await Deno.chmod(`${root}/tool`, 0o4755);
const findings = await sweeper.after(look);
const undone = await sweeper.undo(look);
console.log(JSON.stringify({ found: findings.files.length, undone }));
