import type { Finding, Findings } from "./sweep.ts";

/** {@linkcode Findings} for a pipe: plain JSON, and the bytes of all files one after the other. */
export interface FindingsMessage {
  readonly value: Omit<Findings, "files"> & {
    /** Without `length`: of a file that was too large to be kept. */
    readonly files: readonly (Omit<Finding, "bytes" | "before"> & { readonly length?: number })[];
  };
  readonly body: Uint8Array;
}

/** Findings as a message; what the files were before is left out. */
export function packFindings(findings: Findings): FindingsMessage {
  const contents = findings.files.flatMap(({ bytes }) => bytes ?? []);
  const body = new Uint8Array(contents.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const bytes of contents) {
    body.set(bytes, at);
    at += bytes.length;
  }
  const files = findings.files.map(({ seen, bytes }) => ({
    seen,
    ...(bytes && { length: bytes.length }),
  }));
  return { value: { ...findings, files }, body };
}

/**
 * The findings of a message.
 * @throws {RangeError} where its body is not as long as it says
 */
export function unpackFindings({ value, body }: FindingsMessage): Findings {
  let at = 0;
  const files = value.files.map(({ seen, length }): Finding => {
    if (length === undefined) return { seen };
    const bytes = body.subarray(at, at += length);
    if (bytes.length !== length) throw new RangeError("Cannot read findings: their body is torn");
    return { seen, bytes };
  });
  if (at !== body.length) throw new RangeError("Cannot read findings: their body goes on");
  return { ...value, files };
}
