/** Variables as a process gets them. */
export type Environment = Readonly<Record<string, string>>;

/** What commands find when the host's own value is not known. */
const DEFAULTS: Environment = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LANG: "C.UTF-8",
  TMPDIR: "/tmp",
};

/** Says "no terminal, no person" to programs, and tells scripts who runs them. */
const FIXED: Environment = {
  TERM: "dumb",
  NO_COLOR: "1",
  PAGER: "cat",
  GIT_PAGER: "cat",
  MANPAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  GIT_EDITOR: "true",
  AI_AGENT: "cordon",
};

/**
 * What passes from the host: who and where, locale, and where tool chains live. No name here holds
 * a secret by its purpose; proxies pass only without credentials.
 */
const PASSED: ReadonlySet<string> = new Set([
  ..."PATH HOME USER LOGNAME LANG LANGUAGE LC_ALL LC_CTYPE TZ TMPDIR".split(" "),
  ..."XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME XDG_RUNTIME_DIR".split(" "),
  ..."CARGO_HOME RUSTUP_HOME GOPATH GOROOT GOCACHE GOMODCACHE JAVA_HOME DENO_DIR".split(" "),
  ..."NVM_DIR PYENV_ROOT RBENV_ROOT VIRTUAL_ENV CONDA_PREFIX".split(" "),
  ..."SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE".split(" "),
]);

const PROXIES: ReadonlySet<string> = new Set([
  ..."http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY".split(" "),
]);

/** Every variable of the host that may pass: all that has to be read for a command. */
export const HOST_VARIABLES: readonly string[] = [...PASSED, ...PROXIES];

/**
 * The whole environment of a command: the host's variables that are on the list, then ours.
 * `keep` names more of the host's variables, as a person configured; loader variables (`LD_*`,
 * `DYLD_*`) never pass, since they would change every program and Deno refuses to spawn with them.
 */
export function commandEnvironment(host: Environment, keep: readonly string[] = []): Environment {
  const kept = Object.entries(host).filter(([name, value]) =>
    !isLoader(name) && (keep.includes(name) || passes(name, value))
  );
  return { ...DEFAULTS, ...Object.fromEntries(kept), ...FIXED };
}

/** {@linkcode commandEnvironment} with a caller's variables on top, without loader variables. */
export function withVariables(environment: Environment, extra: Environment = {}): Environment {
  const wanted = Object.entries(extra).filter(([name]) => !isLoader(name));
  return { ...environment, ...Object.fromEntries(wanted) };
}

function passes(name: string, value: string): boolean {
  if (value === "") return false;
  if (PROXIES.has(name)) return !value.includes("@");
  return PASSED.has(name);
}

function isLoader(name: string): boolean {
  return name.startsWith("LD_") || name.startsWith("DYLD_");
}
