import { dirname, join } from "node:path";

/** A temporary folder of a test; gone when its block ends. */
export interface TempDir extends AsyncDisposable {
  /** Absolute, links resolved. */
  readonly path: string;
  join(...names: string[]): string;
}

/** Makes a folder holding the given files (name to content; `dir/` as name makes a folder). */
export async function tempDir(
  files: Readonly<Record<string, string | Uint8Array>> = {},
): Promise<TempDir> {
  const path = await Deno.realPath(await Deno.makeTempDir({ prefix: "cordon-test-" }));
  for (const [name, content] of Object.entries(files)) {
    const target = join(path, name);
    if (name.endsWith("/")) {
      await Deno.mkdir(target, { recursive: true });
      continue;
    }
    await Deno.mkdir(dirname(target), { recursive: true });
    if (typeof content === "string") await Deno.writeTextFile(target, content);
    else await Deno.writeFile(target, content);
  }
  return {
    path,
    join: (...names) => join(path, ...names),
    [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }),
  };
}
