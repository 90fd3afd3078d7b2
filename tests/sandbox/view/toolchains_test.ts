import { deepStrictEqual } from "node:assert/strict";
import { toolchainFolders } from "../../../sandbox/view/toolchains.ts";

Deno.test("toolchainFolders()", async (t) => {
  const workspace = "/home/u/src/project";
  const hidden = ["/home/u", workspace, "/home/u/.local/state/cordon"];
  const cases: [name: string, path: string, want: string[]][] = [
    ["system folders are in view anyway", "/usr/local/bin:/usr/bin:/bin:/usr/local/go/bin", []],
    ["a tool chain as a whole", "/home/u/.pyenv/shims:/home/u/.pyenv/bin", ["/home/u/.pyenv"]],
    ["only the programs where secrets lie beside them", "/home/u/.cargo/bin", [
      "/home/u/.cargo/bin",
      "/home/u/.rustup",
    ]],
    ["only the folder itself of an unknown tree", "/home/u/.fly/bin:/home/u/src/other/bin", [
      "/home/u/.fly/bin",
      "/home/u/src/other/bin",
    ]],
    ["software outside of HOME", "/opt/tool/v1/bin", ["/opt/tool"]],
    ["a folder of its own elsewhere", "/data/tools/bin/", ["/data/tools/bin"]],
    ["never HOME, the state or what holds them", "/home/u:/home:/:/home/u/.local/state", []],
    ["nor what is not absolute", ".:bin::~/bin", []],
    ["nor what lies in the workspace", "/home/u/src/project/node_modules/.bin", []],
    ["nested folders once", "/home/u/.nvm/versions/node/v20/bin:/home/u/.nvm/x", [
      "/home/u/.nvm",
    ]],
  ];
  for (const [name, PATH, want] of cases) {
    await t.step(name, () => {
      const question = { environment: { PATH }, home: "/home/u", caches: false, hidden, workspace };
      deepStrictEqual(toolchainFolders(question), want);
    });
  }

  await t.step("caches, where they usually are and where variables say", () => {
    const folders = toolchainFolders({
      environment: { PATH: "/usr/bin", DENO_DIR: "/data/deno" },
      ...{ home: "/home/u", caches: true, hidden, workspace },
    });
    for (const cache of ["/home/u/.npm/_cacache", "/home/u/.cargo/registry", "/data/deno/npm"]) {
      deepStrictEqual(folders.includes(cache), true, cache);
    }
  });
});
