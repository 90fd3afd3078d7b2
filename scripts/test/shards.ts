/** Processes that a whole run is shared out to: most of a test is waiting for programs. */
export const SHARDS = 2;

/**
 * Shares out files to `count` runs, in turn, so that neighbours in a folder, which cost alike, part.
 * No run is empty unless there are fewer files than runs; then there are fewer runs. Pure.
 */
export function shardsOf(files: readonly string[], count: number): string[][] {
  const shards: string[][] = [];
  for (const [index, file] of files.entries()) (shards[index % count] ??= []).push(file);
  return shards;
}
