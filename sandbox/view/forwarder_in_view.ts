import { type CellProgram, cellProgram } from "../cell/program.ts";
import { FORWARDER_ARGUMENT } from "../egress/forwarder.ts";
import type { Mount } from "./mounts.ts";
import { PROXY_PORT, VIEW_PLACES } from "./view_places.ts";

/** Our own forwarder as it stands in a view, for where there is no socat. */
export interface ForwarderInView {
  /** The command line; it serves until it is killed. */
  readonly command: readonly string[];
  readonly mounts: readonly Mount[];
}

/** Where a view of profile egress shows the forwarder's program. */
const PLACE = "/cordon/forwarder";

/** Deno's flags: it listens on one port of the view's loopback and opens one socket, nothing else. */
const FLAGS = [
  ...["--no-prompt", "--no-config", "--no-lock", "--no-remote", "--cached-only"],
  ...["--node-modules-dir=manual", "--deny-import"],
  `--allow-net=127.0.0.1:${PROXY_PORT},unix:${VIEW_PLACES.proxy}`,
  `--allow-read=${VIEW_PLACES.proxy}`,
  `--allow-write=${VIEW_PLACES.proxy}`,
];

/** The program is that of the cell, which this machine has in any form, told to forward. */
export function forwarderInView(program: CellProgram = cellProgram()): ForwarderInView {
  const executable = `${PLACE}/executable`;
  const parts = program.form === "module" ? Object.entries(program.parts) : [];
  const start = program.form === "compiled"
    ? [executable]
    : [executable, "run", ...FLAGS, `${PLACE}/program/${program.entry}`];
  return {
    command: [...start, FORWARDER_ARGUMENT, String(PROXY_PORT), VIEW_PLACES.proxy],
    mounts: [
      shown(program.executable, executable),
      ...parts.map(([name, source]) => shown(source, `${PLACE}/program/${name}`)),
    ],
  };
}

function shown(source: string, target: string): Mount {
  return { kind: "bind", access: "read", source, target };
}
