import { ok } from "node:assert/strict";
import { startBwrap } from "../../../sandbox/view/bwrap_process.ts";
import { terminateNamespace } from "../../../sandbox/view/end_namespace.ts";
import { startEnvironment, type View } from "../../../sandbox/view/view.ts";
import { canConfine, confinedHouse } from "../../helpers/confined.ts";

const ignore = !await canConfine();
const isRoot = Deno.build.os === "linux" && Deno.uid() === 0;
const NOBODY = { uid: 65534, gid: 65534 };

/** Two generations and an orphan; each says that it is there, and that it was asked to end. */
const FAMILY = `
member() {
  trap "echo $1 asked" TERM
  echo "$1 up"
  for ((i = 0; i < 400; i++)); do sleep 0.05; done
}
member child &
(member orphan &)
member parent
`;
const MEMBERS = ["child", "orphan", "parent"] as const;

Deno.test(
  "terminateNamespace() asks all that lives in a namespace to end (needs a view)",
  { ignore },
  async (t) => {
    await using house = await confinedHouse();
    const { runAs: _, ...view } = (await house.commands()).opened.view;
    await t.step("as the user of this process", () => askFamily(view));
    await t.step({
      name: "as an ordinary user (needs root)",
      ignore: !isRoot,
      fn: () => askFamily({ ...view, runAs: NOBODY }),
    });
  },
);

async function askFamily(view: View): Promise<void> {
  const folders = ["--dev-bind", "/", "/", "--proc", "/proc"];
  const family = startBwrap(
    ["--unshare-user", "--unshare-pid", "--die-with-parent", ...folders, "bash", "-c", FAMILY],
    { environment: startEnvironment(view), runAs: view.runAs },
  );
  const decoder = new TextDecoder();
  let said = "";
  let asked = false;
  const all = (word: string) => MEMBERS.every((name) => said.includes(`${name} ${word}\n`));
  for await (const bytes of family.stdout) {
    said += decoder.decode(bytes, { stream: true });
    if (!asked && all("up")) {
      asked = true;
      await terminateNamespace(view, family.pid);
    }
    if (all("asked")) family.kill();
  }
  await family.stderr.cancel();
  await family.status;
  ok(all("asked"), said);
}
