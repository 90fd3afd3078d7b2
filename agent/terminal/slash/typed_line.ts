/** What a person typed, as far as its first characters tell. */
export type TypedLine =
  /** `argument`: what stands behind the name, blanks around it cut. */
  | { readonly kind: "command"; readonly name: string; readonly argument: string }
  /** A slash alone: which commands are there? */
  | { readonly kind: "list" }
  | { readonly kind: "shell"; readonly command: string }
  | { readonly kind: "prompt"; readonly text: string };

/** One part of a command's name; parts are joined by colons. */
export const NAME_PART = /^[\p{L}\p{N}_][\p{L}\p{N}_-]*$/u;

const COMMAND =
  /^\/([\p{L}\p{N}_][\p{L}\p{N}_-]*(?::[\p{L}\p{N}_][\p{L}\p{N}_-]*)*)(?=\s|$)(.*)$/su;

/**
 * Reads a line that a person typed. `//` begins a text with a slash, and whatever follows a blank is
 * text; `/etc/passwd` is a path and no command, since its name is followed by a slash.
 */
export function readTypedLine(line: string): TypedLine {
  if (line.startsWith("//")) return { kind: "prompt", text: line.slice(1) };
  if (/^\/\s*$/.test(line)) return { kind: "list" };
  if (/^!\s*\S/.test(line)) return { kind: "shell", command: line.slice(1).trim() };
  const [, name, argument] = COMMAND.exec(line) ?? [];
  if (name === undefined) return { kind: "prompt", text: line };
  return { kind: "command", name, argument: (argument ?? "").trim() };
}
