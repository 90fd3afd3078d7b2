import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { judgeByText } from "../../../agent/gate/judge_by_text.ts";

Deno.test("judgeByText()", async (t) => {
  const lost: string[] = [];
  const judge = judgeByText(() => ({ workspace: "/w", cwd: "/w" }), (paths) => {
    lost.push(...paths);
    return Promise.resolve(paths.includes("notes.txt") ? "notes.txt goes" : undefined);
  });
  const cases: [command: string, kind: string][] = [
    ["ls -la src", "read_only"],
    ["cat a.txt | wc -l", "read_only"],
    ["npm test", "other"],
    ["make > build.log", "other"],
    ["make > notes.txt", "destructive"],
    ["chmod -R 777 .", "destructive"],
    ["chmod +x run.sh", "other"],
    ["rm -rf build", "destructive"],
    ["git clean -fd", "destructive"],
    ["echo 'open", "destructive"],
    ["rm -rf ~", "forbidden"],
    ["git push --force", "forbidden"],
  ];
  for (const [command, kind] of cases) {
    await t.step(`${command} is ${kind}`, async () => {
      strictEqual((await judge(command)).kind, kind);
    });
  }
});

Deno.test("judgeByText() judges again when the shell has moved", async () => {
  let cwd = "/w";
  const judge = judgeByText(() => ({ workspace: "/w", cwd }), () => Promise.resolve(undefined));
  const inside = await judge("cat ../a");
  cwd = "/w/deep";
  const deeper = await judge("cat ../a");
  deepStrictEqual([inside.kind, deeper.kind], ["other", "read_only"]);
});
