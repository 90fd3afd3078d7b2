import { deepStrictEqual, match, ok, strictEqual, throws } from "node:assert/strict";
import { askForTrust } from "../../../agent/config/ask_for_trust.ts";
import type { Question } from "../../../agent/gate/approver.ts";
import { findPlaces } from "../../../agent/places.ts";
import { loadConfig } from "../../../agent/config/load.ts";
import { readProjectFiles } from "../../../agent/config/project.ts";
import { keepTrust } from "../../../agent/config/trust.ts";
import { hasServer, writeServer } from "../../../agent/mcp/edit_servers.ts";
import { expandVariables } from "../../../agent/mcp/expand.ts";
import { serverRights } from "../../../agent/mcp/server_rights.ts";
import { configuredServers, namesServers, readMcpFile } from "../../../agent/mcp/servers.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

Deno.test("configuredServers() takes a project's word only once it is trusted", async () => {
  await using dir = await tempDir({
    "config/config.jsonc": '{"mcp":{"own":{"command":"mine"},"both":{"command":"mine"}}}',
    "work/.mcp.json": '{"mcpServers":{"both":{"command":"theirs"},"far":{"url":"https://x.test"}}}',
    "state/": "",
  });
  const workspace = await Deno.realPath(dir.join("work"));
  const places = {
    ...{ workspace, state: dir.join("state"), config: dir.join("config"), systemConfig: [] },
  };
  const names = () => {
    const { servers } = configuredServers(loadConfig(places));
    return servers.map(({ name, origin }) => `${name} of ${origin}`);
  };
  deepStrictEqual(names(), ["both of person", "own of person"]);
  match(loadConfig(places).warnings.join(), /the servers of \.mcp\.json are passed over/);
  const { texts } = readProjectFiles(workspace);
  keepTrust(places.state, workspace, { trusted: true, files: texts });
  deepStrictEqual(names(), ["both of project", "far of project", "own of person"]);
  deepStrictEqual(loadConfig(places).warnings, []);
  // What was trusted is this text, and no other.
  await Deno.writeTextFile(dir.join("work/.mcp.json"), '{"mcpServers":{}}');
  deepStrictEqual(names(), ["both of person", "own of person"]);
});

Deno.test("a person is asked once whether a project's servers may be started", async () => {
  await using dir = await tempDir({
    "work/.mcp.json": '{"mcpServers":{"x":{"command":"x"}}}',
    "state/": "",
  });
  const places = findPlaces(
    { cd: dir.join("work"), state: dir.join("state") },
    () => undefined,
    dir.path,
  );
  const asked: Question[] = [];
  const approve = (question: Question) => {
    asked.push(question);
    return Promise.resolve({ decision: "allow", by: "person" } as const);
  };
  await askForTrust(places, approve);
  await askForTrust(places, approve);
  strictEqual(asked.length, 1);
  match(
    asked[0]?.reason ?? "",
    /^it starts the MCP servers of \.mcp\.json, which it may not before/,
  );
  match(asked[0]?.arguments ?? "", /mcpServers/);
  deepStrictEqual(configuredServers(loadConfig(places)).servers.map(({ name }) => name), ["x"]);
});

Deno.test("namesServers() is false where nothing would be started", async () => {
  await using dir = await tempDir({
    "work/.mcp.json": '{"mcpServers":{"x":{"command":"x"}}}',
    "work/.cordon/config.jsonc": '{"mcp":{"y":{"command":"y"}}}',
  });
  const workspace = await Deno.realPath(dir.join("work"));
  const places = { workspace, state: undefined, config: undefined, systemConfig: [] };
  ok(!namesServers(loadConfig(places)));
});

Deno.test("readMcpFile() tells what is wrong and passes it over", () => {
  const text = JSON.stringify({
    mcpServers: {
      good: { command: "a", unknown: 1 },
      old: { type: "sse", url: "https://x.test" },
      none: {},
      odd: { command: 7 },
      scheme: { url: "file:///x" },
    },
  });
  const { servers, warnings } = readMcpFile("/p/.mcp.json", text);
  deepStrictEqual(servers.map(({ name }) => name), ["good"]);
  strictEqual(warnings.length, 4);
  match(warnings[0] ?? "", /server "old" is passed over: its type "sse" has gone/);
  match(readMcpFile("p", "{").warnings[0] ?? "", /^p is passed over: Cannot read "p": .* line 1/);
  match(readMcpFile("p", "[]").warnings[0] ?? "", /it has no object "mcpServers"/);
});

