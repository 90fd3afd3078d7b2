// A process of its own for tests: `program.ts write|open|tour FOLDER [ID]`.
import { forkSession } from "../../../agent/session/fork.ts";
import { findSession, listSessions } from "../../../agent/session/list.ts";
import { createSession, openSession } from "../../../agent/session/log.ts";
import { SessionLogError } from "../../../agent/session/error.ts";
import { answer, options, result, said } from "./fixtures.ts";

const [verb, folder = "", id = ""] = Deno.args;
switch (verb) {
  case "write":
    await writeUntilKilled();
    break;
  case "open":
    await tryToOpen();
    break;
  case "tour":
    await tour();
    break;
}

/** Says on stdout how many records are durable. */
async function writeUntilKilled(): Promise<void> {
  const session = await createSession(options(folder));
  console.log(session.id);
  for (let n = 0;; n += 4) {
    await session.append(said(`turn ${n} ${"x".repeat(n * 37 % 9000)}`));
    await Promise.all([
      session.append(answer("a", ["c1", "bash"])),
      session.append({ type: "tool_call", call_id: "c1", name: "bash", arguments: {} }),
    ]);
    await session.append(result("c1", { n }));
    console.log(n + 4);
  }
}

async function tryToOpen(): Promise<void> {
  try {
    const session = await openSession({ folder, id, now: () => new Date() });
    await session.close("done");
    console.log("opened");
  } catch (error) {
    if (!(error instanceof SessionLogError)) throw error;
    console.log(`${error.kind}: ${error.message}`);
  }
}

/** Everything that a session can do, for a process that may touch its folder only. */
async function tour(): Promise<void> {
  const setup = options(folder);
  const first = await createSession(setup);
  await first.append(said("hi"));
  const path = await first.blobs.save("a.txt", new Uint8Array([1, 2]));
  await first.append(answer("see a.txt"));
  const { id } = first;
  await first.close("done");
  const again = await openSession({ folder, id, now: setup.now });
  const fork = await forkSession({ folder, id }, setup);
  const bytes = await fork.blobs.load(path ?? "");
  await fork.close("done");
  await again.close("done");
  const found = await findSession(folder, { cwd: "/work", latest: true });
  console.log(JSON.stringify([bytes?.length, (await listSessions(folder)).length, found.kind]));
}
