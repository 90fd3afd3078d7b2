import { deepStrictEqual, doesNotMatch, match, ok, rejects, strictEqual } from "node:assert/strict";
import type { BrowserEvent, BrowserStep } from "../../../tools/browser/browser.ts";
import { type BrowserWorld, browserWorld, refOf } from "../../helpers/browser_world.ts";
import { canConfine } from "../../helpers/confined.ts";
import { hasProgram } from "../../helpers/has_program.ts";
import { gone } from "../../helpers/processes.ts";
import { page } from "../../helpers/web_world.ts";

const ignore = !await hasProgram("chromium") || !await canConfine();

/** What the server of these tests shows. */
const PAGES: Readonly<Record<string, string>> = {
  "/":
    `<title>Start</title><h1>Start</h1><a href="/form">Form</a><a href="/far" target="_blank">Far</a>`,
  "/far": "<title>Far</title><p>Far away</p>",
  "/form": `<title>Form</title><form action="/sent">
    <label>Name <input name="name"></label>
    <label>Colour <select name="colour"><option value="r">Red</option><option value="b">Blue</option></select></label>
    <label>File <input type="file" name="file" onchange="this.files[0].text().then((t) => said.textContent = t)"></label>
    <p id="said"></p><button>Send</button></form>`,
  "/frames": `<title>Frames</title><iframe src="/inner"></iframe>`,
  "/adverts": `<title>Adverts</title><iframe src="/inner"></iframe>
    <iframe id="advert" src="/never" style="color:red"></iframe><iframe src="file:///etc/passwd"></iframe>
    <button onclick="document.title = advert.getAttribute('style')">Style</button>`,
  "/inner": `<button onclick="this.textContent = 'Pressed'">Press me</button>`,
  "/asks": `<title>Asks</title>
    <button onclick="document.title = confirm('Sure?') ? 'yes' : 'no'">Confirm</button>
    <button onclick="document.title = String(prompt('Who?'))">Prompt</button>
    <button onclick="alert('Hear')">Alert</button>`,
  "/changes": `<title>Changes</title><button onclick="this.remove()">Vanish</button>`,
  "/late":
    `<title>Late</title><button onclick="setTimeout(() => said.textContent = 'Here', 700)">Go</button><p id="said">Nothing</p>`,
  "/loads":
    `<title>Loads</title><button onclick="fetch('/slow').then((r) => r.text()).then((t) => said.textContent = t)">Go</button><p id="said">Nothing</p>`,
  "/talks":
    `<title>Talks</title><script>console.log("hello", 1); setTimeout(() => { throw new Error("oops") })</script>`,
  "/spins": `<title>Spins</title><button onclick="for (;;);">Spin</button>`,
  "/keys":
    `<title>Keys</title><input aria-label="In" onkeydown="document.title = event.key + event.ctrlKey">`,
  "/covered":
    `<title>Covered</title><button>Under</button><div style="position:fixed;inset:0">Over</div>`,
  "/tall": `<title>Tall</title><div style="height:20000px">Top</div><p>Bottom</p>`,
  "/outside": `<title>Outside</title><img src="http://169.254.169.254/latest/meta-data">
    <a href="file:///etc/passwd">File</a><a href="chrome://version">Inner</a><p id="said"></p>
    <script>
      const tried = async (url) => { try { const r = await fetch(url); return r.status } catch { return "no" } };
      (async () => { said.textContent = "tried: " + [await tried("file:///etc/passwd"),
        await tried("http://169.254.169.254/"), await tried("http://127.0.0.1:" + location.port + "/far"),
        await tried("http://10.0.0.1/")].join(" ") })();
    </script>`,
  "/login":
    `<title>Login</title><script>document.cookie = "who=me; max-age=999"; localStorage.x = "kept"</script>`,
  "/who":
    `<title>Who</title><p id="said"></p><script>said.textContent = document.cookie + " " + localStorage.x</script>`,
};

function serve(url: URL): Response | string | Promise<Response> {
  const { pathname, searchParams } = url;
  switch (pathname) {
    case "/sent":
      return `<title>Sent</title><p>${searchParams.get("name")} ${searchParams.get("colour")}</p>`;
    case "/slow":
      return new Promise((resolve) => setTimeout(() => resolve(new Response("Came")), 500));
    case "/never":
      return new Promise(() => {});
    case "/file":
      return download("x".repeat(Number(searchParams.get("bytes"))), "../evil name.txt");
    default: {
      const html = PAGES[pathname];
      return html === undefined ? new Response("none", { status: 404 }) : page(html);
    }
  }
}

