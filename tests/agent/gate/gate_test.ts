import { strictEqual } from "node:assert/strict";
import {
  type ApprovalMode,
  isReadOnly,
  mostSevere,
  objectionsTo,
} from "../../../agent/gate/gate.ts";
import type { Judgement } from "../../../agent/gate/judgement.ts";
import type { Plan, Touch } from "../../../tools/tool.ts";

const JUDGEMENTS: Readonly<Record<string, Judgement>> = {
  ls: { kind: "read_only" },
  make: { kind: "other", reason: "make is not on the list" },
  "rm -r x": { kind: "destructive", reason: "rm removes" },
  "rm -rf /": { kind: "forbidden", reason: "removes the root", saferWay: "Name a folder" },
};

function judge(command: string): Promise<Judgement> {
  return Promise.resolve(JUDGEMENTS[command] ?? { kind: "other", reason: "unknown" });
}

function plan(...touches: Touch[]): Plan {
  return { touches };
}

const command = (text: string): Touch => ({ kind: "command", command: text });
const read: Touch = { kind: "read", path: "a" };
const write: Touch = { kind: "write", path: "a" };
const look: Touch = { kind: "screen", act: "look", what: "it looks" };
const sensitive: Touch = { kind: "screen", act: "sensitive", what: "it types", where: "a title" };
const foreign: Touch = { kind: "foreign", server: "s", tool: "t", allowed: false };
const allowed: Touch = { ...foreign, allowed: true };
const onPage: Touch = {
  ...{ kind: "browser", action: "click", starts: false, of: "own", confined: true },
} as const;
const starts = (of: "own" | "attached", confined: boolean): Touch => ({
  ...{ kind: "browser", action: "open", starts: true, of, confined },
});
const endOfJob: Touch = { kind: "job", id: "1" };

Deno.test("objectionsTo() judges a call by what it touches, and the most severe wins", async (t) => {
  type Row = [touch: Touch[], mode: ApprovalMode, unconfined: string, confined: string];
  const rows: Row[] = [
    [[], "ask", "allow", "allow"],
    [[read], "ask", "allow", "allow"],
    [[write], "on-escape", "allow", "allow"],
    [[write], "ask", "ask", "ask"],
    [[write], "deny", "allow", "allow"],
    [[write], "all", "allow", "allow"],
    [[endOfJob], "on-escape", "allow", "allow"],
    [[endOfJob], "ask", "ask", "ask"],
    [[endOfJob], "deny", "allow", "allow"],
    [[foreign], "on-escape", "ask", "ask"],
    [[foreign], "deny", "ask", "ask"],
    [[foreign], "all", "allow", "allow"],
    [[allowed], "on-escape", "allow", "allow"],
    [[allowed], "deny", "allow", "allow"],
    // Who asks for everything is asked for this, too.
    [[allowed], "ask", "ask", "ask"],
    [[look], "on-escape", "ask", "ask"],
    [[look], "deny", "ask", "ask"],
    [[look], "all", "allow", "allow"],
    [[sensitive], "on-escape", "ask", "ask"],
    [[sensitive], "all", "allow", "allow"],
    [[onPage], "on-escape", "allow", "allow"],
    [[onPage], "ask", "ask", "ask"],
    [[starts("own", true)], "on-escape", "allow", "allow"],
    [[starts("own", false)], "on-escape", "ask", "ask"],
    [[starts("own", false)], "all", "allow", "allow"],
    [[starts("attached", false)], "deny", "ask", "ask"],
    [[command("ls")], "ask", "allow", "allow"],
    [[command("make")], "on-escape", "ask", "allow"],
    [[command("make")], "deny", "ask", "allow"],
    [[command("make")], "ask", "ask", "ask"],
    [[command("make")], "all", "allow", "allow"],
    [[command("rm -r x")], "on-escape", "ask", "ask"],
    [[command("rm -r x")], "all", "allow", "allow"],
    [[command("rm -rf /")], "all", "deny", "deny"],
    [[command("rm -rf /")], "on-escape", "deny", "deny"],
    [[read, command("rm -rf /"), command("make")], "ask", "deny", "deny"],
    [[read, command("make")], "on-escape", "ask", "allow"],
  ];
  for (const [touches, mode, unconfined, confined] of rows) {
    await t.step(`${JSON.stringify(touches)} under ${mode}`, async () => {
      for (const [isConfined, want] of [[false, unconfined], [true, confined]] as const) {
        const policy = { mode, confined: isConfined, judge };
        const worst = mostSevere(await objectionsTo(plan(...touches), policy));
        strictEqual(worst?.kind ?? "allow", want, isConfined ? "confined" : "unconfined");
      }
    });
  }
});

Deno.test("isReadOnly()", async (t) => {
  const cases: [touches: Touch[], want: boolean][] = [
    [[], true],
    [[read], true],
    [[command("ls")], true],
    [[endOfJob], false],
    [[onPage], false],
    [[foreign], false],
    [[allowed], false],
    [[command("make")], false],
    [[read, write], false],
    [[look], true],
    [[sensitive], false],
  ];
  for (const [touches, want] of cases) {
    await t.step(JSON.stringify(touches), async () => {
      strictEqual(await isReadOnly(plan(...touches), judge), want);
    });
  }
});
