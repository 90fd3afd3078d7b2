import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { bwrapArguments } from "../../../sandbox/view/bwrap.ts";
import type { MachineFacts } from "../../../sandbox/view/machine_facts.ts";
import { layOutView, type View, type ViewRequest } from "../../../sandbox/view/view.ts";
import { facts, request, viewOf } from "../../helpers/machine_facts.ts";

const WORKSPACE = "/home/u/src/project";

/** The view's mounts in short: `w source target`, `r …`, or the kind and its target. */
function mounts(view: View): string[] {
  return view.mounts.map((mount) => {
    if (mount.kind !== "bind") {
      return "target" in mount ? `${mount.kind} ${mount.target}` : mount.kind;
    }
    const sign = mount.access === "write" ? "w" : "r";
    const state = "/home/u/.local/state/cordon";
    const places = mount.source === mount.target ? [mount.target] : [mount.source, mount.target];
    return [sign, ...places].join(" ").replaceAll(state, "STATE");
  });
}

function entry(path: string, folder = true) {
  return { path, folder };
}

Deno.test("layOutView(), profile workspace", () => {
  deepStrictEqual(mounts(viewOf()), [
    "r /usr",
    "link /bin",
    "link /lib",
    "r /lib32",
    "r /etc",
    "devices",
    "memory /dev/shm",
    "seal /dev",
    "processes",
    "r /proc/sys",
    "hide /proc/keys",
    "folder /run",
    "link /var/tmp",
    "w STATE/views/s1/tmp /tmp",
    "w STATE/views/s1/home /home/u",
    // The folder on the way to the workspace is a mount of its own, so it cannot become a link.
    "w STATE/views/s1/home/src /home/u/src",
    "w /home/u/src/project",
    "w STATE/views/s1/shell /cordon/shell",
    "r STATE/sessions/s1 /cordon/out",
    "seal /",
  ]);
});

Deno.test("layOutView() where only granted folders are written", async (t) => {
  const present = [entry("/data/w"), entry(`${WORKSPACE}/out`)];
  const view = viewOf({
    facts: facts({ present }),
    extraWrite: ["/data/w", `${WORKSPACE}/out`],
    readsWorkspace: true,
  });
  const shown = mounts(view);
  await t.step("the workspace is there to be read", () => {
    ok(shown.includes(`r ${WORKSPACE}`), shown.join("\n"));
    ok(!shown.includes(`w ${WORKSPACE}`));
  });
  await t.step("and what was granted lies upon it", () => {
    ok(shown.includes("w /data/w"));
    ok(shown.indexOf(`w ${WORKSPACE}/out`) > shown.indexOf(`r ${WORKSPACE}`));
  });
});

Deno.test("layOutView() makes mount points in private folders only", () => {
  const view = viewOf();
  deepStrictEqual(view.points.map(({ area, path }) => [area.target, path]), [
    ["/home/u", "src"],
    ["/home/u", "src/project"],
  ]);
});

Deno.test("layOutView() with HOME below /tmp", () => {
  const view = viewOf({ facts: facts({ home: "/tmp/x/home", workspace: "/tmp/x/home/a/ws" }) });
  deepStrictEqual(mounts(view).slice(13, -3), [
    "w STATE/views/s1/tmp /tmp",
    "w STATE/views/s1/tmp/x /tmp/x",
    "w STATE/views/s1/home /tmp/x/home",
    "w STATE/views/s1/home/a /tmp/x/home/a",
    "w /tmp/x/home/a/ws",
  ]);
  deepStrictEqual(view.points.map(({ area, path }) => `${area.target}: ${path}`), [
    "/tmp: x",
    "/tmp: x/home",
    "/tmp/x/home: a",
    "/tmp/x/home: a/ws",
  ]);
});

