import { deepStrictEqual } from "node:assert/strict";
import { offersOf } from "../../../agent/acp/offers.ts";

Deno.test("offersOf(): what is not mentioned, or mentioned as null or false, is not offered", () => {
  const none = {
    ...{ readTextFile: false, writeTextFile: false, forms: false },
    ...{ notices: false, compaction: false, terminalOutput: false },
  };
  deepStrictEqual(offersOf(), none);
  deepStrictEqual(
    offersOf({
      fs: { readTextFile: false },
      elicitation: { url: {} },
      session: { notices: null, compaction: null },
      // A terminal of its own draws nothing that is sent to it.
      terminal: true,
      _meta: { terminal_output: "yes" },
    }),
    none,
  );
  deepStrictEqual(
    offersOf({
      fs: { readTextFile: true, writeTextFile: true },
      elicitation: { form: {} },
      session: { notices: {}, compaction: {} },
      _meta: { terminal_output: true },
    }),
    Object.fromEntries(Object.keys(none).map((name) => [name, true])),
  );
});
