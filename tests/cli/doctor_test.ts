import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { type CordonOptions, type CordonRun, newWorld, type World } from "../helpers/cordon.ts";
import { hasProgram } from "../helpers/has_program.ts";
import { linkPrograms } from "../helpers/programs.ts";
import { canMount, tinyDisk } from "../helpers/tiny_disk.ts";

interface Check {
  readonly status: string;
  readonly what: string;
  readonly fact: string;
  readonly fix?: string;
}

const ignore = !await hasProgram("bash");
const SCRIPT = ["-m", "scripted:x"];

Deno.test("doctor tells a line for each check, and under it the fix", { ignore }, async (t) => {
  await using world = await newWorld();
  await t.step("nothing fails: 0", async () => {
    const { code, stdout, stderr } = await world.run(["doctor", ...SCRIPT]);
    deepStrictEqual([code, stderr], [0, ""], stdout);
    const lines = stdout.trimEnd().split("\n");
    for (const [i, line] of lines.entries()) {
      match(line, /^(ok {4}|warn {2})\S[^:]*: \S|^ {6}\S/);
      if (line.startsWith("warn")) match(lines[i + 1] ?? "", /^ {6}\S/);
    }
    const told = lines.flatMap((line) => /^\w+ +([^:]+):/.exec(line)?.[1] ?? []);
    for (const what of ["version", "workspace", "state", "bash", "git", "sandbox", "clock"]) {
      ok(told.includes(what), what);
    }
  });
  await t.step("something fails: 1", async () => {
    const { code, stdout } = await world.run(["doctor", "-m", "m"]);
    strictEqual(code, 1);
    match(
      stdout,
      /^fail {2}key: OPENAI_API_KEY is not set\n {6}Get a key of openai, then: export /m,
    );
    match(stdout, /^warn {2}model: api\.openai\.com:443 is not tried without its key\n {6}\S/m);
  });
  await t.step("json", async () => {
    const run = await world.run(["doctor", ...SCRIPT, "--output-format=json"]);
    const [{ type, ok: well, checks }] = run.events as [
      { type: string; ok: boolean; checks: Check[] },
    ];
    deepStrictEqual([run.code, type, well], [0, "doctor", true]);
    for (const { status, fix } of checks) strictEqual(fix !== undefined, status !== "ok");
  });
  await t.step("nothing is left in the folder", () => {
    deepStrictEqual([...Deno.readDirSync(world.work)], []);
  });
});

Deno.test("doctor runs no program of the project", { ignore }, async (t) => {
  await using world = await newWorld({ "bin/bash": "#!/bin/sh\ntouch made\n" });
  await Deno.chmod(world.join("work/bin/bash"), 0o755);
  await Deno.symlink("work/bin", world.join("linked"));
  const path = Deno.env.get("PATH");
  for (const folder of [world.join("work/bin"), "bin", world.join("linked")]) {
    await t.step(folder === "bin" ? "relative" : folder.slice(world.path.length), async () => {
      const { stdout } = await world.run(["doctor", ...SCRIPT], {
        env: { PATH: `${folder}:${path}` },
      });
      match(stdout, /^ok {4}bash: \S+\/bash$/m);
      match(stdout, /^(ok|warn) +git: /m);
      deepStrictEqual([...Deno.readDirSync(world.work)].map(({ name }) => name), ["bin"]);
    });
  }
});

