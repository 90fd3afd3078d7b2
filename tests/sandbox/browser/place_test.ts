import { deepStrictEqual, rejects, strictEqual } from "node:assert/strict";
import { ownPlace } from "../../../sandbox/browser/place.ts";
import { isMissing } from "../../../sandbox/files/system_errors.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

/** Makes files for some moments, and says on stdout when it has begun. */
const WRITER = `i=0
while [ $i -lt 4000 ]; do : >"$0/$i" || exit; i=$((i+1)); [ $i -ne 50 ] || echo begun; done`;

Deno.test("a browser's place is taken away also while something in it still writes", {
  ignore: Deno.build.os === "windows",
}, async () => {
  await using dir = await tempDir();
  const place = ownPlace({}, { proxySocket: dir.join("none"), ownSandbox: false });
  const { privateFolder } = place;
  const writer = new Deno.Command("sh", {
    args: ["-c", WRITER, privateFolder],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const { value } = await writer.stdout.getReader().read();
  strictEqual(new TextDecoder().decode(value), "begun\n");
  await place[Symbol.asyncDispose]();
  await writer.status;
  await rejects(Deno.stat(privateFolder), isMissing);
});

Deno.test("what a browser's place left is gone with it", async () => {
  await using dir = await tempDir();
  const place = ownPlace({}, { proxySocket: dir.join("none"), ownSandbox: false });
  await Deno.writeTextFile(`${place.downloads}/a`, "a");
  await place[Symbol.asyncDispose]();
  await rejects(Deno.stat(place.downloads), isMissing);
  deepStrictEqual([...Deno.readDirSync(dir.path)], []);
});
