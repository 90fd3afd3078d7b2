import { deepStrictEqual, ok, rejects, strictEqual } from "node:assert/strict";
import { BrowserDriver } from "../../../agent/browser/driver.ts";
import { pipedCommand } from "../../../sandbox/browser/cdp_pipe.ts";
import { LastWords } from "../../../sandbox/cell/last_words.ts";
import { startPiped } from "../../../sandbox/commands/piped_process.ts";
import { hasProgram } from "../../helpers/has_program.ts";
import { isAlive } from "../../helpers/processes.ts";
import { tempDir } from "../../helpers/temp_dir.ts";

/** A browser as a person starts it, with an address at which it can be driven. */
async function personsBrowser(profile: string) {
  const flags = ["--headless=new", "--no-sandbox", "--disable-gpu", "--remote-debugging-port=0"];
  const process = startPiped(
    pipedCommand(["chromium", ...flags, `--user-data-dir=${profile}`, "about:blank"]),
    { environment: { PATH: "/usr/local/bin:/usr/bin:/bin", HOME: profile, TMPDIR: profile } },
  );
  const words = Promise.withResolvers<string>();
  const [told, kept] = process.stderr.tee();
  const ended = (async () => {
    let text = "";
    // What comes out of a pipe lies in no shared memory, which a decoder must know.
    const stderr = told as ReadableStream<Uint8Array<ArrayBuffer>>;
    for await (const piece of stderr.pipeThrough(new TextDecoderStream())) {
      text += piece;
      const address = /listening on ws:\/\/(127\.0\.0\.1:\d+)/.exec(text)?.[1];
      if (address !== undefined) words.resolve(`http://${address}`);
    }
    words.reject(new Error(text));
  })();
  const last = new LastWords({ ...process, stderr: kept });
  return {
    pid: process.pid,
    address: await words.promise,
    async [Symbol.asyncDispose]() {
      process.kill();
      await process.status;
      await Promise.all([ended, last.ended, process.stdout.cancel()]);
      words.promise.catch(() => {});
    },
  };
}

function driverOf(address: string): BrowserDriver {
  return new BrowserDriver({
    chosen: { kind: "attached", address },
    confined: false,
    ground: () => Promise.reject(new Error("no browser of ours is to be started")),
  });
}

Deno.test({
  name: "a person's browser is used in a tab of its own, and stays",
  ignore: !await hasProgram("chromium"),
}, async () => {
  await using dir = await tempDir({ "p/": "" });
  await using own = await personsBrowser(dir.join("p"));
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    () => new Response("<title>Here</title>", { headers: { "content-type": "text/html" } }),
  );
  const options = { timeoutMs: 30_000, signal: new AbortController().signal };
  await using driver = driverOf(own.address);
  const url = `http://127.0.0.1:${server.addr.port}/`;
  const step = await driver.act({ kind: "open", url }, options);
  deepStrictEqual([step.refusal, step.page?.title, step.tabs.length], [undefined, "Here", 2]);
  ok(step.tabs.some(({ url, active }) => url === "about:blank" && !active));
  const load = await driver.act({ kind: "load_state", name: "x" }, options);
  strictEqual(load.refusal?.reason, "unsupported");
  await driver.act({ kind: "close" }, options);
  strictEqual(await isAlive(own.pid), true);
  await server.shutdown();
});

Deno.test("a browser that is not there is an error that says what to do", async () => {
  await using driver = driverOf("http://127.0.0.1:1");
  const options = { timeoutMs: 5_000, signal: new AbortController().signal };
  await rejects(driver.act({ kind: "tabs" }, options), /--remote-debugging-port/);
});
