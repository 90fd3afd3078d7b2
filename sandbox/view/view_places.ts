import { isInside } from "../rights/grants.ts";

/** Where things of Cordon's own stand in every view. */
export const VIEW_PLACES = {
  /** The session's folder with spilled output, read-only. */
  out: "/cordon/out",
  /** The state of the shell between calls, writable. */
  shell: "/cordon/shell",
  /** HOME where the host's own place for it cannot be used. */
  home: "/cordon/home",
  /** The socket of the egress proxy, in profile egress. */
  proxy: "/cordon/proxy.sock",
} as const;

/**
 * Where bubblewrap, and in a view the shell that comes before a command, are looked up: only folders
 * that no command can write. The user's PATH may lead into the workspace, where a command of the
 * last session could have left a `bwrap` of its own.
 */
export const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** The port of loopback where programs in profile egress find the proxy, by a forwarder. */
export const PROXY_PORT = 3128;

/** What is a system's own: a workspace there would show or overlay what views are made of. */
export const SYSTEM_FOLDERS: readonly string[] = [
  "/",
  "/usr",
  "/etc",
  "/bin",
  "/sbin",
  "/lib",
  "/lib64",
  "/var",
  "/home",
];

/** No workspace and no HOME lies in these: the kernel makes them, or we do. */
export const KERNEL_FOLDERS: readonly string[] = ["/proc", "/sys", "/dev", "/cordon"];

/** HOME stays where it is, with other content; somewhere else only where the system's files are. */
export function homeTarget(home: string | undefined): string {
  const usable = home !== undefined && home !== "/" && home !== "/tmp" &&
    ![...SYSTEM_FOLDERS.slice(1), ...KERNEL_FOLDERS].some((path) =>
      path !== "/home" && isInside(home, path)
    );
  return usable ? home : VIEW_PLACES.home;
}
