import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert/strict";
import {
  proofName,
  type Proven,
  rememberedProofs,
} from "../../../sandbox/view/remembered_proofs.ts";
import type { ViewRequest } from "../../../sandbox/view/view.ts";
import { facts, request, viewOf } from "../../helpers/machine_facts.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

const FOUND = { programs: ["bash", "rg"], workspaceWritable: true };

/** What is proven in the session of that name. */
function proven(session: string, fields: Partial<ViewRequest> = {}): Proven {
  const folder = `/home/u/.local/state/cordon/views/${session}`;
  const out = `/home/u/.local/state/cordon/sessions/${session}`;
  const at = (name: string) => `${folder}/${name}`;
  const folders = { home: at("home"), tmp: at("tmp"), shell: at("shell"), etc: at("etc") };
  const view = viewOf({ ...request(), folders, out, ...fields });
  return { view, filter: new Uint8Array([1, 2]), programs: ["bash"], folders: [folder, out] };
}

Deno.test("proofName() is the same in two sessions of one view", async () => {
  strictEqual(await proofName(proven("a")), await proofName(proven("b")));
});

Deno.test("proofName() is another where a command would start otherwise", async (t) => {
  const before = proven("a");
  const cases: [name: string, proven: Proven][] = [
    ["mounts", proven("a", { facts: facts({ procFiles: ["/proc/keys", "/proc/kcore"] }) })],
    ["profile", proven("a", { profile: "plan" })],
    ["variables", proven("a", { environment: { PATH: "/usr/bin", HOME: "/home/u" } })],
    ["layout", proven("a", { freshProcesses: false })],
    ["filter", { ...before, filter: new Uint8Array([1, 3]) }],
    ["programs", { ...before, programs: ["bash", "rg"] }],
    ["user", { ...before, view: { ...before.view, runAs: { uid: 7, gid: 7 } } }],
  ];
  const name = await proofName(before);
  for (const [what, other] of cases) {
    await t.step(what, async () => notStrictEqual(await proofName(other), name));
  }
});

Deno.test("rememberedProofs() recalls what was remembered until it is forgotten", async () => {
  await using dir = await tempDir();
  const proofs = rememberedProofs(dir.path);
  strictEqual(await proofs.recall("a"), undefined);
  await proofs.forget("a");
  await proofs.remember("a", FOUND);
  await proofs.remember("b", { ...FOUND, workspaceWritable: false });
  deepStrictEqual(await rememberedProofs(dir.path).recall("a"), FOUND);
  await proofs.forget("a");
  strictEqual(await proofs.recall("a"), undefined);
  deepStrictEqual(await proofs.recall("b"), { ...FOUND, workspaceWritable: false });
  const { mode } = await Deno.stat(dir.join("proofs/b.json"));
  strictEqual((mode ?? 0) & 0o777, 0o600);
  strictEqual([...Deno.readDirSync(dir.join("proofs"))].length, 1);
});

Deno.test("rememberedProofs() passes over what is no proof", async (t) => {
  const texts = ["", "{", "null", "7", "[]", "{}", '{"programs":["a"]}'].concat(
    '{"programs":[1],"workspaceWritable":true}',
    '{"programs":[],"workspaceWritable":"yes"}',
  );
  for (const text of texts) {
    await t.step(JSON.stringify(text), async () => {
      await using dir = await tempDir({ "proofs/a.json": text });
      strictEqual(await rememberedProofs(dir.path).recall("a"), undefined);
    });
  }
});

Deno.test("rememberedProofs() keeps a bounded number", async () => {
  const old = Array.from({ length: 200 }, (_, i) => [`proofs/old${i}.json`, "{}"]);
  await using dir = await tempDir(Object.fromEntries(old));
  await rememberedProofs(dir.path).remember("new", FOUND);
  deepStrictEqual([...Deno.readDirSync(dir.join("proofs"))].map(({ name }) => name), ["new.json"]);
});

Deno.test("rememberedProofs() keeps nothing where something is in the way, and no start fails", async (t) => {
  const inTheWay: [name: string, files: Record<string, string>][] = [
    ["a file in place of the folder", { proofs: "x" }],
    ["a folder in place of the file", { "proofs/a.json/x": "x" }],
  ];
  for (const [name, files] of inTheWay) {
    await t.step(name, async () => {
      await using dir = await tempDir(files);
      const proofs = rememberedProofs(dir.path);
      strictEqual(await proofs.recall("a"), undefined);
      await proofs.remember("a", FOUND);
      await proofs.forget("a");
      strictEqual(await proofs.recall("a"), undefined);
    });
  }
});
