import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { bwrapArguments, surveyBwrapArguments } from "../../../sandbox/view/bwrap.ts";
import { obstacleOf, startObstacle } from "../../../sandbox/view/bwrap_errors.ts";
import type { Mount } from "../../../sandbox/view/mounts.ts";
import { viewOf } from "../../helpers/machine_facts.ts";

const ISOLATED = [
  ...["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"],
  ...["--die-with-parent", "--new-session", "--cap-drop", "ALL"],
];

Deno.test("bwrapArguments()", async (t) => {
  await t.step("the whole array", () => {
    const view = { ...viewOf(), mounts: [] };
    deepStrictEqual(bwrapArguments(view, ["ls", "-l"], { variables: { A: "x y" } }), [
      ...ISOLATED,
      ...["--unshare-net", "--disable-userns", "--uid", "1000", "--gid", "1000"],
      ...["--setenv", "A", "x y", "--seccomp", "0", "--chdir", "/", "--", "ls", "-l"],
    ]);
  });

  await t.step("the filter from another descriptor", () => {
    const args = bwrapArguments(viewOf(), ["ls"], { filterDescriptor: 9 });
    strictEqual(args[args.indexOf("--seccomp") + 1], "9");
  });

  await t.step("the host's network only where the view has it", () => {
    ok(bwrapArguments(viewOf(), []).includes("--unshare-net"));
    ok(!bwrapArguments({ ...viewOf(), hostNetwork: true }, []).includes("--unshare-net"));
  });

  const mounts: [mount: Mount, want: string[]][] = [
    [{ kind: "bind", access: "read", source: "/a b", target: "/c" }, ["--ro-bind", "/a b", "/c"]],
    [{ kind: "bind", access: "write", source: "/a", target: "/c" }, ["--bind", "/a", "/c"]],
    [
      { kind: "bind", access: "read", source: "/a", target: "/c", optional: true },
      ["--ro-bind-try", "/a", "/c"],
    ],
    [{ kind: "host" }, ["--dev-bind", "/", "/"]],
    [{ kind: "link", to: "usr/bin", target: "/bin" }, ["--symlink", "usr/bin", "/bin"]],
    [{ kind: "folder", target: "/run" }, ["--dir", "/run"]],
    [
      { kind: "memory", target: "/dev/shm", bytes: 4096 },
      ["--perms", "1777", "--size", "4096", "--tmpfs", "/dev/shm"],
    ],
    [{ kind: "hide", target: "/proc/keys" }, ["--ro-bind", "/dev/null", "/proc/keys"]],
    [{ kind: "seal", target: "/" }, ["--remount-ro", "/"]],
    [{ kind: "devices" }, ["--dev", "/dev"]],
    [{ kind: "processes", fresh: true }, ["--proc", "/proc"]],
    [{ kind: "processes", fresh: false }, ["--ro-bind", "/proc", "/proc"]],
  ];
  for (const [mount, want] of mounts) {
    await t.step(`mount ${mount.kind} as ${want.join(" ")}`, () => {
      const args = bwrapArguments({ ...viewOf(), mounts: [mount] }, []);
      const start = args.indexOf("1000", args.indexOf("--gid")) + 1;
      deepStrictEqual(args.slice(start, args.indexOf("--seccomp")), want);
    });
  }
});

Deno.test("surveyBwrapArguments() shows the machine read-only but for one folder", () => {
  deepStrictEqual(surveyBwrapArguments(["ls"], "/state/x"), [
    ...ISOLATED,
    ...["--unshare-net", "--ro-bind", "/", "/", "--dev", "/dev", "--bind", "/state/x", "/state/x"],
    ...["--chdir", "/", "--", "ls"],
  ]);
});

Deno.test("obstacleOf()", async (t) => {
  const cases: [stderr: string, reason: RegExp, fix: RegExp, procOnly?: true][] = [
    ["bwrap: setting up uid map: Permission denied", /AppArmor/, /bwrap-userns-restrict/],
    [
      "bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted",
      /AppArmor/,
      /bwrap-userns-restrict/,
    ],
    ["bwrap: No permissions to create new namespace, likely because …", /nobody/, /container/],
    ["bwrap: Creating new namespace failed: Operation not permitted", /nobody/, /container/],
    [
      "bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)",
      /no further namespaces/,
      /outside/,
    ],
    ["bwrap: Can't create file at /x: No space left on device", /no space .* state/, /--state DIR/],
    ["bwrap: unshare user ns: No space left on device", /no further namespaces/, /outside/],
    [
      "bwrap: Can't mount proc on /newroot/proc: Operation not permitted",
      /fresh \/proc/,
      /container/,
      true,
    ],
    ["bwrap: Failed to make / slave: Permission denied", /no right to mount/, /container/],
    ["bwrap: execvp bash: No such file or directory", /bash is not installed/, /Install bash/],
    ["bwrap: Unknown option --disable-userns", /too old/, /0\.8/],
    ["bwrap: something new", /failed: bwrap: something new/, /Report/],
    ["", /said nothing/, /Report/],
  ];
  for (const [stderr, reason, fix, procOnly] of cases) {
    await t.step(stderr || "(nothing)", () => {
      const obstacle = obstacleOf(stderr);
      ok(reason.test(obstacle.reason), obstacle.reason);
      ok(fix.test(obstacle.fix), obstacle.fix);
      strictEqual(obstacle.procOnly, procOnly);
    });
  }
});

Deno.test("startObstacle()", () => {
  ok(/not installed/.test(startObstacle(new Deno.errors.NotFound()).reason));
  ok(/--allow-run=bwrap/.test(startObstacle(new Deno.errors.NotCapable()).fix));
  ok(/cannot be started: odd/.test(startObstacle(new Error("odd")).reason));
});
