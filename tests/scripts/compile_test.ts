import { deepStrictEqual, ok, strictEqual, throws } from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { compile, readArguments } from "../../scripts/compile.ts";
import { compileArguments, probeDenort } from "../../scripts/compile/compiled.ts";
import { ENTRY, PERMISSIONS, V8_FLAGS } from "../../scripts/compile/contents.ts";
import { portableHead, RUN_FLAGS } from "../../scripts/compile/portable.ts";
import { tempDir } from "../helpers/temp_dir.ts";

const FIXTURE = fileURLToPath(new URL("../fixtures/portable/main.ts", import.meta.url));

Deno.test("compileArguments()", () => {
  deepStrictEqual(
    compileArguments({ entry: "main.ts", includes: ["a.wasm", "b.ts"], output: "out/cordon" }),
    [
      "compile",
      "--frozen",
      "--no-prompt",
      "--exclude-unused-npm",
      V8_FLAGS,
      "--allow-read",
      "--allow-write",
      "--allow-run",
      "--allow-net",
      "--allow-env",
      "--allow-sys",
      "--deny-import",
      "--include",
      "a.wasm",
      "--include",
      "b.ts",
      "--output",
      "out/cordon",
      "main.ts",
    ],
  );
});

Deno.test("compileArguments() names another platform", () => {
  const target = "aarch64-apple-darwin";
  const args = compileArguments({ entry: "main.ts", includes: [], output: "out", target });
  deepStrictEqual(args.slice(-5), ["--target", target, "--output", "out", "main.ts"]);
});

Deno.test("probeDenort() takes DENORT_BIN for this machine's platform alone", async () => {
  const script = `
    import { probeDenort } from "${new URL("../../scripts/compile/compiled.ts", import.meta.url)}";
    const probes = [await probeDenort(), await probeDenort("sparc-sun-solaris")];
    console.log(JSON.stringify(probes.map(({ available }) => available)));`;
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["eval", script],
    env: { DENORT_BIN: "/denort", HTTPS_PROXY: "http://127.0.0.1:9" },
  }).output();
  const decoder = new TextDecoder();
  strictEqual(decoder.decode(stdout), "[true,false]\n", decoder.decode(stderr));
});

Deno.test("both forms start with the same rights, and never with all", () => {
  const rights = (flags: readonly string[]) => flags.filter((flag) => /^--(allow|deny)/.test(flag));
  ok(RUN_FLAGS.includes(V8_FLAGS));
  deepStrictEqual(rights(RUN_FLAGS), PERMISSIONS);
  deepStrictEqual(
    rights(compileArguments({ entry: "", includes: [], output: "" })),
    PERMISSIONS,
  );
  for (const never of ["-A", "--allow-all", "--allow-ffi", "--allow-import"]) {
    ok(!PERMISSIONS.some((flag) => flag.startsWith(never)), never);
  }
});

Deno.test("portableHead() names the byte after itself", () => {
  for (const main of ["m.js", "main.js", "m".repeat(90)]) {
    const head = portableHead("text 日本語\n", {
      hash: "0",
      main,
      flags: [],
      megabytes: 1,
      platform: "linux",
    });
    const offset = Number(/^cordon_offset=(\d+)\s*$/m.exec(head)?.[1]);
    strictEqual(offset, new TextEncoder().encode(head).length + 1);
  }
});

Deno.test("readArguments()", async (t) => {
  const cases: [name: string, args: string[], want: ReturnType<typeof readArguments>][] = [
    ["defaults", [], { entry: ENTRY, output: "dist/cordon" }],
    ["a form", ["--form", "portable"], {
      entry: ENTRY,
      output: "dist/cordon",
      form: "portable",
    }],
    ["all", ["--entry=x.ts", "--output=y", "--form=compile"], {
      entry: "x.ts",
      output: "y",
      form: "compile",
    }],
  ];
  for (const [name, args, want] of cases) {
    await t.step(name, () => deepStrictEqual(readArguments(args), want));
  }
  for (const args of [["--form", "other"], ["--no-such"], ["word"]]) {
    await t.step(`refuses ${args.join(" ")}`, () => {
      throws(() => readArguments(args), TypeError);
    });
  }
});

Deno.test({
  name: "compile() builds the compiled form (needs denort: DENORT_BIN or a download)",
  ignore: !(await probeDenort()).available,
  fn: async () => {
    await using dir = await tempDir();
    await compile(["--form", "compile", "--entry", FIXTURE, "--output", dir.join("cordon")]);
    const { code, stdout } = await new Deno.Command(dir.join("cordon"), { args: ["lazy"] })
      .output();
    deepStrictEqual(
      [code, new TextDecoder().decode(stdout)],
      [0, "before\nlazy module runs\nanswered\n"],
    );
  },
});
