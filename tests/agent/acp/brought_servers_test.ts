import { deepStrictEqual, match } from "node:assert/strict";
import { broughtServers } from "../../../agent/acp/brought_servers.ts";

Deno.test("broughtServers() reads an editor's servers as a person's own", () => {
  const { servers, warnings } = broughtServers([
    { name: "files", command: "/bin/files", args: ["-x"], env: [{ name: "TOKEN", value: "t" }] },
    {
      type: "http",
      name: "web",
      url: "https://mcp.example.org/mcp",
      headers: [{ name: "x-team", value: "tools" }],
    },
    { name: "files", command: "/bin/later", args: [], env: [] },
  ]);
  const common = { origin: "person", path: "the editor" } as const;
  deepStrictEqual(servers, [
    { ...common, name: "files", settings: { command: "/bin/later", args: [], env: {} } },
    {
      ...common,
      name: "web",
      settings: {
        ...{ type: "http", url: "https://mcp.example.org/mcp" },
        headers: { "x-team": "tools" },
      },
    },
  ]);
  deepStrictEqual(warnings, []);
});

Deno.test("broughtServers() passes over what cannot be used, and says so", () => {
  const { servers, warnings } = broughtServers([
    { type: "sse", name: "old", url: "https://example.org/sse", headers: [] },
    { type: "http", name: "odd", url: "file:///etc/passwd", headers: [] },
    { name: "none", command: "", args: [], env: [] },
  ]);
  deepStrictEqual(servers, []);
  deepStrictEqual(warnings.length, 3);
  for (const [n, name] of ["old", "odd", "none"].entries()) {
    match(warnings[n] ?? "", new RegExp(`MCP server "${name}" is passed over`));
  }
});
