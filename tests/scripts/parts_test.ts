import { deepStrictEqual, doesNotMatch, match, ok, strictEqual } from "node:assert/strict";
import { PARTS_MODULE } from "../../agent/program_parts.ts";
import { START_MODULE } from "../../scripts/compile/bundle.ts";
import { PROCESSES } from "../../scripts/compile/contents.ts";
import { programBinary } from "../helpers/binary.ts";
import {
  calling,
  eventsOf,
  HEADLESS,
  newWorld,
  resultText,
  type World,
} from "../helpers/cordon.ts";
import { hasProgram } from "../helpers/has_program.ts";
import { modelServer } from "../helpers/model_server.ts";
import { unpacked } from "../helpers/portable_fixture.ts";

/** How the parts of the program are loaded by a process that has given its right to read back. */
const PROBE = `
  const [program, when] = Deno.args;
  const part = (name) => import("file://" + program + "/" + name);
  const text = Deno.readTextFileSync(program + "/${PARTS_MODULE}");
  const names = [...text.matchAll(/import\\("\\.\\/(.+)"\\)/g)].map(([, name]) => name);
  if (when === "read before") await part("${PARTS_MODULE}");
  Deno.permissions.revokeSync({ name: "read" });
  const refused = [];
  for (const name of names) await part(name).catch(() => refused.push(name));
  console.log(JSON.stringify({ names, refused }));
  Deno.exit();
`;

Deno.test("once the parts are known, each is loaded also when the right to read is gone", async () => {
  await using world = await newWorld();
  const program = await unpackedProgram(world);
  await Deno.writeTextFile(world.join("probe.js"), PROBE);
  const probe = async (when: string) => {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-config", "--no-prompt", world.join("probe.js"), program, when],
    }).output();
    return JSON.parse(new TextDecoder().decode(stdout));
  };
  const { names, refused } = await probe("read before");
  deepStrictEqual(refused, []);
  for (const part of ["tree-sitter-bash", "worktrees", "report_command", "web-tree-sitter"]) {
    ok(names.some((name: string) => name.startsWith(`${part}-`)), part);
  }
  // It is this that the parts are read early for.
  deepStrictEqual(await probe("not read"), { names, refused: names });
});

Deno.test("every part that anything of the bundle loads lazily is among the parts", async () => {
  await using world = await newWorld();
  const program = await unpackedProgram(world);
  const files = [...Deno.readDirSync(program)].map(({ name }) => name);
  const known = Deno.readTextFileSync(`${program}/${PARTS_MODULE}`);
  const entries = ["main.js", PARTS_MODULE];
  for (const file of files.filter((name) => name.endsWith(".js"))) {
    const text = Deno.readTextFileSync(`${program}/${file}`);
    for (const [, name = ""] of text.matchAll(/import\("\.\/"\.concat\("(.+?)"\)\)/g)) {
      // A process is no part: what starts as one loads nothing else.
      const foreseen = name in PROCESSES || known.includes(`import("./${name}")`);
      ok(files.includes(name) && foreseen, `${file}: ${name}`);
    }
    // What else is foreseen tells of failures.
    for (const [, name = ""] of text.matchAll(/import\("\.\/(.+?\.js)"\)/g)) {
      if (files.includes(name) && !entries.includes(file)) match(name, /^(report_)?failure-/);
    }
  }
});

Deno.test("the binary loads the shell's grammar after it gave back its right to read", async () => {
  await using world = await newWorld();
  await using server = await modelServer([
    { toolCalls: [{ name: "bash", arguments: { command: "echo one; echo two" } }] },
    { text: "ok" },
  ]);
  const binary = await programBinary();
  const rights = ["--allow-run", "--allow-env", `--allow-net=${server.host}`];
  const told = await world.run(["rights", ...rights], { binary });
  match(told.stdout, /^read +none$/m);
  const run = await world.run([
    ...[...HEADLESS, "-m", "m1", `--base-url=${server.url}`, "--wire=chat"],
    ...["--profile=off", "--tools=bash", ...rights, "hi"],
  ], { binary, env: { OPENAI_API_KEY: "k" } });
  strictEqual(run.code, 0, run.stderr + run.stdout);
  match(resultText(run), /one\ntwo/);
});

Deno.test("the line that the binary prints runs it under no more than its rights", async () => {
  await using world = await newWorld({ "a.txt": "needle\n" });
  const binary = await programBinary();
  const model = await world.script(calling("grep", { pattern: "needle" }), { text: "ok" });
  const told = await world.run(["rights", "--flags", "--tier=3", "--tools=grep", "-m", model], {
    binary,
  });
  doesNotMatch(told.stdout, /--allow-read( |=[^ ]*program)/);
  const script = `deno() { "$DENO" "$@"; }\n${told.stdout.trimEnd()} "$@"`;
  const run = await world.run(["-c", script, "sh", ...HEADLESS, "hi"], {
    binary: "/bin/sh",
    env: { DENO: Deno.execPath() },
  });
  strictEqual(run.code, 0, run.stderr + run.stdout);
  strictEqual(eventsOf(run, "tool_result")[0]?.is_error, false, resultText(run));
});

Deno.test("an answer in text opens no part that it does not run", {
  ignore: !await hasProgram("strace"),
}, async () => {
  await using world = await newWorld();
  await unpackedProgram(world);
  const model = await world.script({ text: "ok" });
  const trace = world.join("trace");
  const { code, stdout } = await world.run([
    ...["-f", "-qq", "-e", "trace=openat", "-o", trace],
    ...[await programBinary(), "-p", "-m", model, "hi"],
  ], { binary: "strace" });
  deepStrictEqual([code, stdout], [0, "ok\n"]);
  const opened = (await Deno.readTextFile(trace)).matchAll(/program\/([^"/]+?)(?:-\w+)?\.js"/g);
  const parts = new Set([...opened].map(([, name]) => name));
  for (const part of [START_MODULE.replace(".js", ""), "headless"]) ok(parts.has(part), part);
  const idle = ["tree-sitter-bash", "web-tree-sitter", "worktrees", "session_children"];
  const more = ["create_index", "classifier", "screen", "pdfjs", "parts", "dist"];
  deepStrictEqual([...idle, ...more].filter((part) => parts.has(part)), []);
});

/** The program's folder, as the head of the binary unpacks it in the world's home. */
async function unpackedProgram(world: World): Promise<string> {
  const { code, stderr } = await world.run(["--version"], { binary: await programBinary() });
  strictEqual(code, 0, stderr);
  return `${unpacked(world.join("home"))}/program`;
}
