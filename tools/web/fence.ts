/** More backticks than any run of them in the text, at least three. */
export function fenceFor(content: string): string {
  const longest = [...content.matchAll(/`+/g)].reduce(
    (most, [run]) => Math.max(most, run.length),
    2,
  );
  return "`".repeat(longest + 1);
}
