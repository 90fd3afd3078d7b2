import { deepStrictEqual, ok } from "node:assert/strict";
import { cellCommand, cellEnvironment } from "../../../sandbox/cell/command.ts";
import { cellRights } from "../../../sandbox/cell/confined.ts";
import { CELL_ARGUMENT, type CellProgram, cellProgram } from "../../../sandbox/cell/program.ts";

const MODULE: CellProgram = { form: "module", executable: "/d/deno", parts: {}, entry: "cell.js" };

/** The flags of a cell that differ from cell to cell. */
function rightsOf(read: readonly string[], write: readonly string[]): string[] {
  return cellCommand(MODULE, "/p", { read, write, run: [] }).filter((flag) =>
    flag.startsWith("--allow")
  );
}

Deno.test("cellCommand() of a module", () => {
  deepStrictEqual(cellCommand(MODULE, "/p", { read: ["/out"], write: ["/w"], run: ["rg"] }), [
    "/d/deno",
    "run",
    "--no-prompt",
    "--v8-flags=--max-semi-space-size=1",
    "--no-config",
    "--no-lock",
    "--no-remote",
    "--cached-only",
    "--node-modules-dir=manual",
    "--deny-import",
    "--allow-read=/out,/w",
    "--allow-write=/w",
    "--allow-run=rg",
    "/p/cell.js",
  ]);
});

Deno.test("cellCommand() of a compiled binary is the binary itself", () => {
  const binary: CellProgram = { form: "compiled", executable: "/b/cordon" };
  deepStrictEqual(cellCommand(binary, "/p", { read: [], write: ["/w"], run: [] }), [
    "/b/cordon",
    CELL_ARGUMENT,
  ]);
});

Deno.test("a cell is allowed what it is to touch, and never a whole kind", async (t) => {
  const cases: [name: string, read: string[], write: string[], want: string[]][] = [
    ["what is written is read, too", [], ["/w"], ["--allow-read=/w", "--allow-write=/w"]],
    ["nothing to write", ["/w"], [], ["--allow-read=/w"]],
    ["nothing at all", [], [], []],
    ["one path twice", ["/w"], ["/w"], ["--allow-read=/w", "--allow-write=/w"]],
    ["spaces and line breaks", ["/a b\nc"], [], ["--allow-read=/a b\nc"]],
    ["a comma", ["/a/b,c/d,e"], [], ["--allow-read=/a"]],
    ["a comma at the top", [], ["/a,b"], ["--allow-read=/", "--allow-write=/"]],
  ];
  for (const [name, read, write, want] of cases) {
    await t.step(name, () => deepStrictEqual(rightsOf(read, write), want));
  }
});

Deno.test("cellRights() by profile", () => {
  const roots = { workspace: "/w", session: "/s", extraRead: ["/r"], extraWrite: ["/x"] };
  deepStrictEqual(cellRights({ roots, ripgrep: true, view: { profile: "workspace" } }), {
    read: ["/s", "/r"],
    write: ["/w", "/x"],
    run: ["rg"],
  });
  deepStrictEqual(cellRights({ roots, ripgrep: false, view: { profile: "plan" } }), {
    read: ["/w", "/x", "/s", "/r"],
    write: [],
    run: [],
  });
  const alone = { roots: { workspace: "/w" }, ripgrep: false };
  deepStrictEqual(cellRights({ ...alone, view: { profile: "egress" } }), {
    read: [],
    write: ["/w"],
    run: [],
  });
});

Deno.test("cellEnvironment() is all that a cell gets", () => {
  deepStrictEqual(cellEnvironment("/bin", "/cache"), {
    PATH: "/bin",
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    DENO_DIR: "/cache",
    DENO_NO_UPDATE_CHECK: "1",
  });
});

Deno.test("cellProgram() from source names files that are there", async () => {
  const program = cellProgram();
  ok(program.form === "module");
  deepStrictEqual(Object.keys(program.parts).sort(), [
    "node_modules/ignore",
    "node_modules/picomatch",
    "sandbox",
  ]);
  for (const path of [program.executable, ...Object.values(program.parts)]) await Deno.stat(path);
  const entry = program.entry.replace("sandbox", program.parts["sandbox"] ?? "");
  deepStrictEqual((await Deno.stat(entry)).isFile, true);
});
