import { deepStrictEqual, match, throws } from "node:assert/strict";
import { join } from "node:path";
import type { House } from "../../../agent/batch/house.ts";
import { isolationOf, whyNoCopy } from "../../../agent/batch/isolation.ts";
import type { BatchTask } from "../../../agent/batch/task.ts";
import { folderOf, taskOptions, toolsOf } from "../../../agent/batch/task_start.ts";
import type { OptionValues } from "../../../agent/command_line/options.ts";
import { ConfigurationError } from "../../../agent/json_file.ts";
import { grantsOf } from "../../../sandbox/rights/grants.ts";
import { type TempDir, tempDir } from "../../helpers/temp_dir.ts";

const TASK: BatchTask = { id: "a", index: 0, line: 3, digest: "d", prompt: "x" };

/** The house of a batch in the folder `work`, with its state beside it. */
function house(dir: TempDir, options: OptionValues = {}, more: Partial<House> = {}): House {
  const workspace = dir.join("work");
  const state = dir.join("state");
  const [read, write] = [options["allow-read"], options["allow-write"]];
  const allow = read && write ? { read, write } : {};
  const grants = grantsOf({ allow, deny: {} }, { workspace, state, providers: [] }, () => true);
  const launch = {
    places: { cwd: dir.path, workspace, state },
    ...{ grants, selected: new Set(["bash", "grep", "patch"]) },
  };
  // Nothing else of a launch is looked at here.
  return { ...{ launch, options }, isolation: undefined, ...more } as unknown as House;
}

function refuses(act: () => unknown, message: RegExp): void {
  throws(act, (error) => {
    match(String(error instanceof ConfigurationError && error.message), message);
    return true;
  });
}

Deno.test("folderOf() lets a task work in the workspace, or where the batch may", async () => {
  await using dir = await tempDir({ "work/sub/": "", "beside/": "", "work/file": "" });
  const at = (cwd: string, options: OptionValues = {}) =>
    folderOf(house(dir, options), { ...TASK, cwd });
  deepStrictEqual(folderOf(house(dir), TASK), dir.join("work"));
  deepStrictEqual(at("sub"), dir.join("work/sub"));
  refuses(
    () => at("../beside"),
    /^Cannot run task "a" \(line 3\) in "\.\.\/beside": it lies outside/,
  );
  refuses(() => at("nosuch"), /there is no such folder$/);
  refuses(() => at("file"), /there is no such folder$/);
  const granted = [dir.join("work"), dir.join("beside")];
  deepStrictEqual(
    at("../beside", { "allow-read": granted, "allow-write": granted }),
    dir.join("beside"),
  );
  // What git and agents obey is no place to work, however it is reached.
  await Deno.mkdir(dir.join("work/.git/hooks"), { recursive: true });
  await Deno.mkdir(dir.join("work/sub/.cordon"));
  refuses(() => at(".git/hooks"), /git obeys what is in its own folder, so nobody works there$/);
  refuses(() => at("sub/.cordon"), /an agent obeys it, so nobody works there$/);
  // A link leads to where it leads.
  await Deno.symlink(dir.join("beside"), dir.join("work/link"));
  refuses(() => at("link"), /it lies outside of/);
});

Deno.test("toolsOf() takes away, and never adds", async () => {
  await using dir = await tempDir({ "work/": "" });
  const of = (...tools: string[]) => toolsOf(house(dir), { ...TASK, tools });
  deepStrictEqual(toolsOf(house(dir), TASK), undefined);
  deepStrictEqual(of("bash", "grep"), ["bash", "grep"]);
  deepStrictEqual(of("-bash"), ["grep", "patch"]);
  refuses(() => of("python"), /^Cannot use the tools of task "a" \(line 3\): "python" is none of/);
  refuses(() => of("+web_fetch"), /add it by --tools=\+web_fetch$/);
  refuses(() => of("-bash", "-grep", "-patch"), /it leaves none$/);
});

Deno.test("taskOptions() are the batch's, without what is about the batch itself", async () => {
  await using dir = await tempDir({ "work/sub/": "" });
  const options: OptionValues = {
    ...{ jobs: 3, out: "out", "output-format": "json", cd: "work", timeout: 9 },
    ...{ profile: "egress", egress: ["h:1"], "max-turns": 9, model: "m", "max-budget-usd": 5 },
  };
  const common = {
    ...{ profile: "egress", egress: ["h:1"], state: dir.join("state") },
  };
  deepStrictEqual(taskOptions(house(dir, options), TASK, undefined), {
    ...common,
    ...{ "max-turns": 9, model: "m", cd: dir.join("work") },
  });
  const task = { ...TASK, cwd: "sub", model: "scripted:s.json", tools: ["grep"], maxTurns: 2 };
  deepStrictEqual(taskOptions(house(dir, options), task, "/copy", { leftUsd: 0.5 }), {
    ...common,
    ...{ "max-turns": 2, model: `scripted:${dir.join("work/s.json")}`, tools: ["grep"] },
    ...{ cd: "/copy", "max-budget-usd": 0.5 },
  });
});

Deno.test("taskOptions() let no task raise a limit of the batch", async () => {
  await using dir = await tempDir({ "work/": "" });
  const turns = (batch: OptionValues, maxTurns: number) =>
    taskOptions(house(dir, batch), { ...TASK, maxTurns }, undefined)["max-turns"];
  deepStrictEqual([turns({}, 9), turns({ "max-turns": 5 }, 9), turns({ "max-turns": 5 }, 2)], [
    ...[9, 5, 2],
  ]);
});

Deno.test("taskOptions() move granted folders of the workspace into the copy", async () => {
  await using dir = await tempDir({ "work/sub/": "" });
  const folders = ["work/sub", "/elsewhere"];
  const { "allow-read": read } = taskOptions(
    house(dir, { "allow-read": folders, "allow-write": ["work"] }),
    TASK,
    "/copy",
  );
  deepStrictEqual(read, [join("/copy", "sub"), "/elsewhere"]);
});

Deno.test("isolationOf() is a worktree for tasks that name no folder, unless told otherwise", () => {
  const cases: readonly [House["isolation"], cwd: string | undefined, string][] = [
    [undefined, undefined, "worktree"],
    [undefined, "sub", "none"],
    ["worktree", "sub", "worktree"],
    ["copy", undefined, "copy"],
    ["none", undefined, "none"],
  ];
  for (const [isolation, cwd, want] of cases) {
    deepStrictEqual(isolationOf({ isolation }, cwd === undefined ? {} : { cwd }), want);
  }
});

Deno.test("whyNoCopy() says early what would keep every task from a copy", async () => {
  await using dir = await tempDir({ "work/": "" });
  const workspace = dir.join("work");
  deepStrictEqual(whyNoCopy(house(dir), workspace), undefined);
  match(String(whyNoCopy(house(dir), dir.path)), /^the state folder ".+" lies in "/);
  const options = { "allow-read": ["/a"], "allow-write": ["/a"] };
  match(String(whyNoCopy(house(dir, options), workspace)), /are not granted$/);
  const { launch } = house(dir);
  const without = { ...launch, places: { ...launch.places, state: undefined } };
  match(String(whyNoCopy({ launch: without }, workspace)), /name one by --state$/);
});