Deno.test("layOutView(), what is protected", async (t) => {
  const repository = (path: string): Partial<MachineFacts> => ({
    repositories: [`${path}/.git`],
    autoRun: [entry(`${path}/.git/hooks`), entry(`${path}/.git/config`, false)],
  });
  const after = (view: View) => {
    const all = mounts(view);
    return all.slice(all.indexOf("r STATE/sessions/s1 /cordon/out") + 1, -1);
  };
  const cases: [name: string, facts: Partial<MachineFacts>, want: string[]][] = [
    ["a repository and its hooks", repository(WORKSPACE), [
      `w ${WORKSPACE}/.git`,
      `r ${WORKSPACE}/.git/hooks`,
      `r ${WORKSPACE}/.git/config`,
    ]],
    ["a nested one, and every folder on the way", repository(`${WORKSPACE}/a/b`), [
      `w ${WORKSPACE}/a`,
      `w ${WORKSPACE}/a/b`,
      `w ${WORKSPACE}/a/b/.git`,
      `r ${WORKSPACE}/a/b/.git/hooks`,
      `r ${WORKSPACE}/a/b/.git/config`,
    ]],
    ["what runs by itself", { autoRun: [entry(`${WORKSPACE}/.vscode`)] }, [
      `r ${WORKSPACE}/.vscode`,
    ]],
    ["nothing outside of what is written", { autoRun: [entry("/home/u/other/.vscode")] }, []],
  ];
  for (const [name, changes, want] of cases) {
    await t.step(name, () => {
      const view = viewOf({ facts: facts(changes) });
      deepStrictEqual(after(view), want);
      deepStrictEqual(view.linkFree, want.map((line) => line.slice(2)));
    });
  }

  await t.step("repositories past the 32nd are read-only as a whole", () => {
    const names = Array.from({ length: 33 }, (_, n) => `${WORKSPACE}/r${100 + n}/.git`);
    const view = viewOf({
      facts: facts({ repositories: names, autoRun: names.map((name) => entry(`${name}/hooks`)) }),
    });
    const all = mounts(view);
    ok(all.includes(`w ${names[31]}`) && all.includes(`r ${names[31]}/hooks`));
    ok(all.includes(`r ${names[32]}`) && !all.includes(`r ${names[32]}/hooks`));
  });

  await t.step("profile plan writes nothing, so nothing has to be", () => {
    const view = viewOf({ profile: "plan", facts: facts(repository(WORKSPACE)) });
    ok(mounts(view).includes(`r ${WORKSPACE}`));
    deepStrictEqual(after(view), []);
  });
});

