import { egressEnvironment } from "../egress/forwarder_command.ts";
import type { Environment } from "../commands/environment.ts";
import { isInside } from "../rights/grants.ts";
import type { ViewRequest } from "./view.ts";

/** Variables that name one folder or file; outside what a view shows they only mislead. */
const PLACES: ReadonlySet<string> = new Set([
  ..."XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_STATE_HOME".split(" "),
  ..."CARGO_HOME RUSTUP_HOME GOPATH GOROOT GOCACHE GOMODCACHE JAVA_HOME DENO_DIR".split(" "),
  ..."NVM_DIR PYENV_ROOT RBENV_ROOT VIRTUAL_ENV CONDA_PREFIX".split(" "),
  ..."SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS REQUESTS_CA_BUNDLE".split(" "),
]);

/** Variables of the host that mean nothing in a view. */
const DROPPED: ReadonlySet<string> = new Set([
  "XDG_RUNTIME_DIR",
  ...Object.keys(egressEnvironment()),
]);

/** The environment of commands in a view: the fixed one, less what leads out of the view. */
export function viewEnvironment(request: ViewRequest, home: string): Environment {
  const { environment, profile } = request;
  if (profile === "container") return environment;
  const shown = shownRoots(request, home);
  const kept = Object.entries(environment).filter(([name, value]) =>
    !DROPPED.has(name) && (!PLACES.has(name) || shown.some((root) => isInside(value, root)))
  );
  return {
    ...Object.fromEntries(kept),
    HOME: home,
    TMPDIR: "/tmp",
    ...(profile === "egress" && egressEnvironment()),
  };
}

function shownRoots(request: ViewRequest, home: string): string[] {
  const { facts, toolchains, extraRead, extraWrite } = request;
  return ["/usr", "/etc", home, facts.workspace, ...toolchains, ...extraRead, ...extraWrite];
}
