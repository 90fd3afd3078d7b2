import { doesNotThrow, match, notStrictEqual, strictEqual, throws } from "node:assert/strict";
import { BatchError } from "../../../agent/batch/error.ts";
import { takeElement, takeOutFolder, type Taking } from "../../../agent/batch/out_folder.ts";
import { UsageError } from "../../../agent/command_line/parse.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

Deno.test("takeOutFolder() lets one batch in, or any number of elements", async (t) => {
  const cases: readonly [first: Taking, second: Taking, fits: boolean][] = [
    ["alone", "alone", false],
    ["alone", "shared", false],
    ["shared", "alone", false],
    ["shared", "shared", true],
  ];
  for (const [first, second, fits] of cases) {
    await t.step(`${second} after ${first}`, async () => {
      await using dir = await tempDir();
      const path = dir.join("a/b");
      const taken = takeOutFolder(path, first);
      if (fits) takeOutFolder(path, second)[Symbol.dispose]();
      else {
        throws(() => takeOutFolder(path, second), (error) => {
          const said = String(error instanceof UsageError && error.message);
          match(said, /^Cannot use ".+": another batch works in it, wait for it/);
          return true;
        });
      }
      taken[Symbol.dispose]();
      doesNotThrow(() => takeOutFolder(path, second)[Symbol.dispose]());
    });
  }
});

Deno.test("takeElement() lets one process at an element", async () => {
  await using dir = await tempDir();
  using taken = takeOutFolder(dir.path, "shared");
  const first = takeElement(taken.out, 3);
  using _other = takeElement(taken.out, 4);
  throws(
    () => takeElement(taken.out, 3),
    /^UsageError: Cannot run task 3: another process is at it/,
  );
  first[Symbol.dispose]();
  takeElement(taken.out, 3)[Symbol.dispose]();
});

Deno.test("a folder has the same id each time, and another one by another path", async () => {
  await using dir = await tempDir();
  const idOf = (name: string) => {
    using taken = takeOutFolder(dir.join(name), "alone");
    return taken.out.id;
  };
  const id = idOf("a");
  match(id, /^batch-[0-9a-f]{12}$/);
  strictEqual(idOf("a"), id);
  notStrictEqual(idOf("b"), id);
});

Deno.test("takeOutFolder() says why a folder cannot be had", async () => {
  await using dir = await tempDir({ file: "" });
  throws(() => takeOutFolder(dir.join("file"), "alone"), (error) => {
    match(String(error instanceof UsageError && error.message), /^Cannot use ".+\/file": /);
    return true;
  });
});

Deno.test("a link in the place of a file of results is refused, and what it names stays", {
  ignore: Deno.build.os === "windows",
}, async (t) => {
  const shared = ["elements/7.lock", "elements/7.json.draft"];
  const alone = ["lock", "results.jsonl", "results.jsonl.draft", "attempts.jsonl"];
  for (const name of [...alone, "tasks.jsonl", "tasks.jsonl.draft", ...shared]) {
    await t.step(name, async () => {
      await using dir = await tempDir({ "out/elements/": "", precious: "no line feed" });
      const take = () => {
        using taken = takeOutFolder(dir.join("out"), "shared");
        takeElement(taken.out, 7)[Symbol.dispose]();
      };
      await Deno.symlink("../".repeat(name.split("/").length) + "precious", dir.join("out", name));
      throws(take, (error) => {
        const said = String(error instanceof BatchError && error.message);
        match(
          said,
          new RegExp(`^Cannot use ".+/${name}": it is a link, and results are kept there`),
        );
        return true;
      });
      strictEqual(await Deno.readTextFile(dir.join("precious")), "no line feed");
      await Deno.remove(dir.join("out", name));
      doesNotThrow(take);
    });
  }
  await t.step("elements", async () => {
    await using dir = await tempDir({ "out/": "", "elsewhere/": "" });
    await Deno.symlink("../elsewhere", dir.join("out/elements"));
    throws(() => takeOutFolder(dir.join("out"), "shared"), /its elements are a link elsewhere$/);
  });
});
