import { deepStrictEqual, throws } from "node:assert/strict";
import { sessionOptions } from "../../../agent/acp/own_options.ts";

Deno.test("sessionOptions() takes names of files from where the process was started", () => {
  deepStrictEqual(
    sessionOptions({
      "allow-read": ["src", "/else"],
      "allow-write": "all",
      "deny-read": ["../secrets"],
      "allow-run": ["bash"],
      state: "state",
      log: "acp.jsonl",
      model: "scripted:talk.json",
      profile: "plan",
    }, "/start"),
    {
      "allow-read": ["/start/src", "/else"],
      "allow-write": "all",
      "deny-read": ["/secrets"],
      "allow-run": ["bash"],
      state: "/start/state",
      log: "/start/acp.jsonl",
      model: "scripted:/start/talk.json",
      profile: "plan",
    },
  );
  deepStrictEqual(sessionOptions({ model: "m1", log: "-" }, "/start"), { model: "m1", log: "-" });
  throws(() => sessionOptions({ resume: "" }, "/start"), /Cannot use --resume with cordon acp/);
});
