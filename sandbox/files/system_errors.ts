/**
 * The system's short name of an error, as "ENOENT"; undefined where it has none, as when Deno's own
 * permissions said no.
 */
export function errorCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Whether the error says that nothing is there: also a name too long to exist, or below a file. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error);
  return code === "ENOENT" || code === "ENOTDIR" || code === "ENAMETOOLONG";
}

/** Whether the error says that links lead in a circle. */
export function isLinkLoop(error: unknown): boolean {
  return errorCode(error) === "ELOOP";
}

/** Whether the system or Deno's flags keep this process from looking. */
export function isForbidden(error: unknown): boolean {
  const code = errorCode(error);
  // Of what Node's functions throw the code alone tells.
  return code === "EACCES" || code === "EPERM" || error instanceof Deno.errors.NotCapable ||
    error instanceof Deno.errors.PermissionDenied;
}

/** Resolves as `looking` does, and to undefined where nothing is there. */
export async function unlessMissing<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether the system said no, or Deno's own permissions: whatever it is, no mistake of ours. */
export function isOfSystem(error: unknown): error is Error {
  // Node's own errors about wrong arguments are called ERR_ and more.
  return /^E[A-Z0-9]+$/.test(errorCode(error) ?? "") || error instanceof Deno.errors.NotCapable;
}
