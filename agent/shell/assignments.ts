import { bounded, type ShellState, UNKNOWN } from "./values.ts";

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)(\[[^\]]*\])?(\+?)=/;

const DECLARATIONS = new Set(["export", "declare", "typeset", "local", "readonly"]);

/** Whether a word, as written, sets a variable where it stands before a command. */
export function isAssignment(source: string): boolean {
  return ASSIGNMENT.test(source);
}

/** Carries out `name=value` or `name+=value`, as far as the value is visible. */
export function setVariable(assignment: string, { variables }: ShellState): void {
  const match = ASSIGNMENT.exec(assignment);
  const [all, name, index, plus] = match ?? [];
  if (all === undefined || name === undefined) return;
  const value = assignment.slice(all.length);
  if (index !== undefined) variables.set(name, UNKNOWN);
  else variables.set(name, bounded(plus === "+" ? (variables.get(name) ?? "") + value : value));
}

/** Carries out the builtins that set variables: `export`, `read`, `unset` and their like. */
export function declareVariables(words: readonly string[], state: ShellState): void {
  const [program = "", ...args] = words;
  if (DECLARATIONS.has(program)) args.forEach((arg) => setVariable(arg, state));
  if (program === "read") args.forEach((arg) => state.variables.set(arg, UNKNOWN));
  if (program === "unset") args.forEach((arg) => state.variables.delete(arg));
}
