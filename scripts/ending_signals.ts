/**
 * The signals by which a person or a runner ends a script, each with the exit code of a process that
 * it has ended. Windows knows SIGINT alone.
 */
export const ENDING_SIGNALS: readonly (readonly [signal: Deno.Signal, code: number])[] =
  Deno.build.os === "windows"
    ? [["SIGINT", 130]]
    : [["SIGHUP", 129], ["SIGINT", 130], ["SIGTERM", 143]];
