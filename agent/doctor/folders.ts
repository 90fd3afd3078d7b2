import { statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Grants } from "../../sandbox/rights/grants.ts";
import type { Places } from "../places.ts";
import { makePrivateFolder } from "../session/blobs.ts";
import { reasonOf } from "../session/error.ts";
import { type Check, fail, ok, warn } from "./check.ts";

const GIB = 1024 ** 3;
/** Less free space than this is worth a word, in bytes: a spill alone may take 64 MB. */
const LITTLE_BYTES = GIB;
/** With less than this, logs will soon not be written, in bytes. */
const TOO_LITTLE_BYTES = 64 * 1024 ** 2;

/** Whether the folders of a run can be used, and have room. */
export async function checkFolders(places: Places, grants: Grants): Promise<Check[]> {
  const { workspace, state } = places;
  return [
    await checkWorkspace(workspace, grants),
    ...(state === undefined
      ? [
        fail(
          "state",
          "no folder for it is known, so no log is kept",
          "Set HOME, or say --state DIR",
        ),
      ]
      : [await checkState(state, grants), await checkSpace(state)]),
  ];
}

async function checkWorkspace(workspace: string, grants: Grants): Promise<Check> {
  const what = "workspace";
  if (!grants.allows("write", workspace)) {
    return warn(what, `${workspace} may only be read`, `Grant --allow-write=${workspace}`);
  }
  const obstacle = await whyNotWritable(workspace);
  if (obstacle === undefined) return ok(what, `${workspace} can be written`);
  return warn(
    what,
    `${workspace} cannot be written: ${obstacle}`,
    "Give yourself the right to write there",
  );
}

async function checkState(state: string, grants: Grants): Promise<Check> {
  const what = "state";
  if (!grants.allows("write", state) || !grants.allows("read", state)) {
    return warn(
      what,
      `${state} may not be used, so no log is kept`,
      `Grant --allow-read=${state} --allow-write=${state}`,
    );
  }
  const obstacle = await whyNotWritable(state, true);
  if (obstacle === undefined) return ok(what, `${state} can be written`);
  return fail(what, `${state} cannot be written: ${obstacle}`, "Mend that, or say --state DIR");
}

async function checkSpace(state: string): Promise<Check> {
  const what = "free space";
  try {
    const { bavail, bsize } = await statfs(state);
    const free = bavail * bsize;
    const fact = `${(free / GIB).toFixed(1)} GiB at ${state}`;
    const fix = "Make room: cordon sessions delete ID, or another disk by --state DIR";
    if (free < TOO_LITTLE_BYTES) return fail(what, fact, fix);
    return free < LITTLE_BYTES ? warn(what, fact, fix) : ok(what, fact);
  } catch (error) {
    return warn(
      what,
      `unknown: ${reasonOf(error)}`,
      "Grant --allow-sys=statfs to have it looked at",
    );
  }
}

/** Tries it, for nothing else tells: undefined where a file could be made and taken away again. */
async function whyNotWritable(folder: string, make = false): Promise<string | undefined> {
  const path = join(folder, `.cordon-doctor-${crypto.randomUUID()}`);
  try {
    if (make) await makePrivateFolder(folder);
    await Deno.writeFile(path, new Uint8Array(), { createNew: true });
    await Deno.remove(path);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
