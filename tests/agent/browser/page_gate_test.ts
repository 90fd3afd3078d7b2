import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { isOwnHost, MAX_QUESTIONS, pageGate } from "../../../agent/browser/page_gate.ts";
import { egressGate } from "../../../sandbox/egress/permission.ts";

/** A gate of which `a.test` is granted, and the hosts that a person was asked for. */
function gates() {
  const asked: string[] = [];
  const rules = { allow: ["a.test"] };
  const gate = egressGate({
    rules,
    ask(question) {
      asked.push(question.host);
      return Promise.resolve(true);
    },
  });
  return { asked, gate: pageGate(gate, rules) };
}

Deno.test("pageGate() asks for few hosts in a step, and anew in the next", async () => {
  const { asked, gate } = gates();
  const hosts = Array.from({ length: MAX_QUESTIONS + 2 }, (_, i) => `h${i}.test`);
  const permitted: boolean[] = [];
  for (const host of hosts) permitted.push((await gate.permit({ host, port: 443 })).ok);
  deepStrictEqual(permitted, hosts.map((_, i) => i < MAX_QUESTIONS));
  strictEqual(asked.length, MAX_QUESTIONS);
  // What is granted, and what was agreed to, needs no question.
  strictEqual((await gate.permit({ host: "a.test", port: 443 })).ok, true);
  strictEqual((await gate.permit({ host: "h0.test", port: 443 })).ok, true);
  gate.beginStep();
  strictEqual((await gate.permit({ host: hosts.at(-1) ?? "", port: 443 })).ok, true);
  strictEqual(asked.length, MAX_QUESTIONS + 1);
});

Deno.test("pageGate() asks nobody for what browsers want by themselves", async () => {
  const { asked, gate } = gates();
  const permission = await gate.permit({ host: "update.googleapis.com", port: 443 });
  strictEqual(permission.ok, false);
  deepStrictEqual(asked, []);
  deepStrictEqual([isOwnHost("Clients2.Google.com"), isOwnHost("google.com")], [true, false]);
});
