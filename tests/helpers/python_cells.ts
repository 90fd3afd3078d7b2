import type { Tool } from "../../tools/tool.ts";
import { pythonTool } from "../../tools/python.ts";
import type { PythonValue } from "../../tools/python/value.ts";
import type { CallReply } from "../../tools/python/interpreter.ts";
import type { CommandHouse } from "./both_commands.ts";

export interface CellOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** The tool `python` over a house's commands, and what it has kept. */
export interface Cells {
  run(code: string, options?: CellOptions): Promise<PythonValue>;
  /** What the model reads. */
  text(code: string, options?: CellOptions): Promise<string>;
  /** Images by the names under which they were kept. */
  readonly saved: Map<string, Uint8Array>;
}

/** A limit that no test is to meet, in milliseconds. */
const LONG_MS = 60_000;

/** `call` answers calls of `tools` from Python. */
export function pythonCells(
  { commands }: CommandHouse,
  tools: readonly Tool[] = [],
  call: (name: string, args: object) => Promise<CallReply> = () =>
    Promise.resolve({ ok: false, problem: "nobody is there" }),
): Cells {
  const tool = pythonTool();
  const saved = new Map<string, Uint8Array>();
  async function run(
    code: string,
    { timeoutMs = LONG_MS, signal = new AbortController().signal }: CellOptions = {},
  ): Promise<PythonValue> {
    return await tool.run({ code, timeout_ms: timeoutMs }, {
      ...{ callId: "call", signal, progress() {}, commands },
      calls: { tools, call },
      store: {
        save(name, bytes) {
          saved.set(name, bytes);
          return Promise.resolve(`/out/${name}`);
        },
      },
    }, { touches: [] });
  }
  return {
    run,
    saved,
    async text(code, options) {
      const [content] = tool.render(await run(code, options));
      return content?.type === "text" ? content.text : "";
    },
  };
}
