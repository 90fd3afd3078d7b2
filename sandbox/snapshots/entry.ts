/** What a snapshot holds of a file: permission bits, size in bytes, SHA-256 of the content in hex. */
export interface FileState {
  readonly kind: "file";
  readonly mode: number;
  readonly size: number;
  readonly hash: string;
}

/** What a snapshot holds of a link: where it leads, as it is written. */
export interface LinkState {
  readonly kind: "link";
  readonly target: string;
}

/** What a snapshot holds of a folder itself; what lies in it are entries of their own. */
export interface FolderState {
  readonly kind: "folder";
  readonly mode: number;
}

/** Something that is there and of which no snapshot was taken, with the reason in words. */
export interface LeftOut {
  readonly kind: "left_out";
  readonly why: string;
}

/** What can be put back. */
export type RestorableState = FileState | LinkState | FolderState;

/** What lies at a path; undefined stands for nothing. */
export type PathState = RestorableState | LeftOut;

/** An entry of a folder as a tree object lists it; a folder by the hash of its own tree object. */
export type TreeEntry = FileState | LinkState | LeftOut | (FolderState & { readonly tree: string });

/** Whether two paths hold the same; what was left out is not known to be the same as anything. */
export function isSameState(a: PathState | undefined, b: PathState | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  switch (a.kind) {
    case "file":
      return b.kind === "file" && a.hash === b.hash && a.mode === b.mode;
    case "link":
      return b.kind === "link" && a.target === b.target;
    case "folder":
      return b.kind === "folder" && a.mode === b.mode;
    case "left_out":
      return false;
  }
}