Deno.test("layOutView(), more places", async (t) => {
  const present = (...paths: string[]) => facts({ present: paths.map((path) => entry(path)) });

  await t.step("tool chains and granted folders that are there", () => {
    const view = viewOf({
      facts: present("/home/u/.cargo/bin", "/data/r", "/data/w"),
      toolchains: ["/home/u/.cargo/bin", "/home/u/.rustup"],
      extraRead: ["/data/r", "/data/none"],
      extraWrite: ["/data/w"],
    });
    deepStrictEqual(mounts(view).slice(15, -3), [
      "w STATE/views/s1/home/.cargo /home/u/.cargo",
      "r /home/u/.cargo/bin",
      "r /data/r",
      "w STATE/views/s1/home/src /home/u/src",
      `w ${WORKSPACE}`,
      "w /data/w",
    ]);
  });

  await t.step("profile plan only reads what may be written", () => {
    const view = viewOf({ profile: "plan", facts: present("/data/w"), extraWrite: ["/data/w"] });
    ok(mounts(view).includes("r /data/w") && !mounts(view).includes("w /data/w"));
  });

  await t.step("the state folder is hidden where the workspace holds it", () => {
    const state = `${WORKSPACE}/build/state`;
    const view = viewOf({ state });
    deepStrictEqual(mounts(view).slice(-4), [
      `w ${WORKSPACE}/build`,
      `memory ${state}`,
      `seal ${state}`,
      "seal /",
    ]);
  });

  await t.step("and where a granted folder does, also in profile plan", () => {
    for (const grant of ["extraRead", "extraWrite"]) {
      const changes = { state: "/data/state", facts: present("/data"), [grant]: ["/data"] };
      const view = viewOf({ profile: "plan", ...changes });
      deepStrictEqual(mounts(view).slice(-3), ["memory /data/state", "seal /data/state", "seal /"]);
    }
  });

  await t.step("root sees a copy of what programs need of /etc", () => {
    const view = viewOf({ facts: facts({ root: true, configuration: ["/etc/ssl/certs"] }) });
    const all = mounts(view);
    ok(all.includes("r STATE/views/s1/etc /etc") && all.includes("r /etc/ssl/certs"));
    ok(!all.includes("r /etc"));
    match(view.warnings.join(), /runs as root/);
  });

  await t.step("HOME in a place of the system is elsewhere in the view", () => {
    strictEqual(viewOf({ facts: facts({ home: "/usr/x" }) }).environment["HOME"], "/cordon/home");
    strictEqual(viewOf().environment["HOME"], "/home/u");
  });

  await t.step("a git store outside only when it is agreed to and names the workspace", () => {
    const store = (trusted: boolean, stores: string[]) =>
      viewOf({ facts: facts({ store: { path: "/home/u/main/.git", trusted } }), stores });
    const agreed = ["/home/u/main/.git"];
    ok(mounts(store(true, agreed)).includes("w /home/u/main/.git"));
    ok(!mounts(store(false, agreed)).includes("w /home/u/main/.git"));
    match(store(false, agreed).warnings.join(), /does not name this workspace/);
    ok(!mounts(store(true, [])).includes("w /home/u/main/.git"));
    match(store(true, []).warnings.join(), /until you agree to it, by: cordon trust$/);
  });

  await t.step("a repository around the workspace is told, unless it is shown", () => {
    const around = facts({ around: "/home/u/src" });
    const hidden = viewOf({ facts: around });
    strictEqual(hidden.hiddenRepository, "/home/u/src");
    match(hidden.warnings.join(), /"\/home\/u\/src" around the workspace is not shown: .*, -C "/);
    for (const shown of [{ extraRead: ["/home/u/src"] }, { profile: "container" as const }]) {
      const view = viewOf({ facts: around, ...shown });
      deepStrictEqual([view.hiddenRepository, view.warnings], [undefined, []]);
    }
    deepStrictEqual(viewOf().warnings, []);
  });
});

Deno.test("layOutView(), other profiles", async (t) => {
  await t.step("egress has the proxy's socket and says where it is", () => {
    const view = viewOf({ profile: "egress", proxySocket: "/state/egress.sock" });
    ok(mounts(view).includes("w /state/egress.sock /cordon/proxy.sock"));
    strictEqual(view.environment["https_proxy"], "http://127.0.0.1:3128");
    strictEqual(view.hostNetwork, false);
  });
  await t.step("no other profile has it", () => {
    const view = viewOf({ proxySocket: "/state/egress.sock" });
    ok(!mounts(view).some((mount) => mount.includes("proxy")));
    strictEqual(view.environment["https_proxy"], undefined);
  });
  await t.step("container: all as it is, but processes and limits of its own", () => {
    const view = viewOf({ profile: "container" });
    deepStrictEqual(mounts(view), ["host", "processes"]);
    strictEqual(view.hostNetwork, true);
    ok(bwrapArguments(view, []).includes("--unshare-pid"));
    deepStrictEqual([view.points, view.linkFree], [[], []]);
  });
});

Deno.test("layOutView() leaves out variables that lead out of the view", () => {
  const environment = {
    ...{ PATH: "/usr/bin", HOME: "/home/u", DENO_DIR: "/data/deno", GOPATH: "/home/u/go" },
    ...{ XDG_RUNTIME_DIR: "/run/user/1", https_proxy: "http://proxy", JAVA_HOME: "/usr/lib/jvm/x" },
  };
  deepStrictEqual(viewOf({ environment }).environment, {
    ...{ PATH: "/usr/bin", HOME: "/home/u", GOPATH: "/home/u/go", JAVA_HOME: "/usr/lib/jvm/x" },
    TMPDIR: "/tmp",
  });
});

Deno.test("layOutView() refuses", async (t) => {
  const cases: [name: string, changes: Partial<MachineFacts>, reason: RegExp][] = [
    ["the root folder", { workspace: "/" }, /folder of the system/],
    ["a folder of the system", { workspace: "/etc" }, /folder of the system/],
    ["a folder of the kernel", { workspace: "/proc/1/cwd" }, /folder of the system/],
    ["HOME", { workspace: "/home/u" }, /is or holds the home folder/],
    ["a folder that holds HOME", { workspace: "/data", home: "/data/u" }, /is or holds the home/],
    [
      "a folder of the state",
      { workspace: "/home/u/.local/state/cordon/x" },
      /in the state folder/,
    ],
    ["root in another user's folder", { root: true, workspaceOwned: false }, /another user/],
    [
      "more than can be protected",
      { autoRun: Array.from({ length: 1001 }, (_, n) => entry(`${WORKSPACE}/${n}/.npmrc`, false)) },
      /more than 1000 files/,
    ],
  ];
  for (const [name, changes, reason] of cases) {
    await t.step(name, () => {
      const answer = layOutView(request({ facts: facts(changes) }));
      ok(!answer.ok);
      match(answer.reason, reason);
      ok(answer.fix.length > 0);
    });
  }
  const fine: [name: string, changes: Partial<ViewRequest>][] = [
    ["not a folder in one of the system's", { facts: facts({ workspace: "/usr/src/project" }) }],
    ["not root in its own folder", { facts: facts({ root: true }) }],
    ["not an ordinary user in another's", { facts: facts({ workspaceOwned: false }) }],
    ["not what a person declared", { profile: "container", facts: facts({ workspace: "/" }) }],
  ];
  for (const [name, changes] of fine) {
    await t.step(name, () => strictEqual(layOutView(request(changes)).ok, true));
  }
});
