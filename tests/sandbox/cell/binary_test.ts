import { deepStrictEqual } from "node:assert/strict";
import { compile } from "../../../scripts/compile.ts";
import { probeDenort } from "../../../scripts/compile/compiled.ts";
import { ROOT } from "../../../scripts/compile/contents.ts";
import { programBinary } from "../../helpers/binary.ts";
import { canConfine, confinedHouse } from "../../helpers/confined.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

const FIXTURE = `${ROOT}tests/fixtures/cell/main.ts`;
const confines = await canConfine();

Deno.test("the portable binary runs its cell from the module beside it (needs a view)", {
  ignore: !confines,
}, async () => {
  deepStrictEqual(await readThrough(await programBinary(FIXTURE)), "module cell.js one\n");
});

Deno.test(
  "the compiled binary is its own cell (needs a view, and denort: DENORT_BIN or a download)",
  {
    ignore: !confines || !(await probeDenort()).available,
  },
  async () => {
    await using dir = await tempDir();
    const path = dir.join("cordon");
    await compile(["--form", "compile", "--entry", FIXTURE, "--output", path]);
    deepStrictEqual(await readThrough(path), "compiled  one\n");
  },
);

/** Runs the binary in a workspace whose file `a` says "one"; what it prints. */
async function readThrough(binary: string): Promise<string> {
  await using house = await confinedHouse({ "ws/a": "one" });
  const { stdout, stderr } = await new Deno.Command(binary, {
    args: [house.workspace, house.state],
    clearEnv: true,
    env: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: house.home },
  }).output();
  return new TextDecoder().decode(stdout) + new TextDecoder().decode(stderr);
}
