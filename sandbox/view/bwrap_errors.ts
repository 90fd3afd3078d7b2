/** Why bubblewrap cannot confine here, for a person. */
export interface Obstacle {
  /** Half a sentence, as `bubblewrap is not installed`. */
  readonly reason: string;
  /** What to do about it, one sentence. */
  readonly fix: string;
  /** Whether a view with the host's own /proc may still work. */
  readonly procOnly?: true;
}

const CONTAINER_FIX =
  "Let the container create namespaces, or declare it as the boundary with --profile container";

/** What bubblewrap prints, and what it means; seen on Debian, Ubuntu, in Docker and nested. */
const KNOWN: readonly (readonly [message: RegExp, obstacle: Obstacle])[] = [
  [/Can't mount proc/, {
    reason: "a fresh /proc cannot be mounted in this container",
    fix: CONTAINER_FIX,
    procOnly: true,
  }],
  [/setting up uid map: Permission denied|RTM_NEWADDR/, {
    reason: "AppArmor keeps bubblewrap from creating user namespaces",
    fix: "Install the AppArmor profile bwrap-userns-restrict of your distribution",
  }],
  [/No permissions to creat\w* (a )?new namespace|Creating new namespace failed: Operation not/, {
    reason: "this machine or container lets nobody create namespaces",
    fix: CONTAINER_FIX,
  }],
  [/max_\w+_namespaces|ENOSPC|(namespace|unshare|clone).*: No space left on device/, {
    reason: "no further namespaces are allowed, as inside another sandbox",
    fix: "Start Cordon outside of that sandbox, or raise /proc/sys/user/max_user_namespaces",
  }],
  // Of files that the view itself is made of.
  [/No space left on device/, {
    reason: "no space is left in the state folder",
    fix: "Make room there, or name another folder by --state DIR",
  }],
  [/Failed to make \/ slave/, {
    reason: "this container has no right to mount",
    fix: CONTAINER_FIX,
  }],
  [/execvp bash: No such file/, { reason: "bash is not installed", fix: "Install bash" }],
  [/Unknown option|unrecognized option/i, {
    reason: "the installed bubblewrap is too old",
    fix: "Install bubblewrap 0.8 or later",
  }],
];

/** Reads from bubblewrap's standard error why it failed. */
export function obstacleOf(stderr: string): Obstacle {
  const known = KNOWN.find(([message]) => message.test(stderr));
  if (known) return known[1];
  const line = stderr.trim().split("\n").at(-1) ?? "";
  return {
    reason: line === "" ? "bubblewrap failed and said nothing" : `bubblewrap failed: ${line}`,
    fix:
      "Report this line as a bug, or declare the machine as the boundary with --profile container",
  };
}

/** Why bubblewrap could not even be started. */
export function startObstacle(cause: unknown): Obstacle {
  if (cause instanceof Deno.errors.NotFound) {
    return {
      reason: "bubblewrap is not installed",
      fix: "Install it: apt install bubblewrap (or dnf, pacman, apk)",
    };
  }
  if (cause instanceof Deno.errors.NotCapable) {
    return { reason: "running bwrap was not granted", fix: "Add --allow-run=bwrap" };
  }
  return {
    reason: `bubblewrap cannot be started: ${cause instanceof Error ? cause.message : cause}`,
    fix: "Install bubblewrap 0.8 or later",
  };
}
