import { deepStrictEqual, notStrictEqual, strictEqual } from "node:assert/strict";
import { loadClassifier } from "../../../agent/shell/classifier.ts";

/** A line of the fixture that asks for a classification. */
interface ShellCase {
  readonly id: string;
  readonly tool: string;
  readonly kind: "allow" | "deny" | "split";
  readonly do: { readonly command?: string; readonly script?: string };
  readonly expect: {
    readonly ok: boolean;
    readonly error_kind?: string;
    readonly parts?: readonly string[];
    readonly count?: number;
  };
}

const FIXTURE = new URL("../../fixtures/cases/behaviour-a.jsonl", import.meta.url);

Deno.test("the shell lines of behaviour-a", async (t) => {
  const classifier = await loadClassifier();
  const lines = (await Deno.readTextFile(FIXTURE)).split("\n").filter((line) => line !== "");
  // The fixture's own format, checked by the count below.
  const cases = lines.map((line) => JSON.parse(line) as ShellCase);
  const shell = cases.filter(({ tool }) => tool === "shell");
  strictEqual(shell.length, 115);
  for (const { id, kind, do: given, expect } of shell) {
    await t.step(`${id} ${JSON.stringify(given.command ?? given.script)}`, () => {
      const result = classifier.classify(given.command ?? given.script ?? "");
      const code = result.decision === "allow" ? undefined : result.code;
      if (!expect.ok) strictEqual(code, expect.error_kind);
      else if (kind === "allow") strictEqual(result.decision, "allow");
      else if (kind === "deny") notStrictEqual(result.decision, "deny");
      else if (expect.parts) deepStrictEqual(result.parts, expect.parts);
      else strictEqual(result.parts.length, expect.count);
    });
  }
});
