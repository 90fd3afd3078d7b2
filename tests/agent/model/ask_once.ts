/**
 * Program of connect_test.ts: asks the server at the given base URL, whose hash names the wire, and
 * prints what came. It holds no right but the net.
 */
import { createModel } from "../../../agent/model/connect.ts";
import { ModelError } from "../../../agent/model/model.ts";
import { providerFor } from "../../../agent/model/provider.ts";

const [baseUrl = "", hash] = (Deno.args[0] ?? "").split("#");
const wire = hash === "responses" ? "responses" : "chat";
const nothing = () => Promise.reject(new Deno.errors.NotFound());
const model = createModel({
  name: "m1",
  provider: providerFor({ baseUrl, overrides: { wire } }),
  loadBlob: nothing,
  readText: nothing,
});
const request = {
  system: "Be brief",
  messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
  tools: [],
} as const;
try {
  for await (const event of model.ask(request, new AbortController().signal)) {
    if (event.type === "answer") console.log(event.message.text);
  }
} catch (error) {
  if (!(error instanceof ModelError)) throw error;
  console.log(`${error.kind}: ${error.message}`);
}
