import { deepStrictEqual, doesNotMatch, match, strictEqual } from "node:assert/strict";
import { acpEditor, answering, type EditorOptions, updatesOf } from "../helpers/acp_editor.ts";
import { calling, newWorld } from "../helpers/cordon.ts";

/** Long ago, so that an editor has seen what is on the disk. */
const LONG_AGO = new Date("2020-01-01T00:00:00Z");

/** An editor whose buffers hold these texts, by the paths of their files. */
function buffers(texts: Map<string, string>): EditorOptions {
  return {
    capabilities: { fs: { readTextFile: true, writeTextFile: true } },
    permission: answering("yes"),
    readTextFile({ path }) {
      const content = texts.get(path);
      if (content === undefined) throw new Error(`no such file: ${path}`);
      return { content };
    },
    writeTextFile: ({ path, content }) => void texts.set(path, content),
  };
}

Deno.test("what is unsaved in the editor is read, edited and written; the rest is as on the disk", async () => {
  await using world = await newWorld({ "a.txt": "one\r\ntwo\r\n", "b.txt": "disk\n" });
  // The editor knows the folder by another name than it really has.
  const link = world.join("link");
  await Deno.symlink(world.work, link);
  for (const name of ["a.txt", "b.txt"]) await Deno.utime(`${link}/${name}`, LONG_AGO, LONG_AGO);
  const a = `${link}/a.txt`;
  const texts = new Map([[a, "one\nunsaved\n"]]);
  const model = await world.script(
    calling("read_file", { paths: ["a.txt", "b.txt"] }),
    calling("edit_file", { path: "a.txt", old_string: "one", new_string: "1" }),
    calling("write_file", { path: "c.txt", content: "new\n" }),
    // What lies outside is refused before anybody asks the editor for it.
    calling("write_file", { path: world.join("outside.txt"), content: "new\n" }),
    { text: "done" },
  );
  await using editor = await acpEditor(world, { args: ["acp", "-m", model], ...buffers(texts) });
  const id = await editor.open(link);
  await editor.prompt(id, "go");
  deepStrictEqual(updatesOf(editor, "tool_call")[1]?.locations, [{ path: a }]);
  const [read] = updatesOf(editor, "tool_call_update");
  match(JSON.stringify(read?.content), /unsaved.*disk/);
  strictEqual(await Deno.readTextFile(a), "1\r\nunsaved\r\n");
  deepStrictEqual([...texts], [
    [a, "1\r\nunsaved\r\n"],
    [`${link}/c.txt`, "new\n"],
  ]);
  await editor.prompt(id, "/undo");
  strictEqual(await Deno.readTextFile(a), "one\r\ntwo\r\n");
});

Deno.test("what is unsaved is not overwritten where the editor takes no texts", async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const a = world.join("work/a.txt");
  await Deno.utime(a, LONG_AGO, LONG_AGO);
  const model = await world.script(
    calling("edit_file", { path: "a.txt", old_string: "unsaved", new_string: "mine" }),
    { text: "done" },
  );
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", model],
    ...buffers(new Map([[a, "unsaved\n"]])),
    capabilities: { fs: { readTextFile: true } },
  });
  await editor.prompt(await editor.open(), "go");
  const text = JSON.stringify(updatesOf(editor, "tool_call_update"));
  match(text, /has changes in the editor that are not saved: ask for it to be saved/);
  match(text, /\[not edited: denied\]/);
  strictEqual(await Deno.readTextFile(a), "one\n");
});

Deno.test("in mode plan nothing is written, by the editor neither", async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const a = world.join("work/a.txt");
  await Deno.utime(a, LONG_AGO, LONG_AGO);
  const texts = new Map([[a, "unsaved\n"]]);
  const model = await world.script(
    calling("read_file", { path: "a.txt" }),
    calling("write_file", { path: "a.txt", content: "mine\n" }),
    { text: "done" },
  );
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", model, "--profile=plan"],
    ...buffers(texts),
  });
  await editor.prompt(await editor.open(), "go");
  const [read, written] = updatesOf(editor, "tool_call_update");
  match(JSON.stringify(read?.content), /unsaved/);
  doesNotMatch(JSON.stringify(written), /completed/);
  deepStrictEqual([...texts], [[a, "unsaved\n"]]);
});

Deno.test("a cancel does not wait for an editor that does not answer for its files", async () => {
  await using world = await newWorld({ "a.txt": "one\n" });
  const model = await world.script(
    calling("edit_file", { path: "a.txt", old_string: "one", new_string: "two" }),
  );
  const asked = Promise.withResolvers<void>();
  await using editor = await acpEditor(world, {
    args: ["acp", "-m", model],
    capabilities: { fs: { readTextFile: true } },
    readTextFile() {
      asked.resolve();
      return new Promise(() => {});
    },
  });
  const id = await editor.open();
  const answer = editor.prompt(id, "go");
  await asked.promise;
  await editor.cancel(id);
  deepStrictEqual(await answer, { stopReason: "cancelled" });
  await editor.leave();
  // What ended the wait was not its limit.
  doesNotMatch((await editor.ended).stderr, /does not answer for its files/);
});
