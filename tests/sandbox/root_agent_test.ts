/** What the escape cases try as an ordinary user, for an agent that runs as root. */
import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { canConfine, confinedHouse, makeRepository } from "../helpers/confined.ts";
import { isAlive } from "../helpers/processes.ts";

const isRoot = Deno.build.os === "linux" && Deno.uid() === 0;
const ignore = !isRoot || !await canConfine();
const why = isRoot ? "" : " (not here: it needs root)";

Deno.test({ name: `a root agent: files outside are not there${why}`, ignore }, async (t) => {
  await using house = await confinedHouse({
    "home/.ssh/id_ed25519": "SECRET",
    "outside/kept": "SECRET",
    "ws/a": "seen",
  });
  const { text } = await house.commands();
  const outside = house.dir.join("outside");

  await t.step("what lies in the workspace is", async () => {
    strictEqual(await text("cat a"), "seen");
  });
  const reading =
    `cat ${house.home}/.ssh/id_ed25519 ${outside}/kept /etc/shadow /proc/1/root${outside}/kept`;
  for (
    const script of [
      reading,
      `find / -xdev \\( -name id_ed25519 -o -name kept -o -name shadow \\) -exec cat {} +`,
      `ln ${outside}/kept hard; ln -s ${outside}/kept soft; cat hard soft`,
    ]
  ) {
    await t.step(`reading: ${script.slice(0, 20)}`, async () => {
      const read = await text(`{ ${script}; } 2>/dev/null; echo end`);
      deepStrictEqual([read.includes("SECRET"), read.includes("root:"), read.endsWith("end\n")], [
        false,
        false,
        true,
      ]);
    });
  }
  await t.step("writing", async () => {
    const written = ["/etc/passwd", "/usr/bin/ls", "/usr/local/bin/x", "/etc/cron.d/x"];
    const before = await Promise.all(written.map(sizeOf));
    await text(`for file in ${written.join(" ")} ${outside}/kept ${house.home}/.bashrc; do
      echo x >>"$file"; rm -f "$file"; done 2>/dev/null; rm -rf ${outside}`);
    deepStrictEqual(await Promise.all(written.map(sizeOf)), before);
    strictEqual(await Deno.readTextFile(`${outside}/kept`), "SECRET");
    deepStrictEqual([...Deno.readDirSync(house.home)].map(({ name }) => name), [".ssh"]);
  });
  await t.step("owners, devices and set-id bits", async () => {
    const refused = [
      "chown 1 a",
      "mknod d b 8 0",
      "chmod 4755 a",
      "chmod g+s a",
      "setcap all+ep a",
    ];
    const tried = refused.map((line) => `${line} && echo DID`).join("; ");
    strictEqual(await text(`{ ${tried}; } 2>/dev/null; stat -c %a a`), "644\n");
    strictEqual((await Deno.lstat(`${house.workspace}/a`)).uid, 0);
    ok(![...Deno.readDirSync(house.workspace)].some(({ name }) => name === "d"));
  });
});

