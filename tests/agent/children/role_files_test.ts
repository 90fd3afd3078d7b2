import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { loadRoles, projectRoleFiles } from "../../../agent/children/role_files.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

const BUILT_IN = ["explore", "implement", "verify"];

Deno.test("loadRoles() reads a person's roles, and a trusted project's before them", async () => {
  await using dir = await tempDir({
    "work/.cordon/agents/review.md":
      "---\nname: review\ndescription: a  project's\ntools: [read_file, grep]\nmodel: small\n---\nLook.",
    "config/agents/review.md": "---\ndescription: a person's\n---\nLook twice.",
    "config/agents/explore.md": "Explore in my way.",
    "config/agents/notes.txt": "no role",
  });
  const places = { workspace: dir.join("work"), config: dir.join("config") };
  const trusted = await loadRoles(places, "trusted");
  deepStrictEqual(trusted.warnings, []);
  const review = trusted.roles.get("review");
  deepStrictEqual(
    [review?.description, review?.tools, review?.model],
    ["a project's", ["read_file", "grep"], "small"],
  );
  match(review?.instructions ?? "", /^You are a sub-agent: [^]*\n\nLook\.$/);
  // A person's own goes before a built-in one.
  match(trusted.roles.get("explore")?.instructions ?? "", /Explore in my way\.$/);
  deepStrictEqual([...trusted.roles.keys()].sort(), [...BUILT_IN, "review"].sort());

  const unasked = await loadRoles(places, "unasked");
  strictEqual(unasked.roles.get("review")?.description, "a person's");
  deepStrictEqual(unasked.warnings, []);
  deepStrictEqual(await projectRoleFiles(places.workspace), [
    dir.join("work/.cordon/agents/review.md"),
  ]);
});

Deno.test("a role whose file is broken is no role, and says why", async (t) => {
  const cases = [
    ["bad.md", "---\nname: [\n---\nx", /bad\.md": line \d+: /],
    ["name.md", "---\nname: ../up\n---\nx", /name\.md": a name is letters, digits, _ and -$/],
    ["tools.md", "---\ntools: { bash: true }\n---\nx", /tools\.md": "tools" is no list of names$/],
    ["big.md", "x".repeat(70_000), /big\.md": it is over 64 KB$/],
  ] as const;
  for (const [name, content, problem] of cases) {
    await t.step(name, async () => {
      await using dir = await tempDir({ "work/": "", [`config/agents/${name}`]: content });
      const places = { workspace: dir.join("work"), config: dir.join("config") };
      const { roles, warnings } = await loadRoles(places, "unasked");
      deepStrictEqual([...roles.keys()], BUILT_IN);
      strictEqual(warnings.length, 1);
      match(warnings[0] ?? "", problem);
    });
  }
});

Deno.test("a project's link cannot hand over a file from elsewhere", async () => {
  await using dir = await tempDir({ "work/.cordon/agents/": "", "secret.md": "secret" });
  await Deno.symlink(dir.join("secret.md"), dir.join("work/.cordon/agents/leak.md"));
  const { roles, warnings } = await loadRoles(
    { workspace: dir.join("work"), config: undefined },
    "trusted",
  );
  deepStrictEqual([...roles.keys()], BUILT_IN);
  match(warnings.join(), /leak\.md": it leads to .*, outside the project$/);
});
