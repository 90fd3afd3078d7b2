import { posix } from "node:path";
import type { Finding, Place } from "./classification.ts";

/** A path as a command names it. */
export interface NamedPath {
  readonly text: string;
  readonly isGlob: boolean;
  /** Whether the shell puts a home folder at its start. */
  readonly startsHome: boolean;
}

/** Folders of the system that hold programs and their public data, and devices without content. */
const PUBLIC_PATHS = [
  /^\/usr\/(?:bin|include|lib|lib64|share|src)(?:\/|$)/,
  /^\/bin(?:\/|$)/,
  /^\/lib(?:64)?(?:\/|$)/,
  /^\/etc\/(?:os-release|debian_version|lsb-release)$/,
  /^\/proc\/(?:cpuinfo|meminfo|version|loadavg)$/,
  /^\/dev\/(?:null|stdin|stdout|stderr)$/,
];

/** File and folder names that hold secrets, by tools' own conventions. */
const SECRET_NAMES = [
  /^\.env(?!\.(?:example|sample|template|dist)$)(?:rc|\..*)?$/,
  /^\.(?:ssh|aws|azure|gnupg|kube|docker|password-store|mozilla)$/,
  /^\.(?:netrc|pgpass|npmrc|pypirc|git-credentials|htpasswd|my\.cnf|s3cfg|boto|vault-token)$/,
  /^\.(?:bash|zsh|python|node_repl|psql|mysql)_history$/,
  /^(?:gcloud|gh|op)$/,
  /^id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?$/,
  /^credentials.*$/,
  /^secrets?(?:\.(?:json|ya?ml|toml|ini|env|txt))?$/,
  /\.(?:pem|key|p12|pfx|kdbx|keystore|jks)$/,
];

/** Names out of {@linkcode SECRET_NAMES} that a glob is tried on. */
const SECRET_SAMPLES = [
  ...[".env", ".env.local", ".env.production", ".envrc", ".ssh", ".aws", ".azure", ".gnupg"],
  ...[".kube", ".docker", ".netrc", ".pgpass", ".npmrc", ".pypirc", ".git-credentials"],
  ...[".htpasswd", ".bash_history", "id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "credentials"],
  ...["credentials.json", "secrets.json", "secrets.yaml", "server.pem", "server.key"],
];

/**
 * Why reading `path` needs a question: it lies outside the workspace or holds secrets; undefined
 * where it may be read. `folders` are the folders, relative to the first one, that the shell may be
 * in.
 */
export function pathFinding(
  path: NamedPath,
  folders: readonly string[],
  place: Place | undefined,
): Finding | undefined {
  const { text } = path;
  if (path.startsHome) return sensitive("a home folder lies outside the workspace");
  if (text === "" || text === "-") return undefined;
  if (text.startsWith("/")) return absoluteFinding(path, place);
  for (const folder of folders) {
    const finding = relativeFinding(path, posix.join(folder, text), place);
    if (finding) return finding;
  }
  return undefined;
}

function sensitive(detail: string): Finding {
  return { code: "sensitive_path", detail };
}

function absoluteFinding(path: NamedPath, place: Place | undefined): Finding | undefined {
  // After a glob `..` leads out of a folder that is not known.
  if (path.isGlob && /\.\./.test(path.text)) return sensitive(`"${path.text}" leads anywhere`);
  const normal = posix.normalize(path.text);
  if (PUBLIC_PATHS.some((known) => known.test(normal))) return undefined;
  const inside = place && insideOf(place.workspace, normal);
  if (inside === undefined) return sensitive(`"${path.text}" lies outside the workspace`);
  return secretFinding(path, inside);
}

function relativeFinding(
  path: NamedPath,
  joined: string,
  place: Place | undefined,
): Finding | undefined {
  if (path.isGlob && /\.\./.test(path.text)) return sensitive(`"${path.text}" leads anywhere`);
  if (joined !== ".." && !joined.startsWith("../")) return secretFinding(path, joined);
  const inside = place && insideOf(place.workspace, posix.join(place.cwd, joined));
  if (inside === undefined) return sensitive(`"${path.text}" leads out of the folder`);
  return secretFinding(path, inside);
}

/** `path` relative to `folder`, undefined outside of it; both are normal and absolute. */
function insideOf(folder: string, path: string): string | undefined {
  const relative = posix.relative(folder, path);
  return relative === ".." || relative.startsWith("../") ? undefined : relative;
}

function secretFinding(path: NamedPath, inside: string): Finding | undefined {
  for (const name of inside.split("/")) {
    const secret = path.isGlob && /[*?[]/.test(name) ? reachesSecret(name) : isSecret(name);
    if (secret) return sensitive(`"${path.text}" may hold secrets`);
  }
  return undefined;
}

function isSecret(name: string): boolean {
  const lower = name.toLowerCase();
  return SECRET_NAMES.some((secret) => secret.test(lower));
}

/** Whether a glob names secrets; a bare `*` names everything, as a recursive search does. */
function reachesSecret(glob: string): boolean {
  if (/^\*+$/.test(glob)) return false;
  const pattern = globPattern(glob.toLowerCase());
  return SECRET_SAMPLES.some((sample) =>
    pattern.test(sample) && (!sample.startsWith(".") || /^[.[]/.test(glob))
  );
}

/** A glob as a regular expression; a bracket counts as any character. */
function globPattern(glob: string): RegExp {
  const source = glob.replace(/\[[^\]]*\]|[*]+|\?|[^*?[]+|\[/g, (part) => {
    if (part.startsWith("*")) return ".*";
    if (part === "?" || part.startsWith("[")) return ".";
    return part.replace(/[.+^${}()|\\\]]/g, "\\$&");
  });
  return new RegExp(`^${source}$`);
}
