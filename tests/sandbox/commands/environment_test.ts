import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { commandEnvironment, withVariables } from "../../../sandbox/commands/environment.ts";

const FIXED = {
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: "true",
  AI_AGENT: "cordon",
};

Deno.test("commandEnvironment() is whole without a host", () => {
  deepStrictEqual(commandEnvironment({}), {
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    LANG: "C.UTF-8",
    TMPDIR: "/tmp",
    ...FIXED,
  });
});

Deno.test("commandEnvironment() passes who and where, and keeps its own values", () => {
  const host = {
    PATH: "/bin",
    HOME: "/home/a",
    USER: "a",
    LANG: "de_DE.UTF-8",
    TMPDIR: "/var/tmp",
    CARGO_HOME: "/c",
    TERM: "xterm",
    PAGER: "less",
  };
  deepStrictEqual(commandEnvironment(host), { ...host, ...FIXED });
});

Deno.test("commandEnvironment() keeps out what is not on the list", async (t) => {
  const names = [
    ..."OPENAI_API_KEY GITHUB_TOKEN AWS_SECRET_ACCESS_KEY NPM_TOKEN CORDON_MODEL".split(" "),
    ..."LD_PRELOAD LD_LIBRARY_PATH DYLD_INSERT_LIBRARIES BASH_ENV ENV NODE_OPTIONS".split(" "),
    ..."PYTHONPATH GIT_SSH_COMMAND PROMPT_COMMAND SSH_AUTH_SOCK BASH_FUNC_ls%%".split(" "),
    "NODE_CHANNEL_FD",
  ];
  for (const name of names) {
    await t.step(name, () => strictEqual(commandEnvironment({ [name]: "x" })[name], undefined));
  }
});

Deno.test("commandEnvironment() passes a proxy only without credentials", () => {
  const name = "HTTPS_PROXY";
  strictEqual(commandEnvironment({ [name]: "http://p:1" })[name], "http://p:1");
  strictEqual(commandEnvironment({ [name]: "http://u:pw@p:1" })[name], undefined);
});

Deno.test("commandEnvironment() passes what a person names, but no loader variable", () => {
  const host = { MY_FLAG: "1", LD_PRELOAD: "/x.so" };
  const environment = commandEnvironment(host, ["MY_FLAG", "LD_PRELOAD"]);
  strictEqual(environment["MY_FLAG"], "1");
  strictEqual(environment["LD_PRELOAD"], undefined);
});

Deno.test("withVariables() puts variables on top, but no loader variable", () => {
  deepStrictEqual(withVariables({ A: "1", B: "2" }, { B: "3", LD_AUDIT: "x" }), { A: "1", B: "3" });
});
