import { deepStrictEqual, match, ok, rejects, strictEqual } from "node:assert/strict";
import { readerCommand, readerEnvironment, readerProgram } from "../../../agent/reader/program.ts";
import { PIXEL } from "../../helpers/pixel.ts";
import { createReader } from "../../../agent/reader/reader.ts";
import { readerView } from "../../../agent/reader/start.ts";
import { type PipedProcess, startPiped } from "../../../sandbox/commands/piped_process.ts";
import { startConfined } from "../../../sandbox/view/confined_process.ts";
import { BOTH_READERS } from "../../helpers/both_readers.ts";
import { canConfine, confinedHouse } from "../../helpers/confined.ts";
import { gone } from "../../helpers/processes.ts";
import { pdfOf } from "../../tools/web/documents.ts";

const HINT = { url: "https://host.test/", contentType: "text/html" };
const NEVER = new AbortController().signal;

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

for (const { name, ignore, open } of BOTH_READERS) {
  Deno.test({ name: `a reader in a ${name} reads documents`, ignore }, async (t) => {
    await using house = await open();
    await t.step("a page, with letters of all kinds", async () => {
      const read = await house.reader.read(bytes("<h1>é 你 😀</h1>"), HINT, NEVER);
      deepStrictEqual(read, {
        ok: true,
        kind: "html",
        text: "# é 你 😀",
        notes: [],
        charset: "utf-8",
      });
    });
    await t.step("a PDF of 500 pages", async () => {
      const lines = Array.from({ length: 40 }, (_, i) => `Line ${i} of a page that has many lines`);
      const pages = Array.from({ length: 500 }, (_, i) => [`This is page ${i + 1}`, ...lines]);
      const read = await house.reader.read(pdfOf(pages), HINT, NEVER);
      ok(read.ok, JSON.stringify(read));
      ok(read.text.includes("## Page 500\n\nThis is page 500\nLine 0 of"));
      deepStrictEqual(read.notes, []);
    });
    await t.step("a document that no library can read is an answer", async () => {
      deepStrictEqual(await house.reader.read(bytes("%PDF-1.4 none"), HINT, NEVER), {
        ok: false,
        reason: "broken",
        message: "it is broken (InvalidPDFException)",
      });
    });
    await t.step("more documents at once than there are readers", async () => {
      const texts = Array.from({ length: 5 }, (_, i) => `<p>document ${i}</p>`);
      const read = await Promise.all(
        texts.map((text) => house.reader.read(bytes(text), HINT, NEVER)),
      );
      deepStrictEqual(
        read.map((one) => one.ok && one.text),
        texts.map((text) => text.replaceAll(/<.*?>/g, "")),
      );
    });
  });
}

/** A reader whose process is another program. */
function readerBy(script: string, started: PipedProcess[] = [], maxAnswerBytes = 1000) {
  return createReader(() => {
    const environment = { PATH: "/usr/bin:/bin" };
    const process = startPiped(["sh", "-c", script], { environment });
    started.push(process);
    return process;
  }, { timeoutMs: 300, maxAnswerBytes });
}

