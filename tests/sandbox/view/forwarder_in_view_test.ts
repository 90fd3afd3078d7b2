import { deepStrictEqual } from "node:assert/strict";
import { forwarderInView } from "../../../sandbox/view/forwarder_in_view.ts";

Deno.test("forwarderInView() of a compiled binary is the binary, of a module Deno with two rights", () => {
  const forwards = ["--run-as-forwarder", "3128", "/cordon/proxy.sock"];
  const executable = "/cordon/forwarder/executable";
  const bind = (source: string, target: string) =>
    ({ kind: "bind", access: "read", source, target }) as const;

  deepStrictEqual(forwarderInView({ form: "compiled", executable: "/opt/cordon" }), {
    command: [executable, ...forwards],
    mounts: [bind("/opt/cordon", executable)],
  });

  const { command, mounts } = forwarderInView({
    form: "module",
    executable: "/opt/deno",
    parts: { "cell.js": "/opt/lib/cell.js" },
    entry: "cell.js",
  });
  const rights = command.filter((word) => word.startsWith("--allow-"));
  deepStrictEqual(rights, [
    "--allow-net=127.0.0.1:3128,unix:/cordon/proxy.sock",
    "--allow-read=/cordon/proxy.sock",
    "--allow-write=/cordon/proxy.sock",
  ]);
  deepStrictEqual(command.slice(-4), ["/cordon/forwarder/program/cell.js", ...forwards]);
  deepStrictEqual(mounts, [
    bind("/opt/deno", executable),
    bind("/opt/lib/cell.js", "/cordon/forwarder/program/cell.js"),
  ]);
});
