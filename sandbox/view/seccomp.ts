import { assemble, type Instruction } from "./bpf.ts";
import {
  type Architecture,
  callNumber,
  type ModeCall,
  modeCalls,
  refusedCalls,
} from "./system_calls.ts";

/** Offsets in `struct seccomp_data` (linux/seccomp.h); of an argument, its low half. */
const NUMBER = 0;
const ARCH = 4;
const argument = (index: number) => 16 + 8 * index;

/** Actions (linux/seccomp.h). */
const ALLOW = 0x7fff_0000;
const KILL_PROCESS = 0x8000_0000;
const fail = (errno: number) => 0x0005_0000 | errno;

/** Error numbers, the same on both architectures. */
const EPERM = 1;
const ENOSYS = 38;
const EAFNOSUPPORT = 97;

/** AUDIT_ARCH_* (linux/audit.h). */
const AUDIT_ARCH: Readonly<Record<Architecture, number>> = {
  x86_64: 0xc000_003e,
  aarch64: 0xc000_00b7,
};

/** Calls of the x32 ABI carry this bit: other numbers for the same calls. */
const X32_BIT = 0x4000_0000;

/** CLONE_NEWNS, _NEWCGROUP, _NEWUTS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET (linux/sched.h). */
const NEW_NAMESPACES = 0x7e02_0000;
/** CLONE_NEWTIME: a flag of `unshare` only, in `clone` these bits are the exit signal. */
const NEW_TIME = 0x80;

/** AF_UNIX, AF_INET, AF_INET6; AF_NETLINK is judged by its protocol. */
const FAMILIES = [1, 2, 10];
const AF_NETLINK = 16;
/** NETLINK_ROUTE: how the C library lists interfaces. */
const NETLINK_ROUTE = 0;

/** TIOCSTI, TIOCLINUX, TIOCSETD: typing into a terminal, its selection, its line discipline. */
const TERMINAL_REQUESTS = [0x5412, 0x541c, 0x5423];

/** S_ISUID and S_ISGID: who runs such a file becomes its owner, or one of its group. */
const SET_IDS = 0o6000;
/** O_CREAT and __O_TMPFILE: without one of these `open` has no mode, and chance stands there. */
const MAKES_FILE = 0o20_000_100;

/** Harmless execution domains: Linux, 32-bit names, without and with UNAME26; and "only ask". */
const PERSONALITIES = [0, 0x0008, 0x2_0000, 0x2_0008, 0xffff_ffff];

/**
 * The seccomp filter of every confined process, as bytes for `bwrap --seccomp`. Everything is
 * allowed but what {@linkcode refusedCalls} lists, new namespaces, socket families beyond the
 * ordinary, terminal injection, set-id bits and odd personalities. `clone3` and `openat2` answer
 * ENOSYS, since what they ask for lies in memory that a filter cannot see; programs then take
 * `clone` and `openat`.
 */
export function seccompFilter(architecture: Architecture): Uint8Array<ArrayBuffer> {
  const call = (name: Parameters<typeof callNumber>[0], then: string): Instruction => ({
    test: "equal",
    value: callNumber(name, architecture),
    then,
  });
  const modes = modeCalls(architecture).map((mode, index) => ({ ...mode, label: `mode ${index}` }));
  return assemble([
    { load: ARCH },
    { test: "equal", value: AUDIT_ARCH[architecture], otherwise: "foreign" },
    { load: NUMBER },
    ...(architecture === "x86_64" ? [atLeast(X32_BIT, "missing")] : []),
    call("clone", "clone"),
    call("clone3", "missing"),
    call("unshare", "unshare"),
    call("socket", "socket"),
    call("ioctl", "ioctl"),
    call("personality", "personality"),
    call("openat2", "missing"),
    ...modes.map(({ number, label }) => equal(number, label)),
    ...refusedCalls(architecture).map((number) => equal(number, "refused")),
    { answer: ALLOW },

    { label: "clone" },
    ...refuseBits(NEW_NAMESPACES),
    { label: "unshare" },
    ...refuseBits(NEW_NAMESPACES | NEW_TIME),
    { label: "socket" },
    { load: argument(0) },
    ...FAMILIES.map((family) => equal(family, "allowed")),
    { test: "equal", value: AF_NETLINK, otherwise: "no family" },
    { load: argument(2) },
    { test: "equal", value: NETLINK_ROUTE, then: "allowed", otherwise: "no family" },
    { label: "ioctl" },
    { load: argument(1) },
    ...TERMINAL_REQUESTS.map((request) => equal(request, "refused")),
    { answer: ALLOW },
    { label: "personality" },
    { load: argument(0) },
    ...PERSONALITIES.map((personality) => equal(personality, "allowed")),
    { answer: fail(EPERM) },
    ...modes.flatMap(refuseSetIds),

    { label: "allowed" },
    { answer: ALLOW },
    { label: "refused" },
    { answer: fail(EPERM) },
    { label: "missing" },
    { answer: fail(ENOSYS) },
    { label: "no family" },
    { answer: fail(EAFNOSUPPORT) },
    // Numbers of another architecture mean other calls: such a process cannot be judged at all.
    { label: "foreign" },
    { answer: KILL_PROCESS },
  ]);
}

function equal(value: number, then: string): Instruction {
  return { test: "equal", value, then };
}

function atLeast(value: number, then: string): Instruction {
  return { test: "at_least", value, then };
}

function refuseSetIds(
  { label, mode, flags }: ModeCall & { readonly label: string },
): Instruction[] {
  return [
    { label },
    ...(flags === undefined ? [] : [
      { load: argument(flags) },
      { test: "any_bit", value: MAKES_FILE, otherwise: "allowed" } as const,
    ]),
    { load: argument(mode) },
    { test: "any_bit", value: SET_IDS, then: "refused" },
    { answer: ALLOW },
  ];
}

function refuseBits(bits: number): Instruction[] {
  return [
    { load: argument(0) },
    { test: "any_bit", value: bits, then: "refused" },
    { answer: ALLOW },
  ];
}
