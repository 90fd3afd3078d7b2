import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { peerFile, peersFolder } from "../../scripts/setup/peers.ts";
import { denoFolder, eventsOf, newWorld, sourceLine, type World } from "../helpers/cordon.ts";

const everything = peerFile("@modelcontextprotocol/server-everything/dist/index.js");
const filesystem = peerFile("@modelcontextprotocol/server-filesystem/dist/index.js");
const inspector = peerFile("@modelcontextprotocol/inspector/clients/launcher/build/index.js");
/** What a view shows of node. */
const NODE = "/usr/bin/node";
const hasNode = await Deno.stat(NODE).then(({ isFile }) => isFile, () => false);

async function configure(world: World, mcp: object): Promise<void> {
  await Deno.mkdir(world.join("home/.config/cordon"), { recursive: true });
  await Deno.writeTextFile(world.join("home/.config/cordon/config.jsonc"), JSON.stringify({ mcp }));
}

Deno.test({
  name: "server-everything and server-filesystem are used as they are",
  ignore: !hasNode || everything === undefined || filesystem === undefined,
}, async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const common = { command: NODE, read: [peersFolder()], approval: "allow" };
  await configure(world, {
    every: { ...common, args: [everything, "stdio"] },
    files: { ...common, args: [filesystem, "."], write: ["."] },
  });
  const calls: [name: string, args: object][] = [
    ["mcp__every__echo", { message: "hi" }],
    ["mcp__every__get-structured-content", { location: "New York" }],
    ["mcp__every__get-tiny-image", {}],
    ["mcp__every__trigger-long-running-operation", { duration: 0.02, steps: 2 }],
    ["mcp_resources", { server: "every", uri: "demo://resource/dynamic/text/1" }],
    ["mcp__files__read_text_file", { path: "a.txt" }],
    ["mcp__files__write_file", { path: "b.txt", content: "two\n" }],
    ["mcp__files__read_text_file", { path: "/etc/passwd" }],
  ];
  const run = await world.play([
    { tool_calls: calls.map(([name, args]) => ({ name, arguments: args })) },
    { text: "done" },
  ]);
  strictEqual(run.code, 0, run.stderr);
  const results = eventsOf(run, "tool_result");
  const [echo, structured, image, long, resource, read, , outside] = results.map(({ text }) =>
    text
  );
  match(echo, /\nEcho: hi\n/);
  strictEqual(typeof results[1]?.value.structured.temperature, "number");
  match(structured, /"temperature"/);
  // Where no process without rights can decode it, it is told of.
  match(image, /\[image (?:from MCP server every|not shown: .*)\]/);
  match(long, /completed/);
  match(resource, /Resource 1/);
  match(read, /\none\n/);
  strictEqual(await Deno.readTextFile(world.join("work/b.txt")), "two\n");
  match(outside, /Access denied[^]*\[the tool says that it failed\]$/);
});

Deno.test({
  name: "the inspector speaks with cordon mcp serve",
  ignore: !hasNode || inspector === undefined,
}, async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const cordon = world.join("cordon");
  const line = sourceLine(["mcp", "serve"]).map((word) => `'${word}'`).join(" ");
  // The inspector hands few variables on.
  const script = `#!/bin/sh\nexport DENO_DIR='${await denoFolder()}'\nexec ${line}\n`;
  await Deno.writeTextFile(cordon, script, { mode: 0o755 });
  async function inspect(...args: string[]) {
    const { success, stdout, stderr } = await new Deno.Command(NODE, {
      args: [inspector ?? "", "--cli", cordon, ...args],
      cwd: world.work,
      clearEnv: true,
      env: { PATH: Deno.env.get("PATH") ?? "", HOME: world.join("home") },
    }).output();
    const decoder = new TextDecoder();
    ok(success, decoder.decode(stderr));
    return JSON.parse(decoder.decode(stdout));
  }
  const { tools } = await inspect("--method", "tools/list");
  deepStrictEqual(tools.map(({ name }: { name: string }) => name), [
    ...["read_file", "list_dir", "glob", "grep"],
  ]);
  ok(tools.every(({ inputSchema }: { inputSchema: object }) => "properties" in inputSchema));
  const called = ["--method", "tools/call", "--tool-name", "read_file", "--tool-arg", "path=a.txt"];
  deepStrictEqual((await inspect(...called)).content, [{ type: "text", text: "     1\tone" }]);
});
