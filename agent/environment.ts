/** Reads a variable; undefined where it is not set, or where this process may not read it. */
export type ReadVariable = (name: string) => string | undefined;

/** The variables of this process. */
export const processVariables: ReadVariable = (name) => {
  try {
    return Deno.env.get(name);
  } catch (error) {
    if (error instanceof Deno.errors.NotCapable) return undefined;
    throw error;
  }
};
