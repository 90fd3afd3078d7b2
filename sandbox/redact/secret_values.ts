import type { Secret } from "./redact.ts";

/** How a file holds its secrets, by its name; undefined for one that is not known to hold any. */
export type SecretFileKind = "environment" | "settings" | "keys";

/**
 * What a file's name says about secrets in it: `.env*` (not the samples that are meant to be
 * shown), `credentials*`, `*.pem`.
 */
export function secretFileKind(name: string): SecretFileKind | undefined {
  const lower = name.toLowerCase();
  if (lower.endsWith(".pem")) return "keys";
  // Asked for each name of a large tree, so the common answer comes first.
  if (lower.startsWith(".env") && /^\.env(\..+)?$/.test(lower)) {
    return /\.(example|sample|template|dist|defaults?)$/.test(lower) ? undefined : "environment";
  }
  return /^\.?credentials(\..+)?$/.test(lower) ? "settings" : undefined;
}

/**
 * The secrets in such a file, to be taken out of everything that is shown. What is no secret by its
 * look (a number, an address without password, a plain word under an ordinary name) is left out,
 * since it would be taken out of every text.
 */
export function secretValues(name: string, text: string): Secret[] {
  switch (secretFileKind(name)) {
    case "environment":
      return assignments(text).flatMap(secretsOf);
    case "settings":
      return [...assignments(text), ...members(text)].flatMap(secretsOf);
    case "keys":
      return keyLines(text).map((value) => ({ name, value }));
    case undefined:
      return [];
  }
}

type Entry = readonly [key: string, value: string];

/** `KEY=value`, `export KEY="value"`, `key: value`; a quoted value may have several lines. */
function assignments(text: string): Entry[] {
  const pattern =
    /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*[=:][ \t]*(?:"((?:[^"\\]|\\[^])*)"|'([^']*)'|`([^`]*)`|([^\r\n]*))/gm;
  return [...text.matchAll(pattern)].map(([, key = "", double, single, back, bare = ""]) => {
    const quoted = double?.replace(/\\n/g, "\n").replace(/\\(["\\$])/g, "$1") ?? single ?? back;
    return [key, quoted ?? bare.replace(/[ \t]+#.*$/, "").trim()];
  });
}

/** Members of JSON objects that are strings. */
function members(text: string): Entry[] {
  return [...text.matchAll(/"([^"\\\r\n]{1,100})"\s*:\s*"((?:[^"\\\r\n]|\\.)*)"/g)].map(
    ([, key = "", value = ""]) => [key, value.replace(/\\n/g, "\n").replace(/\\(["\\/])/g, "$1")],
  );
}

/** Lines of base64 in blocks of private keys; certificates are public. */
function keyLines(text: string): string[] {
  const blocks = text.matchAll(/-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z0-9 ]*-----([^-]*)/g);
  return [...blocks].flatMap(([, body = ""]) => body.split(/\s+/)).filter((line) =>
    line.length >= 16
  );
}

/** Names under which even a plain word is a secret. */
const SECRET_NAME =
  /key|token|secret|passw|passphrase|pwd|auth|credential|private|signature|salt|cookie|webhook|dsn/i;

/** What stands for a value that is still to be filled in. */
const PLACEHOLDER =
  /^(change[-_ ]?me.*|your[-_ ].*|<.*>|\$\{.*\}|x+|\*+|todo|none|null|undefined|true|false|password|secret|example|test|development|production|localhost)$/i;

function secretsOf([key, value]: Entry): Secret[] {
  if (value.includes("PRIVATE KEY-----")) {
    return keyLines(value).map((line) => ({ name: key, value: line }));
  }
  const password = passwordOf(value);
  if (password !== undefined) {
    return [value, password].filter(isValue).map((secret) => ({ name: key, value: secret }));
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(value) && !SECRET_NAME.test(key)) return [];
  const isSecret = isValue(value) && (SECRET_NAME.test(key) || looksRandom(value));
  return isSecret ? [{ name: key, value }] : [];
}

/** The password in an address such as `postgres://user:password@host/name`. */
function passwordOf(value: string): string | undefined {
  return /^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:([^\s/]+)@/i.exec(value)?.[1];
}

function isValue(value: string): boolean {
  return value.length >= 8 && !PLACEHOLDER.test(value) && !/^\d{1,15}$/.test(value);
}

/** Letters and digits mixed, and no word of a language or a path: what people do not write. */
function looksRandom(value: string): boolean {
  return value.length >= 16 && /^[\w+/=.~-]+$/.test(value) && /[A-Za-z]/.test(value) &&
    (value.match(/\d/g)?.length ?? 0) >= 3 && !/^[./~]/.test(value);
}
