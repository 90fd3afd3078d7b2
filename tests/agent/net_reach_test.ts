import { strictEqual } from "node:assert/strict";
import type { OptionValues } from "../../agent/command_line/options.ts";
import { netReach } from "../../agent/net_reach.ts";
import { joinSettings } from "../../agent/settings.ts";
import { grantsOf } from "../../sandbox/rights/grants.ts";

Deno.test("netReach()", async (t) => {
  const cases: [name: string, options: OptionValues, asks: boolean, want: string][] = [
    ["nothing granted", {}, false, "none"],
    ["nothing granted, and a person there", {}, true, "asked"],
    ["a person whose answer is known", { approval: "deny" }, true, "none"],
    ["a host", { "allow-net": ["a.test"] }, false, "granted"],
    ["all hosts", { "allow-net": "all" }, false, "granted"],
    ["a host and a person", { "allow-net": ["a.test"] }, true, "granted"],
    ["a host named for the way out", { egress: ["a.test"] }, false, "granted"],
    ["the model's host alone", { "allow-net": ["model.test"] }, false, "none"],
    ["the model's host by its port", { "allow-net": ["model.test:443"] }, false, "none"],
    ["the model's host, named", { egress: ["model.test"] }, false, "granted"],
    ["all denied", { "deny-net": "all", egress: ["a.test"] }, true, "none"],
  ];
  for (const [name, options, asks, want] of cases) {
    await t.step(name, () => {
      const settings = joinSettings(options, {}, (variable) => VARIABLES[variable]);
      const { "allow-net": allow, "deny-net": deny } = options;
      const flags = { allow: allow ? { net: allow } : {}, deny: deny ? { net: deny } : {} };
      const defaults = { workspace: "/w", providers: ["model.test:443"] };
      const launch = { settings, grants: grantsOf(flags, defaults, () => true) };
      strictEqual(netReach(launch, asks), want);
    });
  }
});

const VARIABLES: Readonly<Record<string, string>> = { OPENAI_BASE_URL: "https://model.test/v1" };
