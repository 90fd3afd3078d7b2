import type { Transport } from "@modelcontextprotocol/client";
import { controlStripper } from "../../sandbox/commands/control.ts";
import type { OpenProcess } from "../../sandbox/commands/open_process.ts";
import { cleanLine } from "../../tools/web/outside.ts";
import { LineTransport } from "./line_transport.ts";
import { loadSdk } from "./sdk.ts";
import type { ServerHouse } from "./server_process.ts";

/** How a server is reached: a new connection each time. */
export interface Way {
  readonly kind: "stdio" | "http";
  open(): Promise<Connected>;
}

/** One connection that was not used yet. */
export interface Connected {
  readonly transport: Transport;
  /** What the server said beside the protocol, for a person who looks for the reason; may be empty. */
  lastWords(): string;
}

/** How much of what a server says on its standard error is kept, in UTF-16 units. */
const KEPT_CHARS = 4096;

/** How much of it is told in one sentence. */
const TOLD_CHARS = 300;

/** The way to a program: its standard input and output, a fresh process for each connection. */
export function stdioWay(house: ServerHouse): Way {
  return {
    kind: "stdio",
    async open() {
      const { deserializeMessage } = await loadSdk();
      const process = await house.open();
      const words = keepWords(process.stderr);
      let rubbish: string | undefined;
      const transport = new LineTransport(
        { readable: process.stdout, writable: process.stdin },
        {
          parse: deserializeMessage,
          end: () => process.kill(),
          onRubbish: (line) => rubbish ??= line,
        },
      );
      const exit = exitOf(process);
      return {
        transport,
        lastWords() {
          const said = words().trim() ||
            (rubbish === undefined ? "" : `it printed ${JSON.stringify(rubbish)}`);
          const ended = exit();
          const hint = ended === "" ? undefined : house.hint;
          return [ended, cleanLine(mostTelling(said)), hint].filter(Boolean).join("; ");
        },
      };
    },
  };
}

/** The line that names an error where there is one, as a trace of calls follows it; else the end. */
function mostTelling(said: string): string {
  const line = said.split("\n").find((text) => /error\b.*:|exception\b.*:/i.test(text));
  return line === undefined ? said.slice(-TOLD_CHARS) : line.slice(0, TOLD_CHARS);
}

/** Reads a stream to its end, and keeps the last of it. */
function keepWords(stream: ReadableStream<Uint8Array>): () => string {
  const stripper = controlStripper();
  const decoder = new TextDecoder();
  let kept = "";
  async function read(): Promise<void> {
    for await (const chunk of stream) {
      kept = (kept + stripper.strip(decoder.decode(chunk, { stream: true }))).slice(-KEPT_CHARS);
    }
  }
  // A pipe that breaks has nothing more to say.
  read().catch(() => {});
  return () => kept;
}

/** How a process ended, once it has. */
function exitOf({ status }: OpenProcess): () => string {
  let ended = "";
  status.then(({ code, signal }) => {
    ended = signal === null ? `it ended with exit code ${code}` : `it was ended by ${signal}`;
  });
  return () => ended;
}
