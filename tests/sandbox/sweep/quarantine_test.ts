import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import {
  acceptQuarantined,
  openQuarantine,
  type Quarantine,
} from "../../../sandbox/sweep/quarantine.ts";
import type { Finding } from "../../../sandbox/sweep/sweep.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

function quarantineIn(
  folder: string,
  start = 1_000,
): { quarantine: Quarantine; clock: { now: number } } {
  const clock = { now: start };
  let last = 0;
  const random = () => `r${++last}`;
  return { clock, quarantine: openQuarantine({ folder, now: () => clock.now++, random }) };
}

function finding(path: string, text: string, mode = 0o755): Finding {
  const bytes = new TextEncoder().encode(text);
  const seen = {
    path,
    kind: "file",
    reason: "git runs it as a hook",
    inode: 1,
    size: bytes.length,
  } as const;
  return { seen: { ...seen, mtimeMs: 0, mode }, bytes };
}

Deno.test("a quarantine keeps files, inert, and gives them back", async () => {
  await using state = await tempDir();
  await using dir = await tempDir();
  const { quarantine } = quarantineIn(state.join("quarantine"));
  const [kept] = await quarantine.keep(dir.path, [finding(".husky/_/pre-commit", "run", 0o4755)]);
  ok(kept);
  deepStrictEqual(kept, {
    id: "000000000001000-r1",
    workspace: dir.path,
    path: ".husky/_/pre-commit",
    kind: "file",
    mode: 0o755,
    reason: "git runs it as a hook",
    size: 3,
  });
  const content = await Deno.stat(state.join("quarantine", kept.id, "content"));
  strictEqual(content.mode! & 0o777, 0o600);
  deepStrictEqual(await quarantine.list((path) => path === dir.path), [kept]);
  deepStrictEqual(await quarantine.list((path) => path === "/elsewhere"), []);

  const accepted = await acceptQuarantined(quarantine, dir.path, ".husky/_/pre-commit");
  deepStrictEqual(accepted, { ok: true, accepted: kept });
  strictEqual(await Deno.readTextFile(dir.join(".husky/_/pre-commit")), "run");
  strictEqual((await Deno.stat(dir.join(".husky/_/pre-commit"))).mode! & 0o7777, 0o755);
  deepStrictEqual(await quarantine.list(), []);
});

Deno.test("a quarantine keeps links as links", async () => {
  await using state = await tempDir();
  await using dir = await tempDir();
  const { quarantine } = quarantineIn(state.path);
  const { seen, bytes } = finding(".husky", "/tmp");
  ok(bytes);
  await quarantine.keep(dir.path, [{ seen: { ...seen, kind: "link" }, bytes }]);
  ok((await acceptQuarantined(quarantine, dir.path, ".husky")).ok);
  strictEqual(await Deno.readLink(dir.join(".husky")), "/tmp");
});

Deno.test("acceptQuarantined() takes the newest version and replaces only when told", async () => {
  await using state = await tempDir();
  await using dir = await tempDir({ ".envrc": "restored" });
  const { quarantine } = quarantineIn(state.path);
  await quarantine.keep(dir.path, [finding(".envrc", "first")]);
  await quarantine.keep(dir.path, [finding(".envrc", "second")]);
  const refused = await acceptQuarantined(quarantine, dir.path, ".envrc");
  deepStrictEqual(refused, {
    ok: false,
    reason: "occupied",
    message:
      'Cannot accept ".envrc": there is another file now, look at it, then remove it or add --replace',
  });
  strictEqual(await Deno.readTextFile(dir.join(".envrc")), "restored");
  ok((await acceptQuarantined(quarantine, dir.path, ".envrc", { replace: true })).ok);
  strictEqual(await Deno.readTextFile(dir.join(".envrc")), "second");
  const unknown = await acceptQuarantined(quarantine, dir.path, ".envrc");
  strictEqual(unknown.ok ? "" : unknown.reason, "unknown");
});

Deno.test("acceptQuarantined() takes the version that an id names, and forgets the others", async () => {
  await using state = await tempDir();
  await using dir = await tempDir();
  const { quarantine } = quarantineIn(state.path);
  const [first] = await quarantine.keep(dir.path, [finding("a\n.envrc", "first")]);
  await quarantine.keep(dir.path, [finding("a\n.envrc", "second"), finding(".npmrc", "other")]);
  ok((await acceptQuarantined(quarantine, dir.path, first?.id ?? "")).ok);
  strictEqual(await Deno.readTextFile(dir.join("a\n.envrc")), "first");
  deepStrictEqual((await quarantine.list()).map(({ path }) => path), [".npmrc"]);
});

Deno.test("acceptQuarantined() writes through no link", async () => {
  await using state = await tempDir();
  await using outside = await tempDir();
  await using dir = await tempDir();
  const { quarantine } = quarantineIn(state.path);
  await quarantine.keep(dir.path, [finding("a/.envrc", "x")]);
  await Deno.symlink(outside.path, dir.join("a"));
  for (const replace of [false, true]) {
    const answer = await acceptQuarantined(quarantine, dir.path, "a/.envrc", { replace });
    strictEqual(answer.ok ? "" : answer.reason, "occupied");
  }
  deepStrictEqual([...Deno.readDirSync(outside.path)], []);
});

Deno.test("a quarantine is cleaned by age and size", async () => {
  await using state = await tempDir();
  const { quarantine, clock } = quarantineIn(state.path);
  await quarantine.keep("/ws", [
    finding("a", "12345"),
    finding("b", "12345"),
    finding("c", "12345"),
  ]);
  const paths = async () => (await quarantine.list()).map(({ path }) => path);
  await quarantine.clean({ maxAgeMs: 1_000_000, maxBytes: 15 });
  deepStrictEqual(await paths(), ["a", "b", "c"]);
  await quarantine.clean({ maxAgeMs: 1_000_000, maxBytes: 10 });
  deepStrictEqual(await paths(), ["b", "c"]);
  clock.now = 1_102;
  await quarantine.clean({ maxAgeMs: 100, maxBytes: 10 });
  deepStrictEqual(await paths(), ["c"]);
});

Deno.test("a quarantine leaves what is not its own alone, and out what was not finished", async () => {
  await using state = await tempDir({
    "000000000000001-half/content": "x",
    "mine/about.json": "{}",
    "file": "x",
  });
  const { quarantine } = quarantineIn(state.path);
  deepStrictEqual(await quarantine.list(), []);
  await quarantine.clean({ maxAgeMs: 0, maxBytes: 0 });
  deepStrictEqual([...Deno.readDirSync(state.path)].map(({ name }) => name).sort(), [
    "file",
    "mine",
  ]);
  await rejects(async () => await quarantine.read("../mine"), RangeError);
});
