import { deepStrictEqual, throws } from "node:assert/strict";
import { createModel } from "../../../agent/model/connect.ts";
import { PROVIDERS } from "../../../agent/model/provider.ts";
import { modelServer } from "../../helpers/model_server.ts";
import { options } from "./asking.ts";

Deno.test("createModel()", async (t) => {
  await t.step("refuses a provider that needs a key without one, naming the variable", () => {
    throws(
      () => createModel({ ...options({ url: "http://127.0.0.1" }), provider: PROVIDERS.openai }),
      {
        kind: "credentials",
        message: "Cannot use openai: it wants a key, set OPENAI_API_KEY",
      },
    );
  });
  await t.step("takes one with a key, and asks nothing yet", () => {
    const provider = PROVIDERS.openai;
    const model = createModel({
      ...options({ url: "http://127.0.0.1" }),
      provider,
      apiKey: "sk-1",
    });
    deepStrictEqual(model.name, "m1");
  });
  await t.step("needs no key to play a script", () => {
    const name = "scripted:any.json";
    const provider = PROVIDERS.openai;
    deepStrictEqual(
      createModel({ ...options({ url: "http://127.0.0.1" }), provider, name }).name,
      name,
    );
  });
});

/** Asks the server at `url` from a process of its own that holds `permissions` only. */
async function askWith(permissions: string[], url: string) {
  const program = new URL("./ask_once.ts", import.meta.url).href;
  const { HOME = "", DENO_DIR } = Deno.env.toObject();
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--cached-only", "--no-check", ...permissions, program, url],
    clearEnv: true,
    env: { HOME, DENO_NO_UPDATE_CHECK: "1", ...(DENO_DIR ? { DENO_DIR } : {}) },
    detached: true,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const { code, stdout, stderr } = await child.output();
  return { code, out: new TextDecoder().decode(stdout), err: new TextDecoder().decode(stderr) };
}

Deno.test("a model needs the right to reach its host, and no other", async (t) => {
  for (const wire of ["chat", "responses"]) {
    await t.step(`${wire}: with it`, async () => {
      await using server = await modelServer([{ text: "hello" }]);
      const result = await askWith([`--allow-net=${server.host}`], `${server.url}#${wire}`);
      deepStrictEqual(result, { code: 0, out: "hello\n", err: "" });
    });
  }
  await t.step("without it", async () => {
    await using server = await modelServer([]);
    const { code, out } = await askWith(["--allow-net=127.0.0.1:1"], `${server.url}#chat`);
    deepStrictEqual(
      [code, out.startsWith(`configuration: Cannot use "${server.url}"`)],
      [0, true],
      out,
    );
  });
});
