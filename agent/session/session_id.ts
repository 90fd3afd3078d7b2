/** How many ids are tried before a session is given up; random parts of 4 digits rarely meet. */
export const ID_ATTEMPTS = 32;

/** A session's id, as `20261201-101530-7f3a`: sorts by time (UTC), and is short to type. */
export function sessionId(created: Date, random: string): string {
  const [date = "", time = ""] = created.toISOString().split("T");
  return `${date.replaceAll("-", "")}-${time.slice(0, 8).replaceAll(":", "")}-${random}`;
}

/** True for what can be a session's id: one plain file name. */
export function isSessionId(id: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_-]*$/.test(id);
}

/** Four hexadecimal digits, for the end of an id. */
export function randomDigits(): string {
  const [value = 0] = crypto.getRandomValues(new Uint16Array(1));
  return value.toString(16).padStart(4, "0");
}
