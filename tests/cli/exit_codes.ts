/** The exit codes that Cordon publishes, each with what it says. */
export const EXIT_CODES: readonly (readonly [code: number, meaning: string])[] = [
  [0, "done"],
  [1, "failed"],
  [2, "usage"],
  [3, "stopped by a limit"],
  [4, "approval nobody could give"],
  [75, "try later"],
  [76, "credentials"],
  [77, "model unavailable"],
  [78, "configuration"],
  [130, "SIGINT"],
  [143, "SIGTERM"],
];
