import { errorCode } from "../files/system_errors.ts";
import type { Failure } from "./messages.ts";

/** An error's message is cut to so many UTF-16 units. */
const MAX_MESSAGE_CHARS = 4096;

/** An error as it travels. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return { name: "Error", message: cut(String(error)) };
  const code = errorCode(error);
  return {
    name: error.name,
    message: cut(error.message),
    ...(code !== undefined && { code }),
  };
}

/**
 * The error that a failure describes, so that callers catch it as if it had been thrown here: of
 * the same class where that is one of Deno's or of the language's own, else a plain Error.
 */
export function errorOf({ name, message, code }: Failure): Error {
  const error = new (classOf(name))(cut(message));
  // As the runtime puts it there; Deno's types know it on system errors only.
  return code === undefined ? error : Object.assign(error, { code });
}

type ErrorClass = new (message: string) => Error;

const LANGUAGE: Readonly<Record<string, ErrorClass>> = { RangeError, TypeError, SyntaxError };

/** Never anything but a list of known classes, since the name comes from the cell. */
function classOf(name: string): ErrorClass {
  if (Object.hasOwn(LANGUAGE, name)) return LANGUAGE[name] ?? Error;
  // A cast: Deno's types list these classes one by one and have no index.
  const system = Deno.errors as Readonly<Record<string, ErrorClass>>;
  return Object.hasOwn(system, name) ? system[name] ?? Error : Error;
}

function cut(text: string): string {
  return text.length > MAX_MESSAGE_CHARS ? `${text.slice(0, MAX_MESSAGE_CHARS)}…` : text;
}
