import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { assemble } from "../../../sandbox/view/bpf.ts";
import { seccompFilter } from "../../../sandbox/view/seccomp.ts";
import { type Architecture, refusedCalls } from "../../../sandbox/view/system_calls.ts";
import { runFilter } from "../../helpers/bpf.ts";
import { canConfine, confinedHouse } from "../../helpers/confined.ts";

const ALLOW = 0x7fff_0000;
const KILL = 0x8000_0000;
const EPERM = 0x0005_0001;
const ENOSYS = 0x0005_0026;
const EAFNOSUPPORT = 0x0005_0061;

const ARCH = { x86_64: 0xc000_003e, aarch64: 0xc000_00b7 } as const;
const I386 = 0x4000_0003;

/** Numbers as the kernel's tables have them, written down apart from the program's. */
const NUMBERS = {
  x86_64: {
    ...{ read: 0, write: 1, clone: 56, fork: 57, execve: 59, ptrace: 101, unshare: 272 },
    ...{ clone3: 435, socket: 41, ioctl: 16, personality: 135, mount: 165, keyctl: 250 },
    ...{ io_uring_setup: 425, bpf: 321, process_vm_readv: 310, setns: 308, syslog: 103 },
    ...{ openat: 257, openat2: 437, mknodat: 259, fchmod: 91, fchmodat: 268, fchmodat2: 452 },
  },
  aarch64: {
    ...{ read: 63, write: 64, clone: 220, execve: 221, ptrace: 117, unshare: 97 },
    ...{ clone3: 435, socket: 198, ioctl: 29, personality: 92, mount: 40, keyctl: 219 },
    ...{ io_uring_setup: 425, bpf: 280, process_vm_readv: 270, setns: 268, syslog: 116 },
    ...{ openat: 56, openat2: 437, mknodat: 33, fchmod: 52, fchmodat: 53, fchmodat2: 452 },
  },
} as const;

type Name = keyof typeof NUMBERS.aarch64;

const CASES: [name: string, call: Name, args: readonly number[], want: number][] = [
  ["reading", "read", [0], ALLOW],
  ["writing", "write", [1], ALLOW],
  ["starting a program", "execve", [], ALLOW],
  ["a thread", "clone", [0x003d_0f00], ALLOW],
  ["a process", "clone", [0x0120_0011], ALLOW],
  ["a process in a new user namespace", "clone", [0x1000_0011], EPERM],
  ["a process in a new mount namespace", "clone", [0x0002_0011], EPERM],
  ["a process in a new network namespace", "clone", [0x4000_0011], EPERM],
  ["flags that lie in memory", "clone3", [], ENOSYS],
  ["a file table of one's own", "unshare", [0x0400], ALLOW],
  ["a new user namespace", "unshare", [0x1000_0000], EPERM],
  ["a new time namespace", "unshare", [0x80], EPERM],
  ["another namespace", "setns", [], EPERM],
  ["a unix socket", "socket", [1, 1, 0], ALLOW],
  ["an internet socket", "socket", [2, 1, 6], ALLOW],
  ["an internet socket of version 6", "socket", [10, 2, 0], ALLOW],
  ["listing interfaces", "socket", [16, 3, 0], ALLOW],
  ["other netlink protocols", "socket", [16, 3, 9], EAFNOSUPPORT],
  ["a packet socket", "socket", [17, 3, 0], EAFNOSUPPORT],
  ["a crypto socket", "socket", [38, 5, 0], EAFNOSUPPORT],
  ["a virtual machine's socket", "socket", [40, 1, 0], EAFNOSUPPORT],
  ["the size of a terminal", "ioctl", [0, 0x5413], ALLOW],
  ["typing into a terminal", "ioctl", [0, 0x5412], EPERM],
  ["a terminal's selection", "ioctl", [0, 0x541c], EPERM],
  ["the usual personality", "personality", [0], ALLOW],
  ["asking for the personality", "personality", [0xffff_ffff], ALLOW],
  ["no address randomisation", "personality", [0x4_0000], EPERM],
  ["another process's memory", "process_vm_readv", [], EPERM],
  ["tracing", "ptrace", [], EPERM],
  ["mounting", "mount", [], EPERM],
  ["keys", "keyctl", [], EPERM],
  ["programs in the kernel", "bpf", [], EPERM],
  ["rings", "io_uring_setup", [], EPERM],
  ["the kernel's log", "syslog", [3], EPERM],
  ["a mode", "fchmod", [3, 0o1755], ALLOW],
  ["a set-user-id bit", "fchmod", [3, 0o4755], EPERM],
  ["a set-group-id bit", "fchmodat", [0, 0, 0o2755], EPERM],
  ["the same by the newer call", "fchmodat2", [0, 0, 0o6755, 0], EPERM],
  ["a new file", "openat", [0, 0, 0o101, 0o644], ALLOW],
  ["a new file with a set-user-id bit", "openat", [0, 0, 0o101, 0o4755], EPERM],
  ["the same without a name", "openat", [0, 0, 0o20_200_001, 0o4755], EPERM],
  ["an old file, where chance stands for the mode", "openat", [0, 0, 1, 0o7777], ALLOW],
  ["a mode that lies in memory", "openat2", [], ENOSYS],
  ["a node with a set-group-id bit", "mknodat", [0, 0, 0o102_755, 0], EPERM],
];

