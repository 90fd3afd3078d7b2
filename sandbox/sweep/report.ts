import type { Findings } from "./sweep.ts";
import type { Undone } from "./undo.ts";

/** So many lines are told to the model; the rest as a number. */
const MAX_LINES = 10;

/**
 * What a sweep did, as lines for the model and the person; none where nothing was found. Names are
 * quoted, so that none can make a line of its own, hide, or run when a line is pasted.
 */
export function sweepLines(findings: Findings, undone: Undone): string[] {
  const lines = [
    ...undone.files.map(({ path, reason, done }) => {
      const name = shown(path);
      switch (done) {
        case "removed":
          return `${name} was taken out of the workspace: ${reason}; a person may take it back by: ${
            acceptCommand(path)
          }`;
        case "restored":
          return `${name} is as it was before: ${reason}; a person may take the change by: ${
            acceptCommand(path)
          } --replace`;
        case "left":
          return `${name} could not be taken out: ${reason}; look at it before you use it`;
      }
    }),
    ...undone.setIds.map((path) => `${shown(path)} lost its set-id bits`),
    ...findings.special.map(({ path, kind }) => `${shown(path)} is a new ${kind}`),
    ...findings.unreadable.map((path) => `${shown(path)} could not be looked into`),
    ...(findings.stopped ? ["the workspace is too large, not all of it was looked at"] : []),
  ];
  const rest = lines.length - MAX_LINES;
  return rest > 1 ? [...lines.slice(0, MAX_LINES), `and ${rest} more of these`] : lines;
}

/** A name as JSON, with everything escaped that is not plainly visible. */
export function shown(path: string): string {
  return JSON.stringify(path).replace(
    /(?! )[\p{C}\p{Z}]/gu,
    (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`,
  );
}

/** A line that is safe to paste; of an odd name the one that lists what there is. */
function acceptCommand(path: string): string {
  return /^[\w./@+][\w./@+-]*$/.test(path) ? `cordon accept ${path}` : "cordon accept";
}
