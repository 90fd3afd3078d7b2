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
    ["the tree of shims, deep in it", "/home/u/.pyenv/plugins/x/shims", ["/home/u/.pyenv"]],
    ["a tool chain in another's home", "/root/.pyenv/shims:/srv/miniconda3/bin", [
      "/root/.pyenv",
      "/srv/miniconda3",
    ]],
    ["what stands beside programs in another's home", "/root/.cargo/bin", [
      "/root/.cargo/bin",
      "/root/.rustup",
    ]],
    ["no shims without the tree that they need", "/data/x/shims:/home/u/y/shims/:/data/bin", [
      "/data/bin",
    ]],
    ["a name that only begins like a tree", "/root/.pyenv2/bin", ["/root/.pyenv2/bin"]],
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

  const named: [name: string, variables: Record<string, string>, want: string[]][] = [
    ["a tree that a variable names", { PYENV_ROOT: "/data/py/" }, ["/data/py"]],
    ["a variable that names no tree of it", { PYENV_ROOT: "/data/other" }, []],
    ["a variable that names HOME or more", { PYENV_ROOT: "/" }, []],
    ["such a variable takes nothing else away", { NVM_DIR: "/home/u", PYENV_ROOT: "/data/py" }, [
      "/data/py",
    ]],
    ["a variable that is not absolute", { PYENV_ROOT: "data/py" }, []],
  ];
  for (const [name, variables, want] of named) {
    await t.step(name, () => {
      const environment = { PATH: "/data/py/shims:/usr/bin:/home/u/.fly/bin", ...variables };
      const question = { environment, home: "/home/u", caches: false, hidden, workspace };
      deepStrictEqual(toolchainFolders(question), [...want, "/home/u/.fly/bin"]);
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
