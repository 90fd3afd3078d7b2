/** What one confined process may use. */
export interface Limits {
  /** Processes and threads of one command; counted for each view by Linux 5.14 and later. */
  readonly processes: number;
  readonly openFiles: number;
  /** The largest file that a process may write, in bytes. */
  readonly fileBytes: number;
  /** Private writable memory of one process, in bytes: what RLIMIT_DATA counts. */
  readonly dataBytes: number;
  /** Size of the memory file system at /dev/shm, in bytes. */
  readonly sharedMemoryBytes: number;
}

/**
 * Limits of every command: far above what builds and tests were seen to use, far below what takes a
 * machine down. Not address space: JavaScript engines reserve terabytes that they never touch.
 */
export const COMMAND_LIMITS: Limits = {
  processes: 512,
  openFiles: 4096,
  fileBytes: 1024 ** 3,
  dataBytes: 4 * 1024 ** 3,
  sharedMemoryBytes: 256 * 1024 ** 2,
};

/** Growth of used disk space at which a command is stopped, in bytes. */
export const DISK_BUDGET_BYTES = 2 * 1024 ** 3;

/**
 * Bash that lowers the limits of its process, hard and soft. A limit that cannot be set is one that
 * the host holds lower already: raising is the only thing that is refused.
 */
export function ulimitScript(limits: Limits): string {
  const kib = (bytes: number) => Math.floor(bytes / 1024);
  const settings = [
    "-c 0",
    `-n ${limits.openFiles}`,
    `-u ${limits.processes}`,
    `-f ${kib(limits.fileBytes)}`,
    `-d ${kib(limits.dataBytes)}`,
  ];
  return settings.map((setting) => `ulimit ${setting} 2>/dev/null`).join("\n");
}