async function sizeOf(path: string): Promise<number | undefined> {
  try {
    return (await Deno.stat(path)).size;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

Deno.test({ name: `a root agent: processes outside are out of reach${why}`, ignore }, async (t) => {
  await using house = await confinedHouse();
  const { text, run } = await house.commands();
  const victim = new Deno.Command("sleep", {
    args: ["86400"],
    clearEnv: true,
    env: { API_KEY: "SECRET-of-a-process" },
    stdin: "null",
  }).spawn();
  try {
    await t.step("their environment", async () => {
      const seen = await text("cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'; echo end");
      ok(!seen.includes("SECRET") && seen.endsWith("end\n"), seen);
    });
    await t.step("signals", async () => {
      for (const target of [victim.pid, Deno.pid]) {
        match(await text(`kill -9 ${target} 2>&1`), /No such process/);
      }
      strictEqual((await run("kill -9 -1")).signal, "SIGKILL");
      strictEqual(await isAlive(victim.pid), true);
    });
    await t.step("their namespaces", async () => {
      for (const target of [1, victim.pid]) {
        const entered = await run(`nsenter -t ${target} -m true`);
        ok(entered.exitCode !== 0);
      }
    });
    await t.step("what a command leaves behind ends with it", async () => {
      const marker = `sleep 8640${Deno.pid}`;
      const { backgroundEnded } = await run(
        `for i in 1 2 3; do setsid ${marker} & done; sleep 0.1`,
      );
      strictEqual(backgroundEnded, 3);
      const { stdout } = await new Deno.Command("ps", { args: ["-eo", "args="] }).output();
      ok(!new TextDecoder().decode(stdout).includes(marker));
    });
  } finally {
    victim.kill("SIGKILL");
    await victim.status;
  }
});

Deno.test({ name: `a root agent: the kernel refuses${why}`, ignore }, async (t) => {
  await using house = await confinedHouse();
  await makeRepository(house.workspace);
  const { text } = await house.commands();
  const host = Deno.hostname();
  const cases: [name: string, script: string][] = [
    ["new namespaces", "unshare -r true || unshare -m true || unshare -n true"],
    ["mounts", "mount -t tmpfs x /mnt || umount -l /usr || mount -o remount,rw /usr"],
    ["mounts over hooks", "umount -l .git/hooks || mount -o remount,bind,rw .git/hooks"],
    ["hooks", "echo x >.git/hooks/pre-commit || git config core.pager x"],
    ["another root", "chroot / true"],
    ["the host's name", "hostname escaped || echo escaped >/proc/sys/kernel/hostname"],
    ["the kernel's log", "dmesg"],
    ["the kernel's switches", "echo b >/proc/sysrq-trigger || echo 1 >/proc/sys/vm/drop_caches"],
    ["the clock", "date -s 2001-01-01"],
    ["raw disks", "dd if=/dev/sda of=x count=1 || dd if=/dev/vda of=x count=1 || cat /dev/mem"],
    ["tracing", "strace true"],
    ["raw sockets", "exec 3<>/dev/tcp/1.1.1.1/443 || ping -c1 -W1 127.0.0.1"],
  ];
  for (const [name, script] of cases) {
    await t.step(name, async () => {
      const said = await text(`{ ${script}; } >/dev/null 2>&1 && echo DID; echo end`);
      strictEqual(said, "end\n");
    });
  }
  await t.step("no capability is left, and none can be had", async () => {
    match(await text("grep -E 'Cap(Eff|Prm|Bnd)|NoNewPrivs' /proc/self/status"), capabilities);
  });
  strictEqual(Deno.hostname(), host);
});

const capabilities =
  /^CapPrm:\t0000000000000000\nCapEff:\t0000000000000000\nCapBnd:\t0000000000000000\nNoNewPrivs:\t1\n$/;

Deno.test(
  { name: `a root agent: limits hold, and the missing one is told${why}`, ignore },
  async (t) => {
    await using house = await confinedHouse();
    const { text, run, opened } = await house.commands();
    await t.step("the hard limits cannot be raised", async () => {
      strictEqual(
        await text("ulimit -Hc; ulimit -Hn; ulimit -n 100000 2>/dev/null && echo DID"),
        "0\n4096\n",
      );
    });
    await t.step("the size of a file", async () => {
      const { signal, exitCode } = await run("exec truncate -s 2G big");
      ok(signal === "SIGXFSZ" || exitCode !== 0);
      const { size } = await Deno.stat(`${house.workspace}/big`).catch(() => ({ size: 0 }));
      ok(size <= 2 ** 30);
    });
    await t.step("memory, in KB", async () => {
      strictEqual(await text("ulimit -Hd"), `${4 * 1024 ** 2}\n`);
    });
    await t.step("processes are not limited, and a person is told so", () => {
      ok(opened.view.warnings.some((line) => /number of processes .* is not limited/.test(line)));
    });
    await t.step("so it is the time limit that ends a fork bomb, all of it", async () => {
      const marker = `sleep 7640${Deno.pid}`;
      const bomb = `for ((i = 0; i < 200; i++)); do (trap '' TERM; setsid ${marker}) & done; wait`;
      strictEqual((await run(bomb, { timeoutMs: 1_000 })).timedOut, true);
      const { stdout } = await new Deno.Command("ps", { args: ["-eo", "args="] }).output();
      ok(!new TextDecoder().decode(stdout).includes(marker));
    });
  },
);
