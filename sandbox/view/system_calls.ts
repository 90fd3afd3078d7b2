/** Processor architectures for which a filter can be built; named as `Deno.build.arch`. */
export type Architecture = "x86_64" | "aarch64";

/** Numbers of a system call; null where the architecture has none. */
type Numbers = readonly [x86_64: number | null, aarch64: number | null];

/**
 * Calls that are refused whatever their arguments: they reach into other processes, change the
 * machine or its mounts, or are large attack surfaces that a build or a test does not need.
 * Numbers: arch/x86/entry/syscalls/syscall_64.tbl and include/uapi/asm-generic/unistd.h of Linux.
 */
const REFUSED: Readonly<Record<string, Numbers>> = {
  // Other processes.
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  process_madvise: [440, 440],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  move_pages: [279, 239],
  migrate_pages: [256, 238],
  // Keys, and subsystems with a history.
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  userfaultfd: [323, 282],
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  fanotify_init: [300, 262],
  // Mounts and roots.
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  open_tree: [428, 428],
  move_mount: [429, 429],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  open_tree_attr: [467, 467],
  setns: [308, 268],
  open_by_handle_at: [304, 265],
  // The machine.
  syslog: [103, 116],
  reboot: [169, 142],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  swapon: [167, 224],
  swapoff: [168, 225],
  acct: [163, 89],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  vhangup: [153, 58],
  iopl: [172, null],
  ioperm: [173, null],
  // Long dead, still wired in some kernels.
  uselib: [134, null],
  sysfs: [139, null],
  _sysctl: [156, null],
  nfsservctl: [180, 42],
  lookup_dcookie: [212, 18],
};

/** Calls whose arguments decide. */
const JUDGED = {
  clone: [56, 220],
  clone3: [435, 435],
  unshare: [272, 97],
  socket: [41, 198],
  ioctl: [16, 29],
  personality: [135, 92],
  openat2: [437, 437],
} as const satisfies Readonly<Record<string, Numbers>>;

/**
 * Calls that give a file its mode, and which argument (from 0) that is; `flags`: the argument that
 * says whether there is one. `mkdir` is not here: the kernel leaves set-id bits out of its mode.
 */
const MODES: Readonly<Record<string, { numbers: Numbers; mode: number; flags?: number }>> = {
  open: { numbers: [2, null], mode: 2, flags: 1 },
  openat: { numbers: [257, 56], mode: 3, flags: 2 },
  creat: { numbers: [85, null], mode: 1 },
  mknod: { numbers: [133, null], mode: 1 },
  mknodat: { numbers: [259, 33], mode: 2 },
  chmod: { numbers: [90, null], mode: 1 },
  fchmod: { numbers: [91, 52], mode: 1 },
  fchmodat: { numbers: [268, 53], mode: 2 },
  fchmodat2: { numbers: [452, 452], mode: 2 },
};

/** A call that gives a file its mode, on one architecture. */
export interface ModeCall {
  readonly number: number;
  /** Indexes of arguments, from 0. */
  readonly mode: number;
  /** Absent: there always is a mode. */
  readonly flags?: number;
}

/** The calls that give a file its mode by an argument; `openat2` has it in memory. */
export function modeCalls(architecture: Architecture): ModeCall[] {
  return Object.values(MODES).flatMap(({ numbers: [x86_64, aarch64], ...places }) => {
    const number = architecture === "x86_64" ? x86_64 : aarch64;
    return number === null ? [] : [{ number, ...places }];
  });
}

/** The numbers of the calls that are refused whatever their arguments. */
export function refusedCalls(architecture: Architecture): number[] {
  return Object.values(REFUSED).flatMap(([x86_64, aarch64]) => {
    const number = architecture === "x86_64" ? x86_64 : aarch64;
    return number === null ? [] : [number];
  });
}

/** The number of a call whose arguments decide. */
export function callNumber(name: keyof typeof JUDGED, architecture: Architecture): number {
  const [x86_64, aarch64] = JUDGED[name];
  return architecture === "x86_64" ? x86_64 : aarch64;
}
