import type { Mount } from "./mounts.ts";
import type { View } from "./view.ts";

/** User and group of every confined process, as seen from inside. */
const INSIDE_ID = "1000";

/** The descriptor from which bubblewrap reads the seccomp filter: its standard input. */
export const FILTER_DESCRIPTOR = 0;

/** What is laid over the arguments of one command. */
export interface BwrapOptions {
  /** Descriptor that holds the seccomp filter. */
  readonly filterDescriptor?: number;
  /** Variables on top of those that bubblewrap itself is started with. */
  readonly variables?: Readonly<Record<string, string>>;
}

/** The arguments of bubblewrap for one process in a view, without its program name. Pure. */
export function bwrapArguments(
  view: View,
  argv: readonly string[],
  { filterDescriptor = FILTER_DESCRIPTOR, variables = {} }: BwrapOptions = {},
): string[] {
  return [
    ...namespaceArguments(view),
    ...view.mounts.flatMap(mountArguments),
    ...Object.entries(variables).flatMap(([name, value]) => ["--setenv", name, value]),
    "--seccomp",
    String(filterDescriptor),
    "--chdir",
    "/",
    "--",
    ...argv,
  ];
}

/**
 * The arguments for looking around: the whole machine read-only but for one folder, no network.
 * Only for scripts of ours that run nothing of the workspace.
 */
export function surveyBwrapArguments(argv: readonly string[], writable: string): string[] {
  return [
    ...ISOLATED,
    "--unshare-net",
    ...["--ro-bind", "/", "/"],
    ...["--dev", "/dev"],
    ...["--bind", writable, writable],
    ...["--chdir", "/"],
    "--",
    ...argv,
  ];
}

const ISOLATED = [
  "--unshare-user",
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--unshare-cgroup-try",
  "--die-with-parent",
  "--new-session",
  ...["--cap-drop", "ALL"],
];

function namespaceArguments(view: View): string[] {
  return [
    ...ISOLATED,
    ...(view.hostNetwork ? [] : ["--unshare-net"]),
    // Needs the explicit --unshare-user above (bubblewrap 0.8).
    "--disable-userns",
    ...["--uid", INSIDE_ID, "--gid", INSIDE_ID],
  ];
}

function mountArguments(mount: Mount): string[] {
  switch (mount.kind) {
    case "bind": {
      const option = mount.access === "read" ? "--ro-bind" : "--bind";
      return [mount.optional ? `${option}-try` : option, mount.source, mount.target];
    }
    case "host":
      return ["--dev-bind", "/", "/"];
    case "link":
      return ["--symlink", mount.to, mount.target];
    case "folder":
      return ["--dir", mount.target];
    case "memory":
      return ["--perms", "1777", "--size", String(mount.bytes), "--tmpfs", mount.target];
    case "hide":
      return ["--ro-bind", "/dev/null", mount.target];
    case "seal":
      return ["--remount-ro", mount.target];
    case "devices":
      return ["--dev", "/dev"];
    case "processes":
      return mount.fresh ? ["--proc", "/proc"] : ["--ro-bind", "/proc", "/proc"];
  }
}
