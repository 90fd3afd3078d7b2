import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import { browserView, PRIVATE_FOLDER } from "../../../sandbox/browser/browser_view.ts";
import { chromiumArguments } from "../../../sandbox/browser/chromium.ts";
import { managedPolicy, POLICY_PLACES } from "../../../sandbox/browser/policy.ts";
import { canConfine, confinedHouse } from "../../helpers/confined.ts";

Deno.test({
  name:
    "browserView() shows the system, the downloads and the proxy, and nothing else (needs a view)",
  ignore: !await canConfine(),
}, async () => {
  await using house = await confinedHouse({ "extra/": "", "home/.secret": "" });
  const opened = await house.open({ extraRead: [house.dir.join("extra")], profile: "plan" });
  ok(opened.ok);
  const places = {
    proxySocket: house.dir.join("p.sock"),
    downloads: house.dir.join("downloads"),
    policy: house.dir.join("policy.json"),
  };
  const view = browserView(opened.view, places);
  strictEqual(view.hostNetwork, false);
  const binds = view.mounts.flatMap((mount) => mount.kind === "bind" ? [mount] : []);
  const written = binds.filter(({ access }) => access === "write").map(({ source }) => source);
  deepStrictEqual(written, [places.downloads, places.proxySocket]);
  const inHouse = binds.map(({ source }) => source).filter((path) =>
    path.startsWith(house.dir.path)
  );
  deepStrictEqual([...new Set(inHouse)], [places.policy, places.downloads, places.proxySocket]);
  deepStrictEqual(
    binds.filter(({ source }) => source === places.policy).map(({ target }) => target),
    POLICY_PLACES,
  );
  // What comes after hides what was there, and no folder of the root can be written.
  ok(view.mounts.some((mount) => mount.kind === "memory" && mount.target === PRIVATE_FOLDER));
  deepStrictEqual(view.mounts.at(-1), { kind: "seal", target: "/" });
  deepStrictEqual(Object.keys(view.environment).sort(), ["HOME", "LANG", "PATH", "TMPDIR"]);
});

Deno.test("a browser reaches the network by the proxy alone, and opens nothing but the web", () => {
  const args = chromiumArguments({ profile: "/p", proxyPort: 7, ownSandbox: true });
  ok(args.includes("--proxy-server=http://127.0.0.1:7"));
  ok(args.includes("--proxy-bypass-list=<-loopback>"));
  ok(!args.includes("--no-sandbox"));
  const within = chromiumArguments({ profile: "/p", proxyPort: 7, ownSandbox: false });
  ok(within.includes("--no-sandbox"));
  const { URLBlocklist, URLAllowlist } = JSON.parse(managedPolicy());
  deepStrictEqual(URLBlocklist, ["*"]);
  deepStrictEqual(URLAllowlist.filter((url: string) => /file|chrome|devtools/.test(url)), []);
});
