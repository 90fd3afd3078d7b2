import { deepStrictEqual, rejects } from "node:assert/strict";
import { pairingViolations } from "../../helpers/call_pairing.ts";
import { modelServer } from "../../helpers/model_server.ts";
import { ask, options } from "./asking.ts";

Deno.test("pairingViolations()", async (t) => {
  const calls = (...ids: string[]) => ({
    role: "assistant",
    tool_calls: ids.map((id) => ({ id })),
  });
  const result = (id: string) => ({ role: "tool", tool_call_id: id });
  const user = { role: "user" };
  const call = (id: string) => ({ type: "function_call", call_id: id });
  const output = (id: string) => ({ type: "function_call_output", call_id: id });
  const said = { type: "message" };
  const cases: [name: string, body: Record<string, unknown>, want: string[]][] = [
    [
      "chat: all in order",
      { messages: [user, calls("a", "b"), result("b"), result("a"), user] },
      [],
    ],
    ["chat: a call without a result", { messages: [calls("a", "b"), result("a"), user] }, [
      "call b has no result",
    ]],
    ["chat: at the end", { messages: [calls("a")] }, ["call a has no result"]],
    ["chat: a result that comes late", { messages: [calls("a"), user, result("a")] }, [
      "call a has no result",
      "result a has no open call",
    ]],
    ["chat: two results", { messages: [calls("a"), result("a"), result("a")] }, [
      "result a has no open call",
    ]],
    ["chat: an id used twice", { messages: [calls("a"), result("a"), calls("a"), result("a")] }, [
      "call id a is used twice",
    ]],
    ["responses: all in order", {
      input: [said, call("a"), call("b"), output("a"), output("b"), said],
    }, []],
    ["responses: a call without a result", { input: [call("a"), call("b"), output("b")] }, [
      "call a has no result",
    ]],
    ["responses: a result without a call", { input: [said, output("a")] }, [
      "result a has no open call",
    ]],
  ];
  for (const [name, body, want] of cases) {
    await t.step(name, () => deepStrictEqual(pairingViolations(body), want));
  }
});

Deno.test("modelServer()", async (t) => {
  const post = (url: string, body: unknown) =>
    fetch(`${url}/chat/completions`, { method: "POST", body: JSON.stringify(body) });
  await t.step("throws at its end where a call had no result", async () => {
    await rejects(async () => {
      await using server = await modelServer([{ text: "a" }]);
      const messages = [{ role: "assistant", tool_calls: [{ id: "a" }] }];
      await (await post(server.url, { messages })).text();
    }, { message: "Fake model: request 1: call a has no result" });
  });
  await t.step("throws at its end where more was asked than it has", async () => {
    await rejects(async () => {
      await using server = await modelServer([]);
      await ask(options(server));
    }, { message: "Fake model: request 1: the script has 0 replies" });
  });
  await t.step("throws at its end where a request was no JSON", async () => {
    await rejects(async () => {
      await using server = await modelServer([{ text: "a" }]);
      await (await fetch(`${server.url}/responses`, { method: "POST", body: "{" })).text();
    }, /^Error: Fake model: the fake server failed: SyntaxError/);
  });
  await t.step("makes a reply from the request, and tells when it came", async () => {
    await using server = await modelServer([({ body }) => ({ text: `you said ${body.model}` })]);
    const [seen, { answer }] = await Promise.all([server.request(1), ask(options(server))]);
    deepStrictEqual([seen.body.model, answer?.text], ["m1", "you said m1"]);
  });
});
