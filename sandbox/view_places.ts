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

/** The port of loopback where programs in profile egress find the proxy, by a forwarder. */
export const PROXY_PORT = 3128;
