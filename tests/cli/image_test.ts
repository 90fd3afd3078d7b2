import { deepStrictEqual, match, strictEqual } from "node:assert/strict";
import { calling, eventsOf, newWorld, resultText } from "../helpers/cordon.ts";
import { pixelsOf, pngOf, RED } from "../helpers/images.ts";
import { modelServer } from "../helpers/model_server.ts";
import { PIXEL } from "../helpers/pixel.ts";

const WIDE = pngOf(pixelsOf(3136, 400, () => RED));

Deno.test("the model is sent the picture that view_image made", async (t) => {
  const profiles = [[], ["--profile=off"], ["--profile=container"]];
  for (const args of profiles) {
    await t.step(args.join(" ") || "no flags", async () => {
      await using world = await newWorld({ "a.png": PIXEL });
      await using server = await modelServer([
        { toolCalls: [{ name: "view_image", arguments: '{"path":"a.png"}' }] },
        { text: "a dot" },
      ]);
      const run = await world.run([
        ...["-p", "--tools=+view_image", "-m=m", `--base-url=${server.url}`, ...args, "look"],
      ]);
      strictEqual(run.code, 0, run.stderr);
      const sent = JSON.stringify(server.requests[1]?.body.messages);
      strictEqual(sent.includes(`data:image/png;base64,${PIXEL.toBase64()}`), true);
      strictEqual(sent.includes("[PNG image of 1 x 1 pixels, 70 bytes]"), true);
    });
  }
});

Deno.test("a model without images is told so, and read_file is no error", async () => {
  await using world = await newWorld({ "a.png": PIXEL });
  await using server = await modelServer([
    { toolCalls: [{ name: "read_file", arguments: '{"path":"a.png"}' }] },
    { text: "a dot" },
  ]);
  const settings = {
    provider: "blind",
    providers: { blind: { base_url: server.url, images: false } },
  };
  await Deno.mkdir(world.join("home/.config/cordon"), { recursive: true });
  const config = world.join("home/.config/cordon/config.jsonc");
  await Deno.writeTextFile(config, JSON.stringify(settings));
  const run = await world.run(["-p", "-m=m", "look"]);
  strictEqual(run.code, 0, run.stderr);
  const sent = server.requests[1]?.body.messages.at(-1).content;
  match(sent, /\[image image-[\w-]+\.png not shown: this model takes no images\]/);
});

Deno.test("without the right to start a reader images are told of, and not shown", async (t) => {
  await using world = await newWorld({ "a.png": WIDE });
  const rights = ["--allow-read", "--allow-write", "--allow-env", "--profile=off"];
  await t.step("read_file works on", async () => {
    const run = await world.play(
      [calling("read_file", { path: "a.png" }), { text: "ok" }],
      rights,
    );
    match(resultText(run), /^\[PNG image of 3136 x 400 pixels, .*: not shown as text\]$/);
    deepStrictEqual(eventsOf(run, "tool_result")[0]?.is_error, false);
  });
  await t.step("view_image is not offered, and says why", async () => {
    const { stdout } = await world.run(["tools", "--tools=+view_image", ...rights]);
    match(stdout, /^view_image +not offered: --allow-run=\S+ /m);
  });
});
