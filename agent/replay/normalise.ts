/**
 * What two runs of the same thing may tell differently, and what stands for it when they are
 * compared. In this order, the more particular before the more general.
 */
const DIFFERING: readonly (readonly [what: string, pattern: RegExp])[] = [
  // ISO 8601 and the like, with or without a zone.
  ["<time>", /\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?([.,]\d+)?( ?(Z|[+-]\d\d:?\d\d)\b)?/g],
  // `date`, HTTP and mail: Tue Dec  1 14:03:05 UTC 2026; Tue, 01 Dec 2026 14:03:05 GMT.
  [
    "<time>",
    /\b[A-Z][a-z]{2},? +\w{1,3} +\w{1,3} +(\d{4} +)?\d\d:\d\d:\d\d( [A-Z]{2,5})?( [+-]?\d{4})?/g,
  ],
  // `ls -l`: Dec  1 14:03.
  ["<time>", /\b(Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) [ \d]\d +\d\d:\d\d\b/g],
  ["<time>", /\b\d\d:\d\d:\d\d([.,]\d+)?\b/g],
  // Durations: 12ms, 1.5 s, 0m0.012s, in 3 seconds.
  ["<duration>", /\b\d+m\d+([.,]\d+)?s\b/g],
  ["<duration>", /\b\d+([.,]\d+)? ?(ns|µs|us|ms|s|secs?|seconds?|milliseconds?)\b/g],
  // Of a process: [1] 4711, pid 4711, PID: 4711, pid=4711.
  ["<pid>", /(?<=^\[\d+\] )\d+$/gm],
  ["<pid>", /(?<=\b[Pp][Ii][Dd](:|=)? ?)\d+\b/g],
  // Where `../..` leads hangs on where the copy lies; what was asked for stands before it.
  ["<outside>", /(?<=\bpath traversal: .+ resolves to )\/.*(?=, outside the workspace)/g],
  // mktemp, Python's tempfile, Deno's and Node's.
  ["<temp>", /\/(var\/)?tmp\/[\w.-]*[\w-]{6,}/g],
  ["<address>", /\b0x[0-9a-f]{6,16}\b/g],
  ["<port>", /(?<=\b(localhost|127\.0\.0\.1|\[::1\]):)\d{4,5}\b/g],
  // Commits hold the time of their making: `commit HASH` of git log, `[main HASH]` of git commit.
  ["<commit>", /(?<=^commit )[0-9a-f]{40,64}\b/gm],
  ["<commit>", /(?<=^\[\S+( \(root-commit\))? )[0-9a-f]{7,}(?=\])/gm],
  // Which tools are offered is no answer of theirs.
  ["<tools>", /(?<=; the tools are: )[\w, ]+/g],
  // Ids of sessions and random ones.
  ["<id>", /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g],
];

/** Fields of values that no two runs have alike: times, durations, processes. */
const DIFFERING_FIELDS: ReadonlySet<string> = new Set([
  ..."duration_ms durationMs elapsed_ms elapsedMs time mtime created started ended".split(" "),
  // Sizes of output hold the lengths of paths.
  ..."pid port session session_id bytes".split(" "),
]);

/** Text in which nothing is left that differs from run to run. Pure. */
export function normaliseText(text: string): string {
  return DIFFERING.reduce((result, [what, pattern]) => result.replaceAll(pattern, what), text);
}

/** The same for a JSON value, as text: fields that always differ are left out. Pure. */
export function normaliseValue(value: unknown, inText: (text: string) => string): string {
  const replacer = (key: string, field: unknown) => {
    if (DIFFERING_FIELDS.has(key)) return undefined;
    return typeof field === "string" ? normaliseText(inText(field)) : field;
  };
  return `${JSON.stringify(value, replacer, 2)}\n`;
}
