/** What `deno task test` was asked to run, as arguments for `deno test`; pure. */

/** Flags of `deno test` that take their value as the next word. */
const FLAGS_WITH_VALUE = new Set(["--filter", "--shard", "--reporter", "--retry", "--repeats"]);

/** Where tests lie when none are named. */
const ALL_TESTS = "tests/";

/**
 * Sorts `words` into flags and files. A word that `exists` is a path; any other stands for the test
 * files of `testFiles` that contain it, so `deno task test ladder` runs `tests/edit/ladder_test.ts`.
 * What follows `--` reaches the tests as `Deno.args`.
 * @throws {RangeError} when a word stands for no file
 */
export function testArguments(
  words: readonly string[],
  testFiles: readonly string[],
  exists: (path: string) => boolean,
): string[] {
  const end = words.indexOf("--");
  const own = end < 0 ? words : words.slice(0, end);
  const flags: string[] = [];
  const files: string[] = [];
  for (const [index, word] of own.entries()) {
    if (word.startsWith("-") || FLAGS_WITH_VALUE.has(own[index - 1] ?? "")) flags.push(word);
    else if (exists(word)) files.push(word);
    else files.push(...filesNamed(word, testFiles));
  }
  if (files.length === 0) files.push(ALL_TESTS);
  return [...flags, ...new Set(files), ...end < 0 ? [] : words.slice(end)];
}

function filesNamed(word: string, testFiles: readonly string[]): string[] {
  const named = testFiles.filter((file) => file.includes(word));
  if (named.length > 0) return named;
  throw new RangeError(
    `Cannot run tests of "${word}": no such file, and no test file's name has it`,
  );
}
