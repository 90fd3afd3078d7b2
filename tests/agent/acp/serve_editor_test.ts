import { deepStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { serveEditor } from "../../../agent/acp/serve_editor.ts";

const byValue = (a: number, b: number) => a - b;

/** Serves an editor that says these lines and leaves; resolves to the messages that it was answered. */
async function conversation(lines: readonly string[]): Promise<Record<string, unknown>[]> {
  const bytes = lines.map((line) => new TextEncoder().encode(`${line}\n`));
  const decoder = new TextDecoder();
  let written = "";
  const served = serveEditor(
    { "no-session": true },
    { env: () => undefined, cwd: "/nowhere", log() {} },
    {
      readable: ReadableStream.from(bytes),
      writable: new WritableStream({
        write(chunk) {
          written += decoder.decode(chunk, { stream: true });
        },
      }),
    },
    new AbortController().signal,
  );
  deepStrictEqual(await served.ended, undefined);
  const messages = written.split("\n").filter((line) => line !== "");
  return messages.map((line) => JSON.parse(line));
}

const INITIALIZE = request(0, "initialize", { protocolVersion: 1 });

function request(id: unknown, method: string, params: unknown): string {
  return JSON.stringify({ jsonrpc: "2.0", id, method, params });
}

Deno.test("serveEditor() answers each request once, in whatever it stands, and nothing else", async () => {
  const method = fc.constantFrom(
    ...["initialize", "authenticate", "session/new", "session/load", "session/list"],
    ...["session/prompt", "session/cancel", "session/set_mode", "session/close", "no/such", ""],
  );
  const params = fc.oneof(
    fc.jsonValue(),
    fc.record({
      sessionId: fc.oneof(fc.string(), fc.constant("../../etc"), fc.integer()),
      cwd: fc.constantFrom("/nowhere/at/all", "relative", "", 3, null),
      mcpServers: fc.constantFrom([], null, "x"),
      prompt: fc.constantFrom([], [{ type: "text", text: "x" }], [{ type: "fly" }], 3),
    }, { requiredKeys: [] }),
  );
  const line = fc.oneof(
    fc.string(),
    fc.json(),
    fc.record({ method, params }).map((note) => JSON.stringify({ jsonrpc: "2.0", ...note })),
    fc.record({ id: fc.jsonValue(), result: fc.jsonValue() }).map((one) => JSON.stringify(one)),
    fc.record({ method, params }).map(({ method, params }) => ({ method, params })),
  );
  // The library tells the console of messages that are none.
  const { error } = console;
  using _told = { [Symbol.dispose]: () => void (console.error = error) };
  console.error = () => {};
  await fc.assert(
    fc.asyncProperty(fc.array(line, { maxLength: 12 }), async (said) => {
      // A number for each request; a line feed would make two lines of one.
      const lines = said.map((one, id) =>
        typeof one === "string"
          ? one.replaceAll("\n", " ")
          : request(id + 1, one.method, one.params)
      );
      const wanted = said.flatMap((one, id) => typeof one === "string" ? [] : [id + 1]);
      const messages = await conversation([INITIALIZE, ...lines]);
      const answered = messages.flatMap(({ id }) => typeof id === "number" ? [id] : []);
      deepStrictEqual(answered.filter((id) => wanted.includes(id)).sort(byValue), wanted);
      for (const message of messages) ok(message.jsonrpc === "2.0");
    }),
    { numRuns: 60 },
  );
});

Deno.test("serveEditor() answers nothing but `initialize` before that", async () => {
  const messages = await conversation([
    request(1, "session/list", {}),
    request(2, "initialize", { protocolVersion: 1 }),
    request(3, "session/list", {}),
  ]);
  const kinds = messages.map(({ id, result }) => [id, result !== undefined]);
  deepStrictEqual(kinds.sort(), [[1, false], [2, true], [3, true]]);
});
