/** Fetches its first argument under the flags that it was started with; run by net_flags_test.ts. */
import { createDialer } from "../../../sandbox/egress/dial.ts";
import { createNet } from "../../../sandbox/egress/net.ts";
import { egressGate } from "../../../sandbox/egress/permission.ts";

const [url = "", loopback] = Deno.args;
const dialer = createDialer(loopback === "trusted" ? { forbidden: () => undefined } : {});
const gate = egressGate({ rules: { allow: [new URL(url).host] } });
const answer = await createNet({ gate, dialer, log() {} }).fetch(url);
console.log(answer.ok ? new TextDecoder().decode(answer.body) : answer.reason);
