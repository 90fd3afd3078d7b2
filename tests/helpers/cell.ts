import { cp } from "node:fs/promises";
import { cellCommand, cellEnvironment } from "../../sandbox/cell/command.ts";
import { cellProgram } from "../../sandbox/cell/program.ts";
import type { Roots } from "../../sandbox/files/guard.ts";
import { type PipedProcess, startPiped } from "../../sandbox/commands/piped_process.ts";
import { tempDir } from "./temp_dir.ts";

/** A place from which real cells start, without a view but under their real flags. */
export interface CellHouse extends AsyncDisposable {
  start(roots: Roots, ripgrep?: boolean): PipedProcess;
}

/** Lays a cell's program out as a view does: packages as copies, for Deno looks through links. */
export async function cellHouse(): Promise<CellHouse> {
  const dir = await tempDir({ "program/": "", "cache/": "" });
  const program = cellProgram();
  if (program.form !== "module") throw new Error("tests run from source");
  for (const [name, source] of Object.entries(program.parts)) {
    const target = dir.join("program", name);
    if (name.startsWith("node_modules/")) await cp(source, target, { recursive: true });
    else await Deno.symlink(source, target);
  }
  return {
    start({ workspace, session, extraRead = [], extraWrite = [] }, ripgrep = false) {
      const read = [...(session === undefined ? [] : [session]), ...extraRead];
      const argv = cellCommand(program, dir.join("program"), {
        read,
        write: [workspace, ...extraWrite],
        run: ripgrep ? ["rg"] : [],
      });
      const environment = cellEnvironment(Deno.env.get("PATH") ?? "", dir.join("cache"));
      return startPiped(argv, { environment });
    },
    [Symbol.asyncDispose]: () => dir[Symbol.asyncDispose](),
  };
}
