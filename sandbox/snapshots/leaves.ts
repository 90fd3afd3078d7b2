import { errorCode, isForbidden, isMissing } from "../files/system_errors.ts";
import { MAX_FILE_BYTES, MAX_IGNORED_FILE_BYTES } from "./coverage.ts";
import { leftOut } from "./left_out.ts";
import { readOwn } from "./read_own.ts";
import {
  isUnchanged,
  modeOf,
  type SeenEntry,
  type SeenFile,
  type SeenLeftOut,
  stampOf,
} from "./seen.ts";

/** How what is no folder is looked at. */
export interface LeafOptions {
  /** Absolute, links resolved. */
  readonly root: string;
  /** The time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Takes the bytes of a file or tree object, and answers their hash. */
  readonly keep: (bytes: Uint8Array) => string;
  /** Content that is read at most, in bytes; further files are left out this time. */
  readonly maxNewBytes: number;
  /** How long files are read, in milliseconds; further ones are left out this time. */
  readonly maxMs: number;
}

/** Looks at files and links, and keeps what is new, until there is no more time or room. */
export class LeafReader {
  /** Files whose content was read. */
  filesRead = 0;
  /** Files that were left out for lack of time or room. */
  filesPutOff = 0;
  readonly #options: LeafOptions;
  readonly #began = performance.now();
  #bytesLeft: number;

  constructor(options: LeafOptions) {
    this.#options = options;
    this.#bytesLeft = options.maxNewBytes;
  }

  /** A file, itself the known one if it has not changed, with its content kept if it has. */
  file(
    path: string,
    info: Deno.FileInfo,
    ignored: boolean,
    known: SeenEntry | undefined,
  ): SeenFile | SeenLeftOut {
    const mode = modeOf(info);
    if (known?.kind === "file" && known.ignored === ignored && isSameFile(known, info)) {
      return known;
    }
    const stamp = stampOf(info, this.#options.now());
    const limit = ignored ? MAX_IGNORED_FILE_BYTES : MAX_FILE_BYTES;
    if (info.size > limit) {
      return leftOut(`it is larger than ${limit / 1024 / 1024} MiB`, ignored, stamp, known);
    }
    if (!this.#mayRead(info.size)) {
      return leftOut("there was no time or room for it", ignored, stamp);
    }
    const bytes = readOwn(`${this.#options.root}/${path}`);
    if (!bytes) return leftOut("it cannot be read", ignored, stamp, known);
    this.filesRead++;
    this.#bytesLeft -= bytes.length;
    const hash = this.#options.keep(bytes);
    return { kind: "file", mode, size: bytes.length, hash, ignored, stamp };
  }

  #mayRead(size: number): boolean {
    const may = size <= this.#bytesLeft && performance.now() - this.#began < this.#options.maxMs;
    if (!may) this.filesPutOff++;
    return may;
  }

  /** A link; undefined where it is gone. */
  link(
    path: string,
    info: Deno.FileInfo,
    ignored: boolean,
    known: SeenEntry | undefined,
  ): SeenEntry | undefined {
    if (known?.kind === "link" && known.ignored === ignored && isUnchanged(known.stamp, info)) {
      return known;
    }
    const target = linkTarget(`${this.#options.root}/${path}`);
    if (target === undefined) return undefined;
    return { kind: "link", target, ignored, stamp: stampOf(info, this.#options.now()) };
  }

  /** What lies at a path; links are not followed. */
  look(path: string): Deno.FileInfo | "missing" | "forbidden" {
    try {
      return Deno.lstatSync(`${this.#options.root}/${path}`);
    } catch (error) {
      if (isMissing(error)) return "missing";
      if (isForbidden(error)) return "forbidden";
      throw error;
    }
  }
}

/** Whether a file is what it was, as far as its stamp tells; no more than that is looked at. */
export function isAsBefore(absolute: string, known: SeenFile): boolean {
  try {
    return isSameFile(known, Deno.lstatSync(absolute));
  } catch (error) {
    // The full look, which follows, tells what became of it.
    if (isMissing(error) || isForbidden(error)) return false;
    throw error;
  }
}

function isSameFile(known: SeenFile, info: Deno.FileInfo): boolean {
  return info.isFile && known.size === info.size && isUnchanged(known.stamp, info) &&
    known.mode === modeOf(info);
}

function linkTarget(path: string): string | undefined {
  try {
    return Deno.readLinkSync(path);
  } catch (error) {
    // EINVAL: it is no link any more.
    if (isMissing(error) || errorCode(error) === "EINVAL") return undefined;
    throw error;
  }
}
