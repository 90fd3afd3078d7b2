import { deepStrictEqual, ok, rejects, throws } from "node:assert/strict";
import fc from "fast-check";
import { salvageLog, salvageLogFile } from "../../../agent/session/salvage.ts";
import { readLog } from "../../../agent/session/read_log.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { handWritten, headerFields, ONE_OF_EACH, said } from "./fixtures.ts";

const stamp = { time: "2026-12-01T10:15:31.000Z" };
const RECORDS = ONE_OF_EACH.map((record, i) => ({
  ...{ id: `r${i + 1}`, parent: i === 0 ? "x" : `r${i}`, ...stamp },
  ...record,
}));

Deno.test("salvageLogFile() reads a sound log as it is", async () => {
  await using dir = await tempDir();
  const path = await handWritten(dir.path, "x", [headerFields("x"), ...RECORDS]);
  const log = readLog(await Deno.readFile(path), path);
  deepStrictEqual(await salvageLogFile(path), { log, problems: [] });
});

Deno.test("salvageLogFile() leaves damaged lines out, and names them", async (t) => {
  const [user, ...rest] = RECORDS;
  const header = headerFields("x");
  const cases: [
    name: string,
    lines: Parameters<typeof handWritten>[2],
    ids: string[],
    problems: RegExp[],
  ][] = [
    ["rubbish in the middle", [header, "rubbish", user ?? ""], ["r1"], [/^line 2: /]],
    ["a torn end", [header, user ?? "", '{"type":"us'], ["r1"], []],
    ["a missing line", [header, ...rest], rest.map(({ id }) => id), []],
    ["a line off its schema", [header, { ...user, model: 7 }, ...rest.slice(0, 1)], ["r2"], [
      /^line 2: model/,
    ]],
    ["no header", ["rubbish", user ?? ""], ["r1"], [/^line 1: its first line is no header/]],
  ];
  for (const [name, lines, ids, problems] of cases) {
    await t.step(name, async () => {
      await using dir = await tempDir();
      const path = await handWritten(dir.path, "x", lines);
      // The last line breaks off, whatever it is.
      if (name === "a torn end") await Deno.truncate(path, (await Deno.stat(path)).size - 1);
      const { log, problems: told } = await salvageLogFile(path);
      deepStrictEqual(log.records.map(({ id }) => id), ids);
      deepStrictEqual(log.header.id, "x");
      deepStrictEqual(told.length, problems.length, told.join());
      told.forEach((line, i) => ok(problems[i]?.test(line), line));
    });
  }
});

Deno.test("salvageLogFile() refuses what holds nothing of a log", async () => {
  await using dir = await tempDir({ "foreign.jsonl": "hello\nworld\n", "empty.jsonl": "" });
  for (const name of ["foreign", "empty"]) {
    // Whoever exports it is not told to export it.
    const message = new RegExp(`; nothing of it can be saved, cordon sessions delete ${name} ends`);
    await rejects(salvageLogFile(dir.join(`${name}.jsonl`)), { kind: "unreadable", message });
  }
  await rejects(salvageLogFile(dir.join("none.jsonl")), { kind: "missing" });
});

Deno.test("salvageLog() never throws anything else, and loses no whole line", () => {
  const line = new TextEncoder().encode(
    `${JSON.stringify({ id: "r1", parent: "x", ...stamp, ...said("kept") })}\n`,
  );
  const at = { path: "x.jsonl", written: new Date(0) };
  fc.assert(fc.property(fc.uint8Array({ maxLength: 60 }), (noise) => {
    const bytes = new Uint8Array([...noise, 0x0a, ...line]);
    deepStrictEqual(salvageLog(bytes, at).log.records.at(-1)?.id, "r1");
    throws(() => salvageLog(new Uint8Array(noise), at), { kind: "unreadable" });
  }));
});
