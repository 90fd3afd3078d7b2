import { deepStrictEqual } from "node:assert/strict";
import { egressRules } from "../../agent/egress.ts";
import { joinSettings } from "../../agent/settings.ts";
import type { OptionValues } from "../../agent/command_line/options.ts";
import { type Extent, grantsOf } from "../../sandbox/rights/grants.ts";
import { egressDecision } from "../../sandbox/egress/rules.ts";

Deno.test("egressRules() makes rules of what was granted, denied and named", async (t) => {
  const variables: Readonly<Record<string, string>> = {
    OPENAI_BASE_URL: "https://model.test/v1",
  };
  const all: OptionValues = { "allow-net": "all" };
  const cases: [name: string, options: OptionValues, host: string, want: string][] = [
    ["what was granted", { "allow-net": ["a.test"] }, "a.test", "allow"],
    ["what was not", { "allow-net": ["a.test"] }, "b.test", "ask"],
    ["the model's server", all, "model.test", "denied"],
    ["the model's server, named", { ...all, egress: ["model.test"] }, "model.test", "allow"],
    ["what a flag denies", { ...all, "deny-net": ["b.test"] }, "b.test", "denied"],
    ["what it does not", { ...all, "deny-net": ["b.test"] }, "c.test", "allow"],
    ["everything denied", { ...all, "deny-net": "all" }, "c.test", "ask"],
  ];
  for (const [name, options, host, want] of cases) {
    await t.step(name, () => {
      const settings = joinSettings(options, {}, (variable) => variables[variable]);
      const flags = {
        allow: net(options["allow-net"]),
        deny: net(options["deny-net"]),
      };
      const launch = {
        settings,
        grants: grantsOf(flags, { workspace: "/w", providers: [] }, () => true),
      };
      const decision = egressDecision({ host, port: 443 }, egressRules(launch));
      const told = decision.decision === "refuse" ? decision.reason : decision.decision;
      deepStrictEqual(told, want);
    });
  }
});

function net(extent: Extent | undefined): { net?: Extent } {
  return extent === undefined ? {} : { net: extent };
}
