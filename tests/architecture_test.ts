import { deepStrictEqual, ok } from "node:assert/strict";
import { dirname, join, relative, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname ?? ".", "..");

/** What the files of a folder may import of ours: `main -> agent -> tools -> edit, sandbox`. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  main: ["main", "agent", "tools", "edit", "sandbox"],
  agent: ["agent", "tools", "edit", "sandbox"],
  tools: ["tools", "edit", "sandbox"],
  edit: ["edit"],
  sandbox: ["sandbox"],
};

interface Source {
  /** Relative to the root. */
  readonly path: string;
  readonly text: string;
}

async function sources(folder: string): Promise<Source[]> {
  const found: Source[] = [];
  for await (const entry of Deno.readDir(join(ROOT, folder))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory) found.push(...await sources(path));
    else if (path.endsWith(".ts")) {
      found.push({ path, text: await Deno.readTextFile(join(ROOT, path)) });
    }
  }
  return found;
}

async function program(): Promise<Source[]> {
  const folders = await Promise.all(["agent", "tools", "edit", "sandbox"].map(sources));
  const main = { path: "main.ts", text: await Deno.readTextFile(join(ROOT, "main.ts")) };
  return [main, ...folders.flat()];
}

/** Every module that a source names, static or dynamic, as written. */
function imports(text: string): string[] {
  const pattern = /(?:\bfrom\s+|\bimport\s*\(?\s*)"([^"]+)"/g;
  return [...text.matchAll(pattern)].map((match) => match[1] ?? "");
}

function roomOf(path: string): string {
  const [first = ""] = path.split("/");
  return first === "main.ts" ? "main" : first;
}

Deno.test("imports go from main to agent to tools to edit and sandbox, and never back", async () => {
  const wrong: string[] = [];
  for (const { path, text } of await program()) {
    for (const name of imports(text).filter((name) => name.startsWith("."))) {
      const target = relative(ROOT, join(ROOT, dirname(path), name));
      if (target === "deno.json") continue;
      if (!MAY_IMPORT[roomOf(path)]?.includes(roomOf(target))) wrong.push(`${path} -> ${target}`);
    }
  }
  deepStrictEqual(wrong, []);
});

Deno.test("zod is imported as a namespace, so that a bundle leaves out what nobody uses", async () => {
  // `import { z }` is one object with everything in it: half a megabyte of translations.
  const whole = (await program())
    .filter(({ text }) => /import (type )?\{[^}]*\bz\b[^}]*\} from "zod"/.test(text))
    .map(({ path }) => path);
  deepStrictEqual(whole, []);
});

Deno.test("no file imports itself through others (types apart)", async () => {
  const graph = new Map<string, string[]>();
  for (const { path, text } of await program()) {
    // Type imports vanish when the program runs.
    const values = text.replaceAll(/\b(?:import|export) type [^;]*;/g, "");
    graph.set(
      path,
      imports(values).filter((name) => name.startsWith(".")).map((name) =>
        relative(ROOT, join(ROOT, dirname(path), name))
      ),
    );
  }
  const done = new Set<string>();
  function visit(path: string, trail: readonly string[]): void {
    ok(!trail.includes(path), `cycle: ${[...trail, path].join(" -> ")}`);
    if (done.has(path)) return;
    for (const next of graph.get(path) ?? []) visit(next, [...trail, path]);
    done.add(path);
  }
  for (const path of graph.keys()) visit(path, []);
});

Deno.test("processes start by Deno.Command alone, from sandbox/", async () => {
  const wrong: string[] = [];
  for (const { path, text } of await program()) {
    if (imports(text).some((name) => /^(node:)?child_process$/.test(name))) wrong.push(path);
    if (/\bDeno\.Command\b/.test(text) && !path.startsWith("sandbox/")) wrong.push(path);
    if (/\.outputSync\(|\.spawnSync\(/.test(text)) wrong.push(path);
  }
  deepStrictEqual(wrong, []);
});

/** What a person runs at their own terminal could not read its keys in a group of its own. */
const IN_FOREGROUND = "sandbox/commands/foreground.ts";

Deno.test("every spawn passes clearEnv and detached", async () => {
  for (const { path, text } of await program()) {
    for (const [, options] of text.matchAll(/new Deno\.Command\(([\s\S]*?)\.spawn\(/g)) {
      ok(/clearEnv: true/.test(options ?? ""), `${path}: a Deno.Command without clearEnv`);
      const wanted = path === IN_FOREGROUND ? /detached: false/ : /detached: true/;
      ok(wanted.test(options ?? ""), `${path}: a Deno.Command without detached`);
    }
  }
});

Deno.test("edit/ is pure and tools/ act only through their context", async () => {
  const wrong: string[] = [];
  for (const { path, text } of [...await sources("edit"), ...await sources("tools")]) {
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "");
    const acts = /\bDeno\.(?!errors\b)\w+|(?<!\bnet\.)\bfetch\(|\bprocess\./.exec(code);
    if (acts) wrong.push(`${path}: ${acts[0]}`);
    const clock = /\bDate\.now\(|\bperformance\.now\(|\bMath\.random\(/.exec(code);
    if (clock && path.startsWith("edit/")) wrong.push(`${path}: ${clock[0]}`);
  }
  deepStrictEqual(wrong, []);
});

Deno.test("packages come pinned and through the import map alone", async () => {
  const config: { imports: Record<string, string> } = JSON.parse(
    await Deno.readTextFile(join(ROOT, "deno.json")),
  );
  for (const [name, target] of Object.entries(config.imports)) {
    ok(/^npm:(@[^@/]+\/)?[^@/]+@\d+\.\d+\.\d+(\/|$)/.test(target), `${name}: ${target}`);
  }
  const wrong = (await program()).flatMap(({ path, text }) =>
    imports(text).filter((name) => /^(npm|jsr|https?):/.test(name)).map((name) =>
      `${path}: ${name}`
    )
  );
  deepStrictEqual(wrong, []);
});

/** The folders of the house, as its table in docs/architecture.md nests them. */
async function roomsTold(): Promise<string[]> {
  const text = await Deno.readTextFile(join(ROOT, "docs/architecture.md"));
  const table = text.split("\n## The house")[1] ?? "";
  const path: string[] = [];
  return [...table.matchAll(/^( *)(\w+)\/ /gm)].map(([, indent = "", name = ""]) => {
    path.splice(indent.length / 2, Infinity, name);
    return path.join("/");
  });
}

Deno.test("the table of docs/architecture.md names every room, and none that is not there", async () => {
  const told = await roomsTold();
  const rooms = ["agent", "tools", "edit", "sandbox"].flatMap((floor) => [
    floor,
    ...[...Deno.readDirSync(join(ROOT, floor))].filter(({ isDirectory }) => isDirectory)
      .map(({ name }) => `${floor}/${name}`),
  ]);
  deepStrictEqual(rooms.filter((room) => !told.includes(room)), []);
  const gone = [];
  for (const room of told) {
    const there = await Deno.stat(join(ROOT, room)).catch(() => undefined);
    if (!there?.isDirectory) gone.push(room);
  }
  deepStrictEqual(gone, []);
});