Deno.test("doctor asks the server for its models, and nothing else", { ignore }, async (t) => {
  const list = { data: [{ id: "qwen3-coder" }, { id: "llama" }] };
  const now = new Date().toUTCString();
  const cases: [
    name: string,
    response: () => Response,
    model: string[],
    want: [code: number, status: string, fact: RegExp],
  ][] = [
    ["a model that is there", () => Response.json(list), ["-m", "llama"], [
      0,
      "ok",
      /^llama at 127/,
    ]],
    [
      "a model that is not",
      () => Response.json(list),
      ["-m", "qwen3-codr"],
      [0, "warn", /does not list qwen3-codr$/],
    ],
    ["no model is named", () => Response.json(list), [], [
      1,
      "fail",
      /which has qwen3-coder, llama$/,
    ]],
    [
      "a wrong key",
      () => new Response(null, { status: 401 }),
      ["-m", "llama"],
      [1, "fail", /refuses the key \(401\)$/],
    ],
    [
      "a server without the list",
      () => new Response("no", { status: 404 }),
      ["-m", "llama"],
      [0, "warn", /answers, but lists no models \(404\)$/],
    ],
    [
      "a redirect is not followed",
      () => new Response(null, { status: 302, headers: { location: "http://127.0.0.1:1/" } }),
      ["-m", "llama"],
      [0, "warn", /\(302\)$/],
    ],
  ];
  for (const [name, response, model, [code, status, fact]] of cases) {
    await t.step(name, async () => {
      await using world = await newWorld();
      const seen: string[] = [];
      await using server = Deno.serve(
        { port: 0, hostname: "127.0.0.1", onListen() {} },
        (request) => {
          seen.push(
            `${request.method} ${new URL(request.url).pathname} ${
              request.headers.get("authorization")
            }`,
          );
          return response();
        },
      );
      const url = `--base-url=http://127.0.0.1:${server.addr.port}/v1`;
      const run = await examined(world, [...model, url], { OPENAI_API_KEY: "key" });
      const check = find(run, "model");
      deepStrictEqual([run.code, check?.status], [code, status], run.stdout);
      match(check?.fact ?? "", fact);
      deepStrictEqual(seen, ["GET /v1/models Bearer key"]);
    });
  }
  await t.step("no server", async () => {
    await using world = await newWorld();
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr;
    listener.close();
    const run = await examined(world, ["-m", "m", `--base-url=http://127.0.0.1:${port}/v1`]);
    strictEqual(run.code, 1);
    match(find(run, "model")?.fact ?? "", /^127\.0\.0\.1:\d+ cannot be reached: .*refused/i);
  });
  await t.step("a clock that is not the server's", async () => {
    await using world = await newWorld();
    await using server = Deno.serve(
      { port: 0, hostname: "127.0.0.1", onListen() {} },
      () =>
        Response.json(list, {
          headers: { date: new Date(Date.parse(now) - 3_600_000).toUTCString() },
        }),
    );
    const run = await examined(world, [
      "-m",
      "llama",
      `--base-url=http://127.0.0.1:${server.addr.port}`,
    ]);
    match(find(run, "clock")?.fact ?? "", /, (59|60|61) minutes from the server's$/);
  });
});

Deno.test("doctor looks for bubblewrap where the view does: in the system's folders", {
  ignore: ignore || Deno.build.os !== "linux",
}, async (t) => {
  await using world = await newWorld();
  await linkPrograms(world.join("bin"), ["bash", "cat", "rm", "mkdir"]);
  const look = () => world.run(["doctor", ...SCRIPT], { env: { PATH: world.join("bin") } });
  const without = (await look()).stdout;
  await t.step("not on PATH", () => {
    const missing = /bubblewrap is not installed/.test(without);
    match(without, missing ? /^warn {2}bwrap: not found/m : /^ok {4}bwrap: \/(usr|s?bin)\//m);
  });
  await t.step("another one on PATH", async () => {
    await Deno.writeTextFile(world.join("bin/bwrap"), "#!/bin/sh\nexit 1\n", { mode: 0o755 });
    strictEqual(bwrapLine((await look()).stdout), bwrapLine(without));
  });
});

function bwrapLine(report: string): string | undefined {
  return report.split("\n").find((line) => line.includes(" bwrap: "));
}

Deno.test("doctor finds what is missing or wrong", { ignore }, async (t) => {
  const cases: {
    readonly name: string;
    readonly make?: (world: World) => Promise<unknown>;
    readonly args?: (world: World) => string[];
    readonly env?: (world: World) => Record<string, string>;
    readonly want: [code: number, what: string, status: string, fact: RegExp];
  }[] = [
    {
      name: "a program that is not there",
      make: (world) => linkPrograms(world.join("bin"), ["bash", "cat", "rm", "mkdir"]),
      env: (world) => ({ PATH: world.join("bin") }),
      want: [0, "git", "warn", /^not found, so /],
    },
    {
      name: "no bash at all",
      make: (world) => Deno.mkdir(world.join("bin")),
      env: (world) => ({ PATH: world.join("bin") }),
      want: [1, "bash", "fail", /^it cannot be started$/],
    },
    {
      name: "a program that may not be started",
      args: () => ["--allow-read=.", "--allow-write=.", "--allow-run=bash"],
      want: [0, "git", "warn", /may not be started/],
    },
    {
      name: "no confinement",
      args: () => ["--profile=off"],
      want: [0, "sandbox", "warn", /^tier 3 \(--profile=off\)/],
    },
    {
      name: "a folder that may only be read",
      args: () => ["--allow-read=.", "--allow-run=bash"],
      want: [0, "workspace", "warn", /may only be read$/],
    },
    {
      name: "nowhere to keep state",
      env: () => ({ HOME: "" }),
      want: [1, "state", "fail", /no folder for it is known/],
    },
    {
      name: "a broken configuration",
      make: (world) => configure(world, '{ "model": }'),
      want: [1, "configuration", "fail", /config\.jsonc": .* at line 1, column 12$/],
    },
    {
      name: "an unknown key",
      make: (world) => configure(world, '{ "modle": "x" }'),
      want: [0, "configuration", "warn", /did you mean "model"$/],
    },
    {
      name: "a file that is read",
      make: (world) => configure(world, "{}"),
      want: [0, "configuration", "ok", /home\/\.config\/cordon\/config\.jsonc$/],
    },
    {
      name: "a folder that is not there",
      args: () => ["-C", "nowhere"],
      want: [1, "folder", "fail", /there is no such folder$/],
    },
    {
      name: "an unknown tool",
      args: () => ["--tools=reed_file"],
      want: [1, "options", "fail", /did you mean read_file/],
    },
  ];
  for (const { name, make, args, env, want: [code, what, status, fact] } of cases) {
    await t.step(name, async () => {
      await using world = await newWorld();
      await make?.(world);
      const run = await examined(world, [...SCRIPT, ...args?.(world) ?? []], env?.(world));
      const checks = checksOf(run).filter((check) => check.what === what);
      strictEqual(run.code, code, run.stdout + run.stderr);
      ok(checks.some((check) => check.status === status && fact.test(check.fact)), run.stdout);
    });
  }
});

Deno.test("doctor finds a disk without room", { ignore: ignore || !await canMount() }, async () => {
  await using world = await newWorld();
  await using disk = await tinyDisk();
  const run = await examined(world, [...SCRIPT, `--state=${disk.path}`]);
  deepStrictEqual([run.code, find(run, "free space")?.status], [1, "fail"]);
});

function examined(
  world: World,
  args: readonly string[],
  env: NonNullable<CordonOptions["env"]> = {},
): Promise<CordonRun> {
  return world.run(["doctor", "--output-format=json", ...args], { env });
}

function checksOf(run: CordonRun): readonly Check[] {
  return run.events[0]?.checks ?? [];
}

function find(run: CordonRun, what: string): Check | undefined {
  return checksOf(run).find((check) => check.what === what);
}

async function configure(world: World, text: string): Promise<void> {
  await Deno.mkdir(world.join("home/.config/cordon"), { recursive: true });
  await Deno.writeTextFile(world.join("home/.config/cordon/config.jsonc"), text);
}
