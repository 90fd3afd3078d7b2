import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { isIP } from "node:net";
import fc from "fast-check";
import { forbiddenAddress, isSameAddress, parseAddress } from "../../../sandbox/egress/address.ts";

Deno.test("forbiddenAddress() passes public addresses", async (t) => {
  const addresses = [
    ..."1.1.1.1 8.8.8.8 93.184.216.34 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0".split(" "),
    ..."172.15.255.255 172.32.0.0 192.167.255.255 192.169.0.0 223.255.255.255".split(" "),
    ..."2606:4700::1111 2a00:1450:4001:80e::200e 64:ff9b::808:808 ::ffff:8.8.8.8".split(" "),
    "2002:808:808::1",
  ];
  for (const address of addresses) {
    await t.step(address, () => strictEqual(forbiddenAddress(address), undefined));
  }
});

Deno.test("forbiddenAddress() refuses all others", async (t) => {
  const cases: [address: string, why: string][] = [
    ["0.0.0.0", "this network"],
    ["10.1.2.3", "private"],
    ["100.64.0.1", "shared"],
    ["100.127.255.255", "shared"],
    ["100.100.100.200", "shared"],
    ["127.0.0.1", "loopback"],
    ["127.255.255.254", "loopback"],
    ["169.254.169.254", "link-local"],
    ["168.63.129.16", "metadata"],
    ["172.16.0.1", "private"],
    ["172.31.255.255", "private"],
    ["192.168.1.1", "private"],
    ["198.19.0.1", "benchmarks"],
    ["224.0.0.1", "multicast"],
    ["255.255.255.255", "reserved"],
    ["::", "unspecified"],
    ["::1", "loopback"],
    ["fe80::1%eth0", "link-local"],
    ["fd00:ec2::254", "private"],
    ["ff02::1", "multicast"],
    ["2001:db8::1", "documentation"],
    ["4000::1", "reserved"],
    ["::ffff:127.0.0.1", "loopback in mapped form"],
    ["::ffff:7f00:1", "loopback in mapped form"],
    ["::ffff:0:127.0.0.1", "loopback in translated form"],
    ["::127.0.0.1", "loopback in compatible form"],
    ["64:ff9b::a9fe:a9fe", "link-local in NAT64 form"],
    ["64:ff9b:1::10.0.0.1", "private in NAT64 form"],
    ["2002:7f00:1::", "loopback in 6to4 form"],
    ["2002:c0a8:101::1", "private in 6to4 form"],
    // 192.168.1.1 with every bit turned.
    ["2001:0:1:1:1:1:3f57:fefe", "private in Teredo form"],
    ["localhost", "no IP address"],
    ["127.1", "no IP address"],
    ["0177.0.0.1", "no IP address"],
    ["", "no IP address"],
  ];
  for (const [address, why] of cases) {
    await t.step(address || "nothing", () => strictEqual(forbiddenAddress(address), why));
  }
});

Deno.test("parseAddress() takes what node takes", () => {
  const group = fc.oneof(fc.nat(0x1ffff).map((value) => value.toString(16)), fc.constant(""));
  const texts = fc.oneof(
    fc.array(group, { maxLength: 10 }).map((parts) => parts.join(":")),
    fc.array(fc.nat(300), { minLength: 3, maxLength: 5 }).map((parts) => parts.join(".")),
    fc.ipV6(),
    fc.ipV4(),
  );
  fc.assert(fc.property(texts, (text) => {
    const want = { 4: 4, 6: 16 }[isIP(text)];
    strictEqual(parseAddress(text)?.length, want);
  }));
});

Deno.test("isSameAddress() knows spellings", () => {
  deepStrictEqual(
    [
      isSameAddress("::ffff:1.2.3.4", "1.2.3.4"),
      isSameAddress("2001:0DB8::1", "2001:db8:0:0::1"),
      isSameAddress("1.2.3.4", "1.2.3.5"),
      isSameAddress("none", "none"),
    ],
    [true, true, false, false],
  );
});
