import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  egressDecision,
  type EgressRules,
  hostName,
  isHostItem,
} from "../../../sandbox/egress/rules.ts";

const LISTED: EgressRules = {
  allow: ["example.com", "*.registry.test", "plain.test:80", "Odd.Test:8443"],
  deny: ["bad.registry.test"],
};
const ALL: EgressRules = { allow: "all", deny: ["denied.test", "half.test:80"] };

Deno.test("isHostItem() is true of what can allow a host", async (t) => {
  const hosts = ["example.com", "Example.COM.", "*.example.com", "localhost:3000", "a.test:65535"];
  const others = [
    ...["", "*", "*.", "https://a.test", "a.test/x", "a b", "a.test:", "a.test:x", "a.test:0"],
    ...["a.test:65536", "10.0.0.1", "[::1]:80", "-a.test", "*.*.test"],
  ];
  for (const item of hosts) await t.step(item, () => strictEqual(isHostItem(item), true));
  for (const item of others) await t.step(`"${item}"`, () => strictEqual(isHostItem(item), false));
});

Deno.test("egressDecision()", async (t) => {
  const cases: [name: string, target: string, rules: EgressRules, want: string][] = [
    ["a listed host", "example.com:443", LISTED, "allow"],
    ["a listed host in another spelling", "EXAMPLE.com.:443", LISTED, "allow"],
    ["what only ends like it", "evilexample.com:443", LISTED, "ask"],
    ["what lies below it", "a.example.com:443", LISTED, "ask"],
    ["below a suffix", "a.b.registry.test:443", LISTED, "allow"],
    ["a suffix itself", "registry.test:443", LISTED, "allow"],
    ["what only ends like a suffix", "evilregistry.test:443", LISTED, "ask"],
    ["denied below a suffix", "bad.registry.test:443", LISTED, "denied"],
    ["another port of a listed host", "example.com:22", LISTED, "bad_port"],
    ["port 80 where it was not asked for", "example.com:80", LISTED, "bad_port"],
    ["port 80 on request", "plain.test:80", LISTED, "allow"],
    ["443 where only 80 was named", "plain.test:443", LISTED, "bad_port"],
    ["a port by name", "odd.test:8443", LISTED, "allow"],
    ["an unknown host's odd port", "unknown.test:22", LISTED, "bad_port"],
    ["an unknown host", "unknown.test:80", LISTED, "ask"],
    ["any host where all are allowed", "unknown.test:80", ALL, "allow"],
    ["an odd port where all are allowed", "unknown.test:8080", ALL, "bad_port"],
    ["denied where all are allowed", "denied.test:443", ALL, "denied"],
    ["denied on one port", "half.test:80", ALL, "denied"],
    ["denied on the other port only", "half.test:443", ALL, "allow"],
    ["port 0", "example.com:0", LISTED, "bad_port"],
    ["no port", "example.com:65536", LISTED, "bad_port"],
    ["loopback", "127.0.0.1:443", ALL, "bad_name"],
    ["a decimal address", "2130706433:443", ALL, "bad_name"],
    ["an octal address", "017700000001:443", ALL, "bad_name"],
    ["a hexadecimal address", "0x7f000001:443", ALL, "bad_name"],
    ["a mixed address", "0x7f.1:443", ALL, "bad_name"],
    ["a short address", "127.1:443", ALL, "bad_name"],
    ["an address with a final dot", "127.0.0.1.:443", ALL, "bad_name"],
    ["a name whose last label is a number", "example.7:443", ALL, "bad_name"],
    ["a NUL byte", "evil.test\0.example.com:443", ALL, "bad_name"],
    ["user-info", "a@example.com:443", ALL, "bad_name"],
    ["other alphabets", "exämple.com:443", ALL, "bad_name"],
    ["a full-width digit", "１２７.0.0.1:443", ALL, "bad_name"],
    ["two final dots", "example.com..:443", ALL, "bad_name"],
    ["an empty label", "a..example.com:443", ALL, "bad_name"],
    ["no name", ":443", ALL, "bad_name"],
    ["an underscore", "_dmarc.example.com:443", ALL, "bad_name"],
    ["a label that is too long", `${"a".repeat(64)}.test:443`, ALL, "bad_name"],
  ];
  for (const [name, target, rules, want] of cases) {
    await t.step(name, () => {
      const colon = target.lastIndexOf(":");
      const asked = { host: target.slice(0, colon), port: Number(target.slice(colon + 1)) };
      const verdict = egressDecision(asked, rules);
      strictEqual(verdict.decision === "refuse" ? verdict.reason : verdict.decision, want);
    });
  }
});

Deno.test("egressDecision() answers with the spelling that is resolved", () => {
  const verdict = egressDecision({ host: "Example.COM.", port: 443 }, LISTED);
  deepStrictEqual(verdict, { decision: "allow", target: { host: "example.com", port: 443 } });
});

Deno.test("egressDecision() says why and what to do", () => {
  deepStrictEqual(egressDecision({ host: "example.com", port: 80 }, LISTED), {
    decision: "refuse",
    reason: "bad_port",
    message:
      'Cannot reach "example.com:80": this port is not granted, a person may name it as example.com:80',
  });
});

Deno.test("hostName() takes names that merely hold digits", () => {
  deepStrictEqual(["7.test", "0x7f.test", "a1", "1.2.3.4.in-addr.arpa"].map(hostName), [
    "7.test",
    "0x7f.test",
    "a1",
    "1.2.3.4.in-addr.arpa",
  ]);
});
