/** The folders that `find` with these arguments starts from. */
export function findStarts(args: readonly string[]): readonly string[] {
  const from = args.findIndex((arg) => !/^-[HLPO]/.test(arg));
  const end = args.findIndex((arg, at) => at >= from && /^[-(!]/.test(arg));
  return args.slice(Math.max(from, 0), end < 0 ? undefined : end);
}

/** Whether a test keeps most files out of what `find` acts on. */
export function isNarrowedFind(args: readonly string[]): boolean {
  return args.some((arg) =>
    /^-(?:i?name|i?path|i?regex|size|[amc](?:time|min)|newer|empty|user|maxdepth)/.test(arg)
  );
}
