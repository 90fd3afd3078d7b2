import { createCellFiles } from "../../sandbox/cell/client.ts";
import type { WriteFiles } from "../../sandbox/files/files.ts";
import { createFiles, type FilesOptions } from "../../sandbox/files/guarded_files.ts";
import { cellHouse } from "./cell.ts";

/** Opens the capability `files`; what it takes ends with the test. */
export type OpenFiles = (options: Omit<FilesOptions, "search">) => WriteFiles;

type Run = (open: OpenFiles, t: Deno.TestContext) => Promise<void>;

/** Registers a test of the capability `files` twice: in this process, and through a real cell. */
export function testFiles(name: string, run: Run, options: { ignore?: boolean } = {}): void {
  Deno.test({ ...options, name, fn: (t) => run(createFiles, t) });
  Deno.test({
    ...options,
    name: `${name} (cell)`,
    async fn(t) {
      await using cells = await openCells();
      await run(cells.open, t);
    },
  });
}

/** Cells that run at the same time; a table of forty cases needs one at a time. */
const KEPT = 3;

/** Opens files through cells, each in a process of its own; only the last few stay open. */
export async function openCells(
  ripgrep = false,
): Promise<AsyncDisposable & { readonly open: OpenFiles }> {
  const house = await cellHouse();
  const opened: AsyncDisposable[] = [];
  const ending: PromiseLike<void>[] = [];
  return {
    open(options) {
      const spawn = () => house.start(options.roots, ripgrep);
      const files = createCellFiles({ ...options, ripgrep, spawn });
      opened.push(files);
      if (opened.length > KEPT) end(opened.splice(0, 1));
      return files;
    },
    async [Symbol.asyncDispose]() {
      end(opened);
      await Promise.all(ending);
      await house[Symbol.asyncDispose]();
    },
  };

  function end(files: readonly AsyncDisposable[]): void {
    ending.push(...files.map((one) => one[Symbol.asyncDispose]()));
  }
}
