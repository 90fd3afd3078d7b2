/** Writes the tar archive inside the portable binary (POSIX 1003.1 ustar); pure. */

/** A regular file of an archive. */
export interface ArchiveFile {
  /** Relative, with slashes. */
  readonly name: string;
  readonly content: Uint8Array;
  readonly executable?: boolean;
}

const BLOCK_BYTES = 512;

/**
 * One and the same time for every file, in seconds: builds repeat, and `ls -l` of the unpacked files
 * prints the same text for ever (it prints recent times another way). It is 2000-01-01.
 */
const MODIFIED = 946_684_800;

/** The files as archive members, without the mark of the end: archives may be joined. */
export function archiveMembers(files: readonly ArchiveFile[]): Uint8Array {
  return concat(files.flatMap((file) => [header(file), padded(file.content)]));
}

/** The mark of an archive's end: two empty blocks. */
export function archiveEnd(): Uint8Array {
  return new Uint8Array(2 * BLOCK_BYTES);
}

/** The parts in one piece. */
export function concat(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}

function header({ name, content, executable }: ArchiveFile): Uint8Array {
  const block = new Uint8Array(BLOCK_BYTES);
  const put = (text: string, at: number) => block.set(new TextEncoder().encode(text), at);
  const [prefix, base] = splitName(name);
  put(base, 0);
  put(octal(executable ? 0o700 : 0o600, 8), 100);
  put(octal(0, 8), 108);
  put(octal(0, 8), 116);
  put(octal(content.length, 12), 124);
  put(octal(MODIFIED, 12), 136);
  put("        ", 148); // the checksum counts itself as blanks
  put("0", 156);
  put("ustar\x0000", 257);
  put(prefix, 345);
  put(`${octal(block.reduce((sum, byte) => sum + byte, 0), 7)} `, 148);
  return block;
}

/** A name of more than 100 bytes goes in two fields, cut at a slash. */
function splitName(name: string): [prefix: string, base: string] {
  const bytes = (text: string) => new TextEncoder().encode(text).length;
  if (bytes(name) <= 100) return ["", name];
  for (let slash = name.indexOf("/"); slash > 0; slash = name.indexOf("/", slash + 1)) {
    const [prefix, base] = [name.slice(0, slash), name.slice(slash + 1)];
    if (bytes(prefix) <= 155 && bytes(base) <= 100) return [prefix, base];
  }
  throw new RangeError(`Cannot archive "${name}": its name is too long for a tar header`);
}

function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width - 1, "0")}\0`;
}

function padded(content: Uint8Array): Uint8Array {
  const whole = new Uint8Array(Math.ceil(content.length / BLOCK_BYTES) * BLOCK_BYTES);
  whole.set(content);
  return whole;
}
