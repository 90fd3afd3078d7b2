import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { SessionLogError } from "../../../agent/session/error.ts";
import { createSession, openSession, type Session } from "../../../agent/session/log.ts";
import { readLog } from "../../../agent/session/read_log.ts";
import { tempDir } from "../../helpers/temp_dir.ts";
import { canMount, tinyDisk } from "../../helpers/tiny_disk.ts";
import { options, said } from "./fixtures.ts";

const now = () => new Date(Date.UTC(2026, 11, 2));
const mountable = await canMount();

Deno.test(
  "a log on a full disk stops at its last whole record",
  { ignore: !mountable },
  async () => {
    await using disk = await tinyDisk();
    const session = await createSession(options(disk.path));
    const written = await fill(session);
    const bytes = await Deno.readFile(session.path ?? "");
    const { records, wholeBytes } = readLog(bytes, "log");
    deepStrictEqual([records.length, wholeBytes], [written, bytes.length]);
    strictEqual(session.conversation.messages.length, written);
    // Nothing is appended after that, not even what would fit.
    await Deno.remove(disk.join("ballast"));
    await rejects(session.append(said("fits")), { kind: "write" });
    await session.close("failed");
    deepStrictEqual(await Deno.readFile(session.path ?? ""), bytes);
    const again = await openSession({ folder: disk.path, id: session.id, now });
    await again.append(said("now it fits"));
    await again.close("done");
  },
);

Deno.test("a blob on a full disk leaves no half file", { ignore: !mountable }, async () => {
  await using disk = await tinyDisk();
  const session = await createSession(options(disk.path));
  await rejects(session.blobs.save("big.png", new Uint8Array(1024 * 1024)), {
    kind: "write",
    message: /^Cannot save "big.png" in the session's folder: /,
  });
  deepStrictEqual([...Deno.readDirSync(session.folder ?? "")], []);
  await session.close("done");
});

Deno.test("createSession() leaves nothing where its header does not fit", {
  ignore: !mountable,
}, async () => {
  await using disk = await tinyDisk();
  await Deno.writeFile(disk.join("more"), new Uint8Array(1024 * 1024)).catch(() => {});
  await rejects(createSession(options(disk.path)), { kind: "write" });
  const names = [...Deno.readDirSync(disk.path)].map((entry) => entry.name);
  deepStrictEqual(names.sort(), ["ballast", "more"]);
});

Deno.test("a session in a read-only folder is refused", { ignore: !mountable }, async () => {
  await using disk = await tinyDisk();
  const session = await createSession(options(disk.path));
  await session.close("done");
  await disk.seal();
  await rejects(createSession(options(disk.path)), { kind: "write" });
  const opening = openSession({ folder: disk.path, id: session.id, now });
  await rejects(opening, { message: /^Cannot open session log ".*": .*[Rr]ead-only/ });
});

Deno.test("a session in a folder without write permission is refused", {
  ignore: Deno.build.os === "windows" || Deno.uid() === 0,
}, async () => {
  await using dir = await tempDir({ "sessions/": "" });
  await Deno.chmod(dir.join("sessions"), 0o500);
  await rejects(createSession(options(dir.join("sessions"))), { kind: "write" });
  await Deno.chmod(dir.join("sessions"), 0o700);
  await (await createSession(options(dir.join("sessions")))).close("done");
});

/** Appends until the disk is full; resolves to how many records are whole. */
async function fill(session: Session): Promise<number> {
  for (let n = 0;; n++) {
    try {
      await session.append(said("x".repeat(3_000)));
    } catch (error) {
      ok(error instanceof SessionLogError);
      match(error.message, /^Cannot write session log ".*": /);
      strictEqual(error.file, session.path);
      return n;
    }
  }
}
