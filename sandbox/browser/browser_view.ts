import { forwarderInView } from "../view/forwarder_in_view.ts";
import type { Mount } from "../view/mounts.ts";
import { isSystemMount } from "../view/system_mounts.ts";
import type { View } from "../view/view.ts";
import { VIEW_PLACES } from "../view/view_places.ts";
import { POLICY_PLACES } from "./policy.ts";

/** HOME, profile and temporary files of a browser; in memory, so that nothing of it is left. */
export const PRIVATE_FOLDER = "/tmp";

/** Profile, cache and temporary files of a browser at the most, in bytes. */
const PRIVATE_BYTES = 1024 ** 3;

/** A download or any other file, in bytes; the host's disk holds the first. */
const FILE_BYTES = 256 * 1024 ** 2;

/** A browser has some 20 processes with 10 threads each; pages open more. */
const PROCESSES = 1024;

/** What a browser's view is made for. All paths are of the host, absolute. */
export interface BrowserViewRequest {
  readonly proxySocket: string;
  /** Shown under its own name, writable. */
  readonly downloads: string;
  /** The file of {@linkcode managedPolicy}. */
  readonly policy: string;
  readonly programFolder?: string | undefined;
}

/**
 * The view of a browser, made of that of commands: the system's programs and fonts, nothing that a
 * person has, and no network but our proxy. Pure.
 */
export function browserView(view: View, request: BrowserViewRequest): View {
  const { proxySocket, downloads, policy, programFolder } = request;
  const forwarder = forwarderInView();
  return {
    ...view,
    // The profile in which something reaches for the proxy.
    profile: "egress",
    forwarder: forwarder.command,
    hostNetwork: false,
    mounts: [
      ...view.mounts.filter(isSystemMount),
      ...CONFIGURATION.map((path) => shown(path)),
      ...PROGRAMS.map((path) => shown(path)),
      ...(programFolder === undefined ? [] : [shown(programFolder)]),
      // Debian's launcher reads all that is there, and ends where nothing is.
      { kind: "hide", target: "/etc/chromium.d/README" },
      ...POLICY_PLACES.map((target): Mount => ({
        ...{ kind: "bind", access: "read", source: policy },
        target,
      })),
      { kind: "memory", target: PRIVATE_FOLDER, bytes: PRIVATE_BYTES },
      { kind: "bind", access: "write", source: downloads, target: downloads },
      { kind: "bind", access: "write", source: proxySocket, target: VIEW_PLACES.proxy },
      ...forwarder.mounts,
      { kind: "seal", target: "/" },
    ],
    points: [],
    linkFree: [],
    limits: { ...view.limits, fileBytes: FILE_BYTES, processes: PROCESSES },
    environment: {
      PATH: view.searchPath,
      HOME: PRIVATE_FOLDER,
      TMPDIR: PRIVATE_FOLDER,
      LANG: "C.UTF-8",
    },
  };
}

/** Fonts, certificates, and the settings of lynx. */
const CONFIGURATION = ["/etc/fonts", "/etc/ssl/certs", "/etc/lynx", "/etc/alternatives"];

/** Where makers of browsers put them, outside /usr. */
const PROGRAMS = ["/opt/google", "/opt/microsoft", "/opt/brave.com"];

function shown(path: string): Mount {
  return { kind: "bind", access: "read", source: path, target: path, optional: true };
}
