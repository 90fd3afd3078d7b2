/**
 * A tool cannot do what it was asked for, and that is no mistake of the program: the result is an
 * error, and nothing is told to the person beside it. The message is one sentence.
 */
export class ToolError extends Error {
  override readonly name = "ToolError";
}
