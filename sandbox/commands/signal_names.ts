/** Names of signals by number, the same on x86-64 and arm64 (signal(7)). */
const SIGNALS = [
  ..."HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT".split(" "),
  ..."CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS".split(" "),
];

/**
 * The signal of an exit code as shells make it, 128 and the number, as "SIGTERM"; undefined where
 * there is none. (A program may end with such a code by itself.)
 */
export function signalOfExitCode(code: number): string | undefined {
  const name = SIGNALS[code - 128 - 1];
  return name === undefined ? undefined : `SIG${name}`;
}