function download(body: string, name: string): Response {
  return new Response(body, {
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="${name}"`,
    },
  });
}

function kinds({ events }: BrowserStep): BrowserEvent["kind"][] {
  return events.map(({ kind }) => kind);
}

function snapshotOf({ page }: BrowserStep): string {
  return page?.snapshot ?? "";
}

Deno.test(
  { name: "a browser in a view: pages, forms, frames, tabs, dialogs", ignore },
  async (t) => {
    await using world = await browserWorld(serve);
    const { act, open } = world;
    const click = (step: BrowserStep, text: string, options = {}) =>
      act({ kind: "click", ref: refOf(step, text) }, options);

    await t.step("nothing runs before the first action", async () => {
      strictEqual(world.driver.running, false);
      deepStrictEqual(await world.processes("--type="), []);
    });
    await t.step("what needs a page says that there is none", async () => {
      const { refusal } = await act({ kind: "snapshot" });
      strictEqual(refusal?.reason, "not_found");
    });
    await t.step("a page is opened and shown", async () => {
      const step = await open("/");
      deepStrictEqual([step.refusal, step.page?.title], [undefined, "Start"]);
      deepStrictEqual(step.tabs, [
        { tab: 1, url: `${world.origin}/`, title: "Start", active: true },
      ]);
      match(snapshotOf(step), /heading "Start"/);
      match(snapshotOf(step), /link "Form" \[ref=e\d+\]/);
    });
    await t.step("a link is followed, and back and forward go along the history", async () => {
      const there = await click(await open("/"), "Form");
      strictEqual(there.page?.url, `${world.origin}/form`);
      strictEqual((await act({ kind: "back" })).page?.url, `${world.origin}/`);
      strictEqual((await act({ kind: "forward" })).page?.url, `${world.origin}/form`);
      strictEqual((await act({ kind: "forward" })).refusal?.reason, "not_found");
    });
    await t.step("a form is filled and sent", async () => {
      const form = await open("/form");
      const name = refOf(form, 'textbox "Name"');
      await act({ kind: "select", ref: refOf(form, 'combobox "Colour"'), values: ["Blue"] });
      const sent = await act({ kind: "fill", ref: name, text: "Ada & co", submit: true });
      strictEqual(sent.page?.title, "Sent");
      match(snapshotOf(sent), /Ada & co b/);
    });
    await t.step(
      "an option that is not there is told, and nothing waits for it for ever",
      async () => {
        const ref = refOf(await open("/form"), 'combobox "Colour"');
        const step = await act({ kind: "select", ref, values: ["Green"] }, { timeoutMs: 700 });
        strictEqual(step.refusal?.reason, "timeout");
      },
    );
    await t.step("a file is given to a page", async () => {
      const ref = refOf(await open("/form"), 'button "File"');
      const bytes = new TextEncoder().encode("from the workspace");
      const file = { name: "a.txt", bytes, mediaType: "text/plain" };
      await act({ kind: "upload", ref, files: [file] });
      match(snapshotOf(await act({ kind: "snapshot" })), /from the workspace/);
    });
    await t.step("references lead into frames", async () => {
      const frames = await open("/frames");
      const ref = refOf(frames, "Press me");
      match(ref, /^f\d+e\d+$/);
      match(snapshotOf(await act({ kind: "click", ref })), /Pressed/);
    });
    await t.step(
      "frames that never come hide nothing of their page, and are as they were",
      async () => {
        const adverts = await open("/adverts");
        refOf(adverts, "Press me");
        strictEqual(
          snapshotOf(adverts).match(/^\(a frame does not answer: no address yet\)$/gm)?.length,
          2,
        );
        const after = await act({ kind: "click", ref: refOf(adverts, "Style") });
        strictEqual(after.page?.title, "color:red");
      },
    );
    await t.step("questions are dismissed unless the action says otherwise", async () => {
      const asks = await open("/asks");
      const cases = [
        ["Confirm", {}, "no", false],
        ["Confirm", { dialog: { accept: true } }, "yes", true],
        ["Prompt", { dialog: { accept: true, text: "Ada" } }, "Ada", true],
        ["Prompt", {}, "null", false],
        ["Alert", {}, "null", true],
      ] as const;
      for (const [button, options, title, accepted] of cases) {
        const step = await click(asks, `"${button}"`, options);
        strictEqual(step.page?.title, title, button);
        const [event] = step.events;
        ok(event?.kind === "dialog");
        strictEqual(event.accepted, accepted, button);
      }
    });
    await t.step("a stale reference is told with the page as it is now", async () => {
      const changes = await open("/changes");
      const ref = refOf(changes, "Vanish");
      await act({ kind: "click", ref });
      for (const stale of [ref, "e999", "f9e1", "7", "e1 >> body"]) {
        const step = await act({ kind: "click", ref: stale });
        strictEqual(step.refusal?.reason, "stale_ref", stale);
        strictEqual(step.page?.title, "Changes");
      }
    });
    await t.step("a new tab comes in front, and can be left and closed", async () => {
      await act({ kind: "close_tab" });
      const far = await click(await open("/"), "Far");
      deepStrictEqual([far.page?.title, far.tabs.length], ["Far", 2]);
      const [event] = far.events;
      ok(event?.kind === "new_tab" && event.tab === far.page?.tab);
      const first = far.tabs[0]?.tab ?? 0;
      strictEqual((await act({ kind: "tab", tab: first })).page?.title, "Start");
      const closed = await act({ kind: "close_tab", tab: far.page?.tab ?? 0 });
      deepStrictEqual([closed.tabs.length, kinds(closed)], [1, ["tab_closed"]]);
      const unknown = await act({ kind: "tab", tab: 99 });
      match(unknown.refusal?.message ?? "", /Cannot find tab 99: there are \d+$/);
      const opened = await act({ kind: "new_tab", url: `${world.origin}/far` });
      deepStrictEqual([opened.tabs.length, kinds(opened), opened.page?.title], [2, [], "Far"]);
    });
    await t.step("a look at another page is in a tab of its own, and moves nothing", async () => {
      const before = await open("/form");
      const late = `${world.origin}/who`;
      const step = await act({ kind: "peek", url: late });
      deepStrictEqual([step.refusal, step.source?.url, kinds(step)], [undefined, late, []]);
      match(step.source?.html ?? "", /<p id="said">[^<]+<\/p>/);
      deepStrictEqual([step.page?.tab, step.tabs], [before.page?.tab, before.tabs]);
      const after = await act({ kind: "snapshot" });
      deepStrictEqual([after.page?.title, after.tabs, kinds(after)], ["Form", before.tabs, []]);
      strictEqual((await click(after, 'textbox "Name"')).refusal, undefined);
      // The proxy itself answers http, with a page that is none.
      for (const url of ["https://example.com/", "http://example.com/"]) {
        const refused = await act({ kind: "peek", url });
        deepStrictEqual([refused.refusal?.reason, refused.source], ["unreachable", undefined]);
        match(refused.refusal?.message ?? "", /^Cannot reach "example\.com:(?:443|80)"/);
      }
      strictEqual(
        (await act({ kind: "peek", url: "file:///etc/passwd" })).refusal?.reason,
        "bad_url",
      );
      const never = await act({ kind: "peek", url: `${world.origin}/never` }, { timeoutMs: 500 });
      deepStrictEqual([never.refusal?.reason, never.tabs], ["timeout", before.tabs]);
    });
    await t.step("what an action sets off is waited for", async () => {
      match(snapshotOf(await click(await open("/loads"), '"Go"')), /Came/);
      const late = await click(await open("/late"), '"Go"');
      doesNotMatch(snapshotOf(late), /Here/);
      match(snapshotOf(await act({ kind: "wait", text: "Here" })), /Here/);
      const gone = await act({ kind: "wait", text: "Nothing", gone: true });
      strictEqual(gone.refusal, undefined);
    });
    await t.step(
      "a page that does not come, a text that does not, an element that is covered",
      async () => {
        strictEqual((await open("/never", { timeoutMs: 800 })).refusal?.reason, "timeout");
        await open("/covered");
        const waited = await act({ kind: "wait", text: "Nowhere" }, { timeoutMs: 300 });
        strictEqual(waited.refusal?.reason, "timeout");
        const covered = await act({
          kind: "click",
          ref: refOf(await act({ kind: "snapshot" }), "Under"),
        }, { timeoutMs: 1_000 });
        strictEqual(covered.refusal?.reason, "timeout");
        match(covered.refusal?.detail ?? "", /intercepts pointer events/);
      },
    );
    await t.step("keys, with and without an element", async () => {
      const keys = await open("/keys");
      const ref = refOf(keys, 'textbox "In"');
      strictEqual((await act({ kind: "press", key: "Enter", ref })).page?.title, "Enterfalse");
      strictEqual((await act({ kind: "press", key: "Control+b" })).page?.title, "btrue");
      const unknown = await act({ kind: "press", key: "Nokey" });
      strictEqual(unknown.refusal?.reason, "not_found");
    });
    await t.step("pictures and PDF", async () => {
      await open("/tall");
      const sizes: number[] = [];
      for (const full of [false, true]) {
        const { file } = await act({ kind: "screenshot", full });
        ok(file);
        deepStrictEqual([...file.bytes.subarray(1, 4)], [...new TextEncoder().encode("PNG")]);
        sizes.push(new DataView(file.bytes.buffer, file.bytes.byteOffset).getUint32(20));
      }
      deepStrictEqual(sizes, [800, 8000]);
      const { file } = await act({ kind: "pdf" });
      match(new TextDecoder("latin1").decode(file?.bytes), /^%PDF/);
    });
    await t.step("console, requests, search, source", async () => {
      await open("/talks");
      const console = await act({ kind: "console" });
      match(console.text ?? "", /^log: hello 1\nuncaught: oops$/);
      match((await act({ kind: "network" })).text ?? "", /GET 200 document .*\/talks/);
      await open("/asks");
      match((await act({ kind: "search", text: "confirm" })).text ?? "", /"Confirm" \[ref=/);
      match((await act({ kind: "search", text: "nowhere" })).text ?? "", /no line/);
      match((await act({ kind: "read" })).html ?? "", /<button onclick/);
    });
    await t.step("what was logged in to is kept under a name, and taken up again", async () => {
      strictEqual((await act({ kind: "save_state", name: "before" })).refusal, undefined);
      await open("/login");
      strictEqual((await act({ kind: "save_state", name: "mine" })).refusal, undefined);
      const cases = [["before", /"?undefined"?$/], ["mine", /who=me kept/]] as const;
      for (const [name, want] of cases) {
        strictEqual((await act({ kind: "load_state", name })).refusal, undefined);
        match(snapshotOf(await open("/who")), want);
      }
      const unknown = await act({ kind: "load_state", name: "other" });
      match(unknown.refusal?.message ?? "", /there are before, mine$/);
    });
    await t.step("a stopped turn ends the action", async () => {
      const stop = new AbortController();
      const opening = open("/never", { signal: stop.signal });
      stop.abort(new Error("stopped"));
      await rejects(opening, /stopped/);
      strictEqual((await open("/")).page?.title, "Start");
    });
  },
);

Deno.test(
  { name: "a browser in a view reaches nothing but what was granted", ignore },
  async (t) => {
    await using world = await browserWorld(serve);
    await t.step("addresses that are not opened", async () => {
      for (
        const url of [
          ...["file:///etc/passwd", "chrome://version", "devtools://devtools", "javascript:1"],
          ...["view-source:http://localhost/", "data:text/html,x", "http://", "nothing"],
        ]
      ) {
        strictEqual((await world.act({ kind: "open", url })).refusal?.reason, "bad_url", url);
      }
    });
    await t.step("hosts that are not reached", async () => {
      for (
        const url of [
          "http://169.254.169.254/latest",
          world.origin.replace("localhost", "127.0.0.1"),
          world.origin.replace("localhost", "[::1]"),
          "http://2130706433/",
          "https://example.com/",
          "http://localhost:18999/",
        ]
      ) {
        const step = await world.act({ kind: "open", url });
        strictEqual(step.refusal?.reason, "unreachable", url);
        match(step.refusal.message, /^Cannot (?:reach|forward) /, url);
      }
    });
    await t.step("a page that tries", async () => {
      const step = await world.open("/outside");
      match(snapshotOf(step), /tried: no 403 403 403|tried: no no no no/);
      ok(kinds(step).includes("refused"));
      for (const link of ["File", "Inner"]) {
        const clicked = await world.act({ kind: "click", ref: refOf(step, `"${link}"`) });
        strictEqual(clicked.page?.url, `${world.origin}/outside`, link);
      }
      ok(!world.requests.includes("GET /far"));
    });
    await t.step("no file of a person, and no process outside, is in sight", async () => {
      const [browser = 0] = await renderers(world);
      const seen = (path: string) =>
        Deno.stat(`/proc/${browser}/root${path}`).then(() => true, () => false);
      strictEqual(await seen("/usr/bin"), true);
      for (
        const path of [
          `${world.folder}/home/.secret`,
          `${world.folder}/ws`,
          "/etc/passwd",
          "/root",
          "/home",
        ]
      ) {
        strictEqual(await seen(path), false, path);
      }
    });
    await t.step("nobody is asked for what browsers want by themselves", () => {
      const own = /google|gvt1|microsoft/;
      const hosts = world.egress.flatMap((event) => event.type === "opened" ? [event.host] : []);
      deepStrictEqual(hosts.filter((host) => own.test(host)), []);
    });
  },
);

Deno.test({ name: "downloads come out of the browser, within bounds", ignore }, async (t) => {
  await using world = await browserWorld(serve);
  await t.step("a file", async () => {
    await world.open("/");
    const step = await world.open("/file?bytes=1000");
    strictEqual(step.refusal, undefined);
    const [event] = step.events;
    ok(event?.kind === "download", JSON.stringify(step.events));
    strictEqual(event.file.bytes.length, 1000);
    match(event.file.name, /evil name\.txt$/);
  });
  await t.step("one that is too large", async () => {
    const step = await world.open(`/file?bytes=${65 * 2 ** 20}`);
    const [event] = step.events;
    ok(event?.kind === "download_failed", JSON.stringify(kinds(step)));
    match(event.why, /larger than/);
  });
  await t.step("nothing of it stays", async () => {
    const folder = `${world.folder}/state/views/test/browser`;
    deepStrictEqual([...Deno.readDirSync(`${folder}/downloads`)].map(({ name }) => name), []);
    await world.act({ kind: "close" });
    await rejects(Deno.stat(folder), Deno.errors.NotFound);
  });
});

Deno.test({ name: "pages and browsers that end", ignore }, async (t) => {
  await using world = await browserWorld(serve);
  await t.step("a page that crashes is told, and another one is opened", async () => {
    await world.open("/");
    const waiting = world.act({ kind: "wait", text: "never there" });
    for (const pid of await renderers(world)) Deno.kill(pid, "SIGKILL");
    const step = await waiting;
    strictEqual(step.refusal?.reason, "crashed");
    ok(kinds(step).includes("crashed"));
    strictEqual((await world.open("/far")).page?.title, "Far");
  });
  await t.step("a page that hangs is told, and can be left", async () => {
    const spins = await world.open("/spins");
    const ref = refOf(spins, "Spin");
    const step = await world.act({ kind: "click", ref }, { timeoutMs: 1_000 });
    match(snapshotOf(step), /does not answer/);
    await world.act({ kind: "close_tab" });
    strictEqual((await world.open("/")).page?.title, "Start");
  });
  await t.step("a lost browser is started once more, and is where it was", async () => {
    await world.open("/far");
    await killBrowser(world);
    const step = await world.act({ kind: "click", ref: "e2" });
    deepStrictEqual([step.refusal?.reason, step.page?.title], ["lost", "Far"]);
    strictEqual(step.events[0]?.kind, "restarted");
  });
  await t.step("what needs nothing of it is just done again", async () => {
    await killBrowser(world);
    const step = await world.open("/");
    deepStrictEqual([step.refusal, step.page?.title, step.events[0]?.kind], [
      undefined,
      "Start",
      "restarted",
    ]);
  });
  await t.step("closing leaves no process", async () => {
    const pids = await world.processes("--type=");
    ok(pids.length > 0);
    await world.act({ kind: "close" });
    await gone(pids);
    strictEqual(world.driver.running, false);
  });
});

async function renderers(world: BrowserWorld): Promise<number[]> {
  return await world.processes("--type=renderer");
}

/** The browser's own process, on which all others hang. */
async function killBrowser(world: BrowserWorld): Promise<void> {
  const pids = await world.processes("--remote-debugging-pipe --no-startup-window");
  const all = await world.processes("--type=");
  for (const pid of pids) Deno.kill(pid, "SIGKILL");
  await gone([...pids, ...all]);
}

Deno.test(
  { name: "a browser that does not come up is an error that says why", ignore },
  async () => {
    await using world = await browserWorld(serve, { chosen: { kind: "own", program: "false" } });
    await rejects(
      world.open("/"),
      /^Error: Cannot start the browser "false": it ended with exit code 1/,
    );
  },
);
