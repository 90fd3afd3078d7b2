import { deepStrictEqual, ok } from "node:assert/strict";
import { relative } from "node:path";
import { bundleProcess, bundleProgram } from "../../scripts/compile/bundle.ts";
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
  const [bundle] = await bundleProgram(dir.join("main.ts"), []);
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
  const files = await bundleProgram(`${ROOT}tests/fixtures/portable/main.ts`, []);
  const text = files.map(({ content }) => new TextDecoder().decode(content)).join("");
  ok(text.includes("picomatch"));
  const home = Deno.env.get("HOME") ?? "/nowhere";
  for (const path of [ROOT, `${home}/`, `${relative(ROOT, home)}/`]) ok(!text.includes(path), path);
});

Deno.test("a bundle loads no more of Node than its source does, and can still require", async () => {
  await using dir = await tempDir({
    "main.ts": `import part from "./part.cjs"; console.log(part.sep, import.meta.main);
      if (Deno.args.length > 0) await import("./other.ts");`,
    "other.ts": `import part from "./part.cjs"; console.log(part.sep);`,
    "part.cjs": `const { sep } = require("node:path"); module.exports = { sep };`,
  });
  const files = await bundleProgram(dir.join("main.ts"), []);
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

Deno.test("a bundle's entry names apart what it loads later, and what tells failures plainly", async () => {
  await using dir = await tempDir({
    "main.ts": `const { name } = await import("./command.ts"); console.log(name);
      try { await import("./none_at_all.ts"); } catch { console.log("none"); }
      console.log((await import("./failure.ts")).name);`,
    "command.ts": `export const name = (await import("./part.ts")).name;`,
    "part.ts": `export const name = "command";`,
    "none_at_all.ts": `throw new Error("none");`,
    "failure.ts": `export const name = "failure";`,
  });
  const files = await bundleProgram(dir.join("main.ts"), []);
  const textOf = (pattern: RegExp) =>
    new TextDecoder().decode(files.find(({ name }) => pattern.test(name))?.content);
  const literal = (text: string) =>
    [...text.matchAll(/import\("\.\/(\w+)-/g)].map((match) => match[1]);
  deepStrictEqual(literal(textOf(/main/)), ["failure"]);
  deepStrictEqual(literal(textOf(/command/)), ["part"]);
  await Deno.mkdir(dir.join("program"));
  for (const { name, content } of files) await Deno.writeFile(dir.join(name), content);
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-config", "--no-prompt", "--allow-read", dir.join("program/main.js")],
  }).output();
  deepStrictEqual(new TextDecoder().decode(stdout), "command\nnone\nfailure\n");
});