for (const architecture of ["x86_64", "aarch64"] satisfies Architecture[]) {
  Deno.test(`seccompFilter() on ${architecture}`, async (t) => {
    const filter = seccompFilter(architecture);
    const arch = ARCH[architecture];
    for (const [name, call, args, want] of CASES) {
      await t.step(name, () => {
        strictEqual(runFilter(filter, { arch, number: NUMBERS[architecture][call], args }), want);
      });
    }

    await t.step("every number on the list, and its neighbour not on it", () => {
      const refused = refusedCalls(architecture);
      for (const number of refused) strictEqual(runFilter(filter, { arch, number }), EPERM);
      strictEqual(runFilter(filter, { arch, number: 460 }), ALLOW);
    });

    await t.step("another architecture", () => {
      const other = architecture === "x86_64" ? I386 : ARCH.x86_64;
      strictEqual(runFilter(filter, { arch: other, number: 1 }), KILL);
    });
  });
}

Deno.test("seccompFilter() refuses x32 numbers as a whole", () => {
  const filter = seccompFilter("x86_64");
  for (const number of [0x4000_0000, 0x4000_0000 + 41, 0xffff_ffff]) {
    strictEqual(runFilter(filter, { arch: ARCH.x86_64, number }), ENOSYS);
  }
});

Deno.test("seccompFilter() on x86_64 judges the calls without a folder, too", () => {
  const answer = (number: number, args: number[]) =>
    runFilter(seccompFilter("x86_64"), { arch: ARCH.x86_64, number, args });
  const [open, creat, chmod, mknod] = [2, 85, 90, 133];
  const modes = [0o755, 0o4755];
  deepStrictEqual(modes.map((mode) => answer(open, [0, 0o101, mode])), [ALLOW, EPERM]);
  for (const number of [creat, chmod, mknod]) {
    deepStrictEqual(modes.map((mode) => answer(number, [0, mode])), [ALLOW, EPERM]);
  }
});

Deno.test("assemble()", async (t) => {
  await t.step("writes instructions little-endian", () => {
    deepStrictEqual(
      [...assemble([{ load: 4 }, { and: 0xff00_0000 }, { answer: 0x7fff_0000 }])],
      [0x20, 0, 0, 0, 4, 0, 0, 0, 0x54, 0, 0, 0, 0, 0, 0, 0xff, 0x06, 0, 0, 0, 0, 0, 0xff, 0x7f],
    );
  });
  await t.step("refuses labels that are unknown or behind", () => {
    throws(() => assemble([{ test: "equal", value: 0, then: "nowhere" }]), RangeError);
    const back = [{ label: "x" }, { test: "equal", value: 0, then: "x" }] as const;
    throws(() => assemble(back), RangeError);
  });
  await t.step("refuses labels that are too far away", () => {
    const far = (count: number) => [
      { test: "equal", value: 0, then: "end" } as const,
      ...Array.from({ length: count }, () => ({ answer: 0 })),
      { label: "end" },
      { answer: 0 },
    ];
    ok(assemble(far(255)));
    throws(() => assemble(far(256)), RangeError);
  });
});

Deno.test({
  name: "the kernel takes the filter, and programs run under it (needs a view)",
  ignore: !await canConfine(),
}, async () => {
  await using house = await confinedHouse();
  const { text } = await house.commands();
  strictEqual(await text("grep Seccomp: /proc/self/status"), "Seccomp:\t2\n");
  strictEqual(await text("(echo a | cat) && git --version >/dev/null && echo b"), "a\nb\n");
  strictEqual(
    await text("cp /bin/true t; chmod 4755 t 2>&1; install -m 2755 t u 2>&1; stat -c %a t"),
    "chmod: changing permissions of 't': Operation not permitted\n" +
      "install: cannot change permissions of 'u': Operation not permitted\n755\n",
  );
});
