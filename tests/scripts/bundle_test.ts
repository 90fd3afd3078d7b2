import { deepStrictEqual, ok } from "node:assert/strict";
import { relative } from "node:path";
import { bundleProcess, bundleProgram, START_MODULE } from "../../scripts/compile/bundle.ts";
import { ROOT } from "../../scripts/compile/contents.ts";
import { tempDir } from "../helpers/temp_dir.ts";

/** Each value is used once and at once, which is where a minifier may forget to dispose of it. */
const DISPOSING = `
  function value(name) {
    return {
      name: Promise.resolve(name),
      [Symbol.dispose]() { console.log("disposed", name); },
      async [Symbol.asyncDispose]() { console.log("disposed", name); },
    };
  }
  async function later() {
    await using one = value("one");
    return await one.name;
  }
  async function now(holder) {
    using two = holder.value;
    return await two.name;
  }
  console.log(await later(), await now({ value: value("two") }));
`;

Deno.test("a bundle disposes of what its source disposes of", async () => {
  await using dir = await tempDir({ "main.ts": DISPOSING });
  const [bundle] = await bundleProgram(dir.join("main.ts"), {});
  const alone = await bundleProcess("alone.js", dir.join("main.ts"));
  for (const { content } of [bundle ?? alone, alone]) {
    await Deno.writeFile(dir.join("bundle.js"), content);
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-config", dir.join("bundle.js")],
    }).output();
    deepStrictEqual(new TextDecoder().decode(stdout), "disposed one\ndisposed two\none two\n");
  }
});

Deno.test("a bundle says nothing of the machine that built it", async () => {
  const files = await bundleProgram(`${ROOT}tests/fixtures/portable/main.ts`, {});
  const text = files.map(({ content }) => new TextDecoder().decode(content)).join("");
  ok(text.includes("picomatch"));
  const home = Deno.env.get("HOME") ?? "/nowhere";
  for (const path of [ROOT, `${home}/`, `${relative(ROOT, home)}/`]) ok(!text.includes(path), path);
});

Deno.test("a bundle leaves out what lies beside it, and loads that from there", async () => {
  const fixture = `${ROOT}tests/fixtures/portable`;
  const processes = { "process.js": `${fixture}/lazy.ts` };
  const files = await bundleProgram(`${fixture}/main.ts`, { picomatch: ["lib"] }, processes);
  const names = files.map(({ name }) => name);
  deepStrictEqual(names.filter((name) => /^program\/lazy|picomatch\/lib/.test(name)), []);
  ok(names.includes("node_modules/picomatch/index.js"));
  for (const { name, content } of files) {
    const text = new TextDecoder().decode(content);
    ok(!text.includes(ROOT), name);
    const loads = text.includes(`import("./".concat("process.js"))`);
    deepStrictEqual(loads, /program\/(?:main|start)\.js$/.test(name), name);
  }
});

Deno.test("a bundle loads no more of Node than its source does, and can still require", async () => {
  await using dir = await tempDir({
    "main.ts": `import part from "./part.cjs"; console.log(part.sep, import.meta.main);
      if (Deno.args.length > 0) await import("./other.ts");`,
    "other.ts": `import part from "./part.cjs"; console.log(part.sep);`,
    "part.cjs": `const { sep } = require("node:path"); module.exports = { sep };`,
  });
  const files = await bundleProgram(dir.join("main.ts"), {});
  for (const { name, content } of files) {
    const text = new TextDecoder().decode(content);
    ok(!/^import [^;]*"node:module"/m.test(text), name);
    await Deno.mkdir(dir.join("program"), { recursive: true });
    await Deno.writeFile(dir.join(name), content);
  }
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-config", "--allow-read", dir.join("program/main.js"), "more"],
  }).output();
  deepStrictEqual(new TextDecoder().decode(stdout), "/ true\n/\n");
});

/** Loads a command, which loads a part, after it gave its right to read back; then it fails. */
const NARROWING = {
  "main.ts": `
    if (Deno.args[0] === "foreseeing") await import(import.meta.resolve("./parts.js"));
    Deno.permissions.revokeSync({ name: "read" });
    const told = await import("./command.ts").then(({ name }) => name, () => "refused");
    try { await import("./none_at_all.ts"); } catch { console.log("none"); }
    console.log(told, (await import("./failure.ts")).name);`,
  "command.ts": `export const name = (await import("./part.ts")).name;`,
  "part.ts": `export const name = "command";`,
  "none_at_all.ts": `throw new Error("none");`,
  "failure.ts": `export const name = "failure";`,
};

Deno.test("a bundle starts with little and knows all its parts before it may read no more", async (t) => {
  await using dir = await tempDir(NARROWING);
  const files = await bundleProgram(dir.join("main.ts"), {});
  await Deno.mkdir(dir.join("program"));
  for (const { name, content } of files) await Deno.writeFile(dir.join(name), content);
  const foreseen = (pattern: RegExp) => {
    const { content } = files.find(({ name }) => pattern.test(name)) ?? {};
    const text = new TextDecoder().decode(content);
    return [...text.matchAll(/import\("\.\/(\w+)/g)].map((match) => match[1]);
  };
  await t.step("each file foresees as much as it must", () => {
    deepStrictEqual(foreseen(/start\.js$/), ["failure"]);
    deepStrictEqual(foreseen(/command-/), []);
    deepStrictEqual(foreseen(/main\.js$/), ["failure", "parts"]);
    deepStrictEqual(foreseen(/parts\.js$/), ["command", "failure", "none_at_all", "part"]);
  });
  const cases: [module: string, flags: string[], words: string[], stdout: string][] = [
    [START_MODULE, ["--allow-read"], ["foreseeing"], "none\ncommand failure\n"],
    [START_MODULE, ["--allow-read"], [], "none\nrefused failure\n"],
    ["main.js", [], [], "none\ncommand failure\n"],
    ["main.js", [], ["foreseeing"], "none\ncommand failure\n"],
  ];
  for (const [module, flags, words, expected] of cases) {
    await t.step([module, ...flags, ...words].join(" "), async () => {
      const { stdout } = await new Deno.Command(Deno.execPath(), {
        args: [
          ...["run", "--no-config", "--no-prompt", ...flags],
          ...[dir.join(`program/${module}`), ...words],
        ],
      }).output();
      deepStrictEqual(new TextDecoder().decode(stdout), expected);
    });
  }
});