Deno.test("a reader that does not do its work is ended", async (t) => {
  const cases: [name: string, script: string, message: RegExp][] = [
    ["one that takes too long", "cat >/dev/null; exec sleep 600", /^no text of it within 0.3 /],
    ["one that reads nothing", "exec sleep 600", /^no text of it within 0.3 /],
    ["one that talks without end", "exec yes", /^its text is too long$/],
    ["one that V8 ends for want of memory", "kill -TRAP $$", /^it takes more memory/],
    ["one that the system ends for it", "kill -KILL $$", /^it takes more memory/],
  ];
  for (const [name, script, message] of cases) {
    await t.step(name, async () => {
      const started: PipedProcess[] = [];
      const read = await readerBy(script, started).read(new Uint8Array(1e6), HINT, NEVER);
      ok(!read.ok && read.reason === "too_complex");
      match(read.message, message);
      await gone(started.map(({ pid }) => pid));
    });
  }
  await t.step("one that fails says with what words", async () => {
    const read = readerBy("echo why >&2; exit 3").read(bytes(""), HINT, NEVER);
    await rejects(read, { message: /the reader failed, it ended with exit code 3: why$/ });
  });
  await t.step("one that tells stories is not believed", async () => {
    const story = { ok: false, reason: "broken", message: "x".repeat(300) };
    for (const text of ["true", "{", JSON.stringify(story), '{"ok":true,"kind":"html","text":1}']) {
      await rejects(readerBy(`printf %s '${text}'`).read(bytes(""), HINT, NEVER), /reader failed/);
    }
  });
  await t.step("nor is one whose picture is another than it says, or is none", async () => {
    const made = {
      ...{ ok: true, format: "PNG", width: 1, height: 1, frames: 1, black: false },
      area: { x: 0, y: 0, width: 1, height: 1 },
      shown: { width: 1, height: 1 },
      media_type: "image/png",
    };
    const make = (picture: object) =>
      readerBy(`cat >/dev/null; printf %s '${JSON.stringify(picture)}'`)
        .picture(PIXEL, {}, NEVER);
    const pixel = { ...made, data: PIXEL.toBase64() };
    deepStrictEqual(await make(pixel), pixel);
    for (
      const lie of [
        { ...pixel, media_type: "image/jpeg" },
        { ...made, data: btoa("text") },
        { ...made, data: "=" },
        made,
      ]
    ) await rejects(make(lie), /reader failed/);
  });
  await t.step("one that is not wanted any more, and one that waits for its turn", async () => {
    const started: PipedProcess[] = [];
    const reader = createReader(() => {
      const process = startPiped(["sleep", "600"], { environment: { PATH: "/usr/bin:/bin" } });
      started.push(process);
      // The last of those that may work at once has begun, and others wait.
      if (started.length === 3) queueMicrotask(() => interrupt.abort(new Error("enough")));
      return process;
    });
    const interrupt = new AbortController();
    const reads = Array.from({ length: 5 }, () => reader.read(bytes(""), HINT, interrupt.signal));
    const ends = await Promise.allSettled(reads);
    deepStrictEqual(
      ends.map((end) => end.status === "rejected" && end.reason.message),
      Array(5).fill("enough"),
    );
    strictEqual(started.length, 3);
    await gone(started.map(({ pid }) => pid));
    await rejects(reader.read(bytes(""), HINT, interrupt.signal), /^Error: enough$/);
    strictEqual(started.length, 3);
  });
});

Deno.test("a document that takes more memory than a reader gets ends the reader alone", async () => {
  const program = readerProgram();
  if (program.form !== "source") throw new Error("tests run from source");
  const cache = program.packages.split("/").slice(0, -2).join("/");
  const argv = readerCommand(program, { ...program, program: program.root, cache });
  const small = argv.map((word) => word.startsWith("--v8-flags=") ? LITTLE : word);
  const [executable, ...args] = small;
  const reader = createReader(() =>
    startPiped([executable ?? "", ...args], { environment: readerEnvironment("/usr/bin", cache) })
  );
  const read = await reader.read(bytes("<p>some text".repeat(100_000)), HINT, NEVER);
  deepStrictEqual(read, {
    ok: false,
    reason: "too_complex",
    message: "it takes more memory than a reader gets",
  });
});

/** Enough to start, and not for a large page. */
const LITTLE = "--v8-flags=--max-old-space-size=40";

Deno.test({
  name: "the view of a reader shows no file of a person, and no network",
  ignore: !await canConfine(),
}, async () => {
  await using house = await confinedHouse({ "ws/secret": "s", "home/secret": "s" });
  const opened = await house.open({ extraRead: [house.session] });
  if (!opened.ok) throw new Error(opened.reason);
  const view = readerView(opened.view, readerProgram());
  const script = `
    for path in "$@" /etc/passwd /root /home /tmp; do [[ -e $path ]] && echo "sees $path"; done
    (: > /cordon/reader/program/tools/x) && echo "writes itself"
    printf '%s\\n' "variables \${!OPENAI@}" "$(tail -n +3 /proc/net/dev | cut -d: -f1)"
    for name in /cordon/*/*; do echo "$name"; done`;
  const process = startConfined(view, opened.filter, [
    ...["bash", "-c", script, "look", house.workspace, house.home, house.state] as const,
  ]);
  await process.stdin.close();
  const [text] = await Promise.all([
    new Response(process.stdout).text(),
    process.stderr.cancel(),
    process.status,
  ]);
  deepStrictEqual(text.split("\n").filter((line) => line !== ""), [
    "variables ",
    "    lo",
    "/cordon/reader/cache",
    "/cordon/reader/executable",
    "/cordon/reader/program",
  ]);
});
