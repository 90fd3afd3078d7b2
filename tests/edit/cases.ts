/** Reads a file of cases, one JSON object a line. */
export async function readCases<T>(name: string): Promise<T[]> {
  const path = new URL(`../fixtures/cases/${name}.jsonl`, import.meta.url);
  return (await Deno.readTextFile(path)).trim().split("\n").map((line) => JSON.parse(line));
}
