import * as z from "zod";
import type { Commands } from "../sandbox/commands/commands.ts";
import { functionsSentence, pythonFunction } from "./python/functions.ts";
import { type CellEnd, Interpreter } from "./python/interpreter.ts";
import type { DrawnImage } from "./python/messages.ts";
import { renderCell } from "./python/text.ts";
import { type PythonImage, type PythonValue, pythonValue } from "./python/value.ts";
import { schema } from "./schema.ts";
import { defineTool, type Store } from "./tool.ts";
import { truncateOutput } from "./truncate.ts";

/** The time limit of a cell that names none, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 120_000;

/** The longest time limit, in milliseconds; a call past it is shortened and told so. */
const MAX_TIMEOUT_MS = 600_000;

const parameters = z.strictObject({
  code: z.string(),
  timeout_ms: z.number().positive().optional().describe(
    `Default ${DEFAULT_TIMEOUT_MS}, at most ${MAX_TIMEOUT_MS}.`,
  ),
});

const DESCRIPTION = "Run Python in one interpreter that keeps its variables between calls. The " +
  "last expression is shown, also figures and images. Standard input is empty.";

/** The tool `python`: cells of one interpreter, which is started by the first. */
export function pythonTool() {
  const interpreters = new WeakMap<Commands, Interpreter>();
  let cells = 0;
  return defineTool({
    name: "python",
    description: DESCRIPTION,
    describe: (others) => functionsSentence(others.filter(({ callable }) => callable)),
    parameters: schema(parameters),
    needs: { run: ["bash", "python3"], uses: ["store", "calls"] },
    plan: ({ code }) => ({ touches: [{ kind: "command", command: asCommand(code) }] }),
    async run({ code, timeout_ms = DEFAULT_TIMEOUT_MS }, context) {
      const { commands, calls, store, signal, progress } = context;
      const started = performance.now();
      const timeoutMs = Math.min(timeout_ms, MAX_TIMEOUT_MS);
      const kept = interpreters.get(commands);
      const interpreter = kept?.alive
        ? kept
        : await Interpreter.start(commands, calls.tools.map(pythonFunction));
      interpreters.set(commands, interpreter);
      const output = commands.collect({
        spill: `python-${++cells}.txt`,
        onOutput: (_, part) => progress(part),
      });
      const end = await interpreter.run({
        ...{ code, timeoutMs, signal, output },
        call: (name, args) => calls.call(name, args),
      });
      const { stdout, stderr, spill } = output.close();
      return {
        ...truncateOutput(stdout, stderr),
        ...(spill && { spill }),
        ...endingOf(end),
        images: await Promise.all(end.images.map((image) => keep(image, store))),
        timeout_ms: timeoutMs,
        ...(timeout_ms > timeoutMs && { requested_timeout_ms: timeout_ms }),
        duration_ms: Math.round(performance.now() - started),
      };
    },
    result: schema(pythonValue),
    render: renderCell,
  });
}

type Ending = Pick<
  PythonValue,
  "error" | "exit_code" | "signal" | "timed_out" | "interrupted" | "state_lost"
>;

function endingOf({ failure, died, stopped }: CellEnd): Ending {
  const exit = failure && "exit" in failure ? failure.exit : 0;
  return {
    ...(failure && "error" in failure && {
      error: { name: failure.error, message: failure.message },
    }),
    exit_code: died ? (died.signal === null ? died.code : null) : exit,
    signal: died?.signal ?? null,
    timed_out: stopped === "timeout",
    interrupted: stopped === "abort",
    state_lost: died !== undefined,
  };
}

/** Keeps an image in the session's folder, and what is said of it. */
async function keep(
  { path, media_type, bytes, data }: DrawnImage,
  store: Store,
): Promise<PythonImage> {
  const told = { path, media_type, bytes };
  if (data === undefined) return told;
  const name = `python-image-${crypto.randomUUID()}.${media_type.replace("image/", "")}`;
  const saved = await store.save(name, Uint8Array.fromBase64(data));
  // The name is ours alone, so none with a number was made of it; without a folder it is in memory.
  return { ...told, blob: saved?.split("/").at(-1) ?? name };
}

/** The call as a shell would be given it: what the gate judges. */
function asCommand(code: string): string {
  return `python3 -c '${code.replaceAll("'", () => `'\\''`)}'`;
}