Deno.test("expandVariables()", async (t) => {
  const env = (name: string) => ({ A: "one", B: "${A}", EMPTY: "" })[name];
  const cases: [text: string, want: ReturnType<typeof expandVariables>][] = [
    ["x", { ok: true, text: "x", used: [] }],
    ["${A}-${A}", { ok: true, text: "one-one", used: ["A", "A"] }],
    // What is put in is not read again.
    ["${B}", { ok: true, text: "${A}", used: ["B"] }],
    ["${NO:-else}", { ok: true, text: "else", used: [] }],
    ["${EMPTY:-else}", { ok: true, text: "else", used: [] }],
    ["${NO:-}", { ok: true, text: "", used: [] }],
    ["${NO}", { ok: false, missing: "NO" }],
    ["$A ${} ${1}", { ok: true, text: "$A ${} ${1}", used: [] }],
  ];
  for (const [text, want] of cases) {
    await t.step(text, () => deepStrictEqual(expandVariables(text, env), want));
  }
});

Deno.test("serverRights() gives what was given, less what is denied", async (t) => {
  const bounds = {
    ...{ workspace: "/w", home: "/h", profile: "workspace" as const },
    denied: (): readonly string[] => [],
  };
  const none = {
    read: [],
    write: [],
    writesWorkspace: false,
    network: [],
    withheld: [],
    unseen: [],
  };
  await t.step("nothing", () => {
    deepStrictEqual(serverRights({ command: "node" }, bounds), none);
  });
  await t.step("folders by their short names, hosts, its own program", () => {
    const settings = {
      command: "/opt/x/run",
      args: ["/opt/data", "/h/docs/a", "rel", "/usr/share/x"],
      read: ["~/docs", "."],
      write: [".", "out", "/srv"],
      network: ["x.test"],
    };
    deepStrictEqual(serverRights(settings, bounds), {
      read: ["/h/docs", "/opt/x/run"],
      write: ["/w/out", "/srv"],
      writesWorkspace: true,
      network: ["x.test"],
      withheld: [],
      unseen: ["/opt/data"],
    });
  });
  const wanted = { command: "x", read: ["/a/b"], write: ["."], network: ["x.test"] };
  await t.step("profile plan writes nothing and has no network", () => {
    const { withheld, ...rights } = serverRights(wanted, { ...bounds, profile: "plan" });
    const { withheld: _, ...nothing } = none;
    deepStrictEqual(rights, { ...nothing, read: ["/a/b"] });
    strictEqual(withheld.length, 2);
  });
  await t.step("flags deny", () => {
    const denied = (kind: string) => kind === "net" ? "all" as const : ["/a"];
    const rights = serverRights(wanted, { ...bounds, denied });
    deepStrictEqual(rights.read, []);
    deepStrictEqual(rights.network, []);
    deepStrictEqual(rights.withheld, ["a flag denies it to read /a/b"]);
  });
});

Deno.test("writeServer() changes one entry and leaves the rest of the file alone", async () => {
  await using dir = await tempDir({ "real.jsonc": '{\n  // mine\n  "model": "m",\n}\n' });
  await Deno.symlink(dir.join("real.jsonc"), dir.join("config.jsonc"));
  const file = { path: dir.join("config.jsonc"), key: "mcp" } as const;
  writeServer(file, "x", { command: "run" });
  ok(hasServer(file, "x"));
  ok(!hasServer(file, "toString"));
  const text = await Deno.readTextFile(dir.join("real.jsonc"));
  match(text, /\/\/ mine\n {2}"model": "m",/);
  ok((await Deno.lstat(file.path)).isSymlink);
  writeServer(file, "x", undefined);
  ok(!hasServer(file, "x"));
  const fresh = { path: dir.join("new/.mcp.json"), key: "mcpServers" } as const;
  writeServer(fresh, "y", { url: "https://x.test" });
  strictEqual((await Deno.stat(fresh.path)).mode! & 0o777, 0o600);
  deepStrictEqual(JSON.parse(await Deno.readTextFile(fresh.path)), {
    mcpServers: { y: { url: "https://x.test" } },
  });
});

Deno.test("a file that has no place for servers is left as it is", async () => {
  for (const text of ["[]", '"x"', "null", '{"mcp":[]}', '{"mcp":null}', '{"mcp":']) {
    await using dir = await tempDir({ "config.jsonc": text });
    const file = { path: dir.join("config.jsonc"), key: "mcp" } as const;
    throws(() => hasServer(file, "x"), { name: "ConfigurationError" }, text);
    throws(() => writeServer(file, "x", { command: "run" }), { name: "ConfigurationError" }, text);
    strictEqual(await Deno.readTextFile(file.path), text);
  }
  for (const text of ["", "// nothing yet\n", '{"model":"m"}']) {
    await using dir = await tempDir({ "config.jsonc": text });
    const file = { path: dir.join("config.jsonc"), key: "mcp" } as const;
    writeServer(file, "x", { command: "run" });
    ok(hasServer(file, "x"), text);
  }
});
