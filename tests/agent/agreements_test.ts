import { deepStrictEqual, strictEqual } from "node:assert/strict";
import {
  agreedApplyHosts,
  agreedGitStore,
  agreeToApplyHost,
  keepGitStore,
} from "../../agent/agreements.ts";
import { tempDir } from "../helpers/temp_dir.ts";

Deno.test("what a person agreed to, or said no to, is kept, and one word leaves the others", async () => {
  await using dir = await tempDir();
  const state = dir.join("state");
  strictEqual(agreedGitStore(state, "/a/.git"), undefined);
  keepGitStore(state, "/a/.git", true);
  keepGitStore(state, "/日 本/.git", false);
  agreeToApplyHost(state, "host:443");
  agreeToApplyHost(state, "host:443");
  deepStrictEqual(
    ["/a/.git", "/日 本/.git", "/b/.git"].map((store) => agreedGitStore(state, store)),
    [
      true,
      false,
      undefined,
    ],
  );
  keepGitStore(state, "/a/.git", undefined);
  strictEqual(agreedGitStore(state, "/a/.git"), undefined);
  deepStrictEqual(agreedApplyHosts(state), ["host:443"]);
  strictEqual((await Deno.stat(`${state}/agreements.json`)).mode! & 0o777, 0o600);
});

Deno.test("what cannot be read agrees to nothing", async (t) => {
  const texts = ["", "[]", '{"git_stores": {"/a/.git": "yes"}, "apply_hosts": ["h"]}', "\0"];
  for (const text of texts) {
    await t.step(JSON.stringify(text), async () => {
      await using dir = await tempDir({ "agreements.json": text });
      strictEqual(agreedGitStore(dir.path, "/a/.git"), undefined);
      deepStrictEqual(agreedApplyHosts(dir.path), []);
    });
  }
  strictEqual(agreedGitStore(undefined, "/a/.git"), undefined);
});
