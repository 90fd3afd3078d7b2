import { UsageError } from "../command_line/parse.ts";
import { reasonOf } from "../session/error.ts";
import type { PromptWords } from "./prompt_files.ts";

/** How long a prompt waits for a first byte on a silent stdin before it goes without, in ms. */
const FIRST_BYTE_MS = 100;

/** The most that stdin may bring, in bytes. */
const MAX_STDIN_BYTES = 1024 * 1024;

/** Standard input, as much as is needed of it. */
export interface StandardInput {
  readonly isTerminal: boolean;
  readonly readable: ReadableStream<Uint8Array>;
  /** A pipe or socket: whoever holds its other end may never write and never close. */
  readonly mayStaySilent: boolean;
}

/**
 * The prompt of a run: the words of the command line, `-` for what stdin brings, the blocks of files
 * and piped text after them in marked blocks. `note` is told where a silent stdin is passed over.
 * @throws {UsageError} where there is no prompt, or stdin brings too much.
 */
export async function readPrompt(
  { words, blocks }: Pick<PromptWords, "words" | "blocks">,
  stdin: StandardInput,
  note: (line: string) => void,
): Promise<string> {
  const typed = joinPrompt({ words: words.filter((word) => word !== "-"), blocks });
  const wantsInput = words.includes("-");
  if (stdin.isTerminal && !wantsInput) {
    if (typed === "") {
      throw new UsageError('Nothing to do: give a prompt, as cordon -p "fix the tests"');
    }
    return typed;
  }
  const patient = wantsInput || typed === "";
  // What stdin is, is only asked where it stays silent.
  const givenUp = () => !patient && stdin.mayStaySilent;
  const input = await readAll(stdin.readable, givenUp);
  if (input === undefined) note("stdin is silent, so the prompt goes without it; - waits for it");
  const piped = input?.trim() ?? "";
  if (typed === "" && piped === "") {
    throw new UsageError("Nothing to do: the prompt on the command line and on stdin is empty");
  }
  if (typed === "") return piped;
  return piped === "" ? typed : `${typed}\n\n<stdin>\n${piped}\n</stdin>`;
}

/** Words, and the blocks of files after them. */
export function joinPrompt({ words, blocks }: Pick<PromptWords, "words" | "blocks">): string {
  return [words.join(" ").trim(), ...blocks].filter((part) => part !== "").join("\n\n");
}

/** All of a stream; undefined where it is silent and `givenUp` then. */
async function readAll(
  readable: ReadableStream<Uint8Array>,
  givenUp: () => boolean,
): Promise<string | undefined> {
  const reader = told(readable.getReader());
  const chunks: Uint8Array[] = [];
  let size = 0;
  let next = await first(reader, givenUp);
  if (!next) return undefined;
  while (!next.done) {
    chunks.push(next.value);
    size += next.value.length;
    if (size > MAX_STDIN_BYTES) {
      throw new UsageError(`Cannot take stdin as prompt: it is over ${MAX_STDIN_BYTES} bytes`);
    }
    next = await reader.read();
  }
  return new TextDecoder().decode(
    await new Blob(chunks.map((chunk) => chunk.slice())).arrayBuffer(),
  );
}

/** Something to read from, chunk by chunk. */
type Reader = Pick<ReadableStreamDefaultReader<Uint8Array>, "read">;

/** The reader, its errors in words: stdin may be a folder, or a file on a broken disk. */
function told(reader: Reader): Reader {
  return {
    async read() {
      try {
        return await reader.read();
      } catch (error) {
        throw new UsageError(`Cannot read stdin: ${reasonOf(error)}`);
      }
    },
  };
}

async function first(
  reader: Reader,
  givenUp: () => boolean,
): Promise<ReadableStreamReadResult<Uint8Array> | undefined> {
  const chunk = reader.read();
  const silence = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => silence.resolve(undefined), FIRST_BYTE_MS);
  try {
    return await Promise.race([chunk, silence.promise]) ?? (givenUp() ? undefined : await chunk);
  } finally {
    clearTimeout(timer);
  }
}
