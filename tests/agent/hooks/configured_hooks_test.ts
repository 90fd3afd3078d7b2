import { deepStrictEqual, match } from "node:assert/strict";
import type { ConfigFile } from "../../../agent/config/files.ts";
import { readConfig } from "../../../agent/config/read_config.ts";
import type { Trust } from "../../../agent/config/trust.ts";
import { commandFiles } from "../../../agent/config/command_files.ts";
import { configuredHooks, matchingHooks } from "../../../agent/hooks/configured_hooks.ts";
import { ConfigurationError } from "../../../agent/json_file.ts";

function file(path: string, hooks: unknown): ConfigFile {
  const text = JSON.stringify({ hooks });
  return { path, text, ...readConfig(path, text) };
}

const run = (command: string, more = {}) => [{ hooks: [{ type: "command", command, ...more }] }];

function configured(own: unknown, project: unknown, trust: Trust, confined = true) {
  const projectFiles = [file("/work/.cordon/config.jsonc", project)];
  const files = [...projectFiles, file("/home/config.jsonc", own)];
  const { warnings, ...counting } = commandFiles({
    files,
    project: { files: projectFiles, trust },
  }, confined);
  const { hooks, warnings: more } = configuredHooks(counting);
  return { hooks, warnings: [...warnings, ...more] };
}

Deno.test("a project's hooks count where it is trusted, before the person's own, never outside", () => {
  const own = { PreToolUse: run("own", { outside: true, strict: true, timeout: 1.5 }) };
  const project = { PreToolUse: run("theirs", { outside: true }) };
  const told = (trust: Trust, confined = true) => {
    const { hooks, warnings } = configured(own, project, trust, confined);
    return {
      hooks: hooks.map(({ command, outside, origin }) => ({ command, outside, origin })),
      warnings,
    };
  };
  const mine = { command: "own", outside: true, origin: "user" };
  deepStrictEqual(told("unasked"), { hooks: [mine], warnings: [] });
  deepStrictEqual(told("refused"), { hooks: [mine], warnings: [] });
  deepStrictEqual(told("trusted"), {
    hooks: [{ command: "theirs", outside: false, origin: "project" }, mine],
    warnings: ['A project\'s hooks run inside the view: "outside" does nothing there'],
  });
  deepStrictEqual(told("trusted", false), {
    hooks: [mine],
    warnings: ["Nothing confines commands here, so what the project sets is passed over: hooks"],
  });
  deepStrictEqual(told("unasked", false), { hooks: [mine], warnings: [] });
  const [hook] = configured(own, {}, "unasked").hooks;
  deepStrictEqual([hook?.strict, hook?.timeoutMs], [true, 1500]);
});

Deno.test("a matcher is held against whole names of tools, the names of other agents too", () => {
  const matching = (matcher: string, tool: string) => {
    const hooks = [{ matcher, hooks: [{ command: "x" }] }];
    return matchingHooks(configured({ PreToolUse: hooks }, {}, "unasked").hooks, "PreToolUse", tool)
      .length === 1;
  };
  const yes: [matcher: string, tool: string][] = [
    ["bash|edit_file", "bash"],
    ["Bash", "bash"],
    ["Edit|Write", "write_file"],
    ["mcp__.*", "mcp__server__tool"],
    ["*", "bash"],
    ["", "bash"],
  ];
  const no: [matcher: string, tool: string][] = [
    ["bash|edit_file", "patch"],
    ["read", "read_files"],
    ["file", "read_file"],
  ];
  deepStrictEqual(yes.filter((pair) => !matching(...pair)), []);
  deepStrictEqual(no.filter((pair) => matching(...pair)), []);
});

Deno.test("a mistake in hooks is told with its place", () => {
  const cases: [hooks: unknown, told: RegExp][] = [
    [{ Before: run("x") }, /hooks.Before is wrong|hooks is wrong/],
    [{ Stop: [{ hooks: [{ command: "" }] }] }, /hooks\.Stop\.0\.hooks\.0\.command is wrong/],
    [{ Stop: run("x", { timeout: 0 }) }, /timeout is wrong/],
    [{ Stop: run("x", { stict: true }) }, /stict/],
    [{ Stop: [{ matcher: "(", hooks: [] }] }, /matcher is wrong.*no regular expression/],
  ];
  for (const [hooks, told] of cases) {
    try {
      file("/c.jsonc", hooks);
    } catch (error) {
      match(error instanceof ConfigurationError ? error.message : String(error), told);
      continue;
    }
    throw new Error(`taken: ${JSON.stringify(hooks)}`);
  }
});
