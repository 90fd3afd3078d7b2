/** What the shell keeps between calls: where it stands, and the folder in which its state lies. */
export interface Shell {
  /** The working folder, absolute, as commands see it. */
  readonly cwd: string;
  /** Where the shell starts, and where it goes when its folder is gone. */
  readonly workspace: string;
  /**
   * Opens a call: where it finds the state of the call before, and where it leaves its own.
   * @throws {CommandError} where no folder can be made.
   */
  open(): Promise<ShellCall>;
  /** Takes over the state that a call left, once its command has ended. */
  adopt(call: ShellCall): Promise<Adopted>;
  /** Throws away what a call left whose state is not to be taken over. */
  discard(call: ShellCall): Promise<void>;
  /** Goes to a folder that an earlier session was in. */
  moveTo(cwd: string): void;
}

/** The places of one call, as commands see them. */
export interface ShellCall {
  /** The state to begin with; empty or absent at first. */
  readonly state: string;
  /** Prefix of the files that the call writes: `.sh` for the state, then `.cwd` to say it is whole. */
  readonly next: string;
}

/** What became of a call's state. */
export type Adopted =
  /** `folderGone`: the call's working folder no longer exists, the shell is in the workspace. */
  | { readonly kind: "adopted"; readonly folderGone: boolean }
  /** The working folder was taken over, variables and the rest are those of the call before. */
  | { readonly kind: "too_large"; readonly folderGone: boolean }
  /** The shell did not live to say how it ended (`exec`, SIGKILL): all is as before the call. */
  | { readonly kind: "absent" };

/** State above this is not kept, in bytes: each call would have to read it. */
export const MAX_STATE_BYTES = 1024 * 1024;

/** The name of the file with the state, in the shell's folder. */
export const STATE_FILE = "state.sh";

/** Paths are at most 4 096 bytes long on Linux; a longer answer is none of ours. */
export const MAX_CWD_FILE_BYTES = 4096 + 16;

/** What a folder of state offers to {@linkcode createShell}. */
export interface StateFolder {
  /** The folder as commands see it, made where it was not there. */
  open(): Promise<string>;
  /**
   * Reads and removes the `.cwd` file of a call (undefined where there is none that can be
   * trusted: no link, no special file), and puts its state in place of the one before unless it is
   * too large.
   */
  adopt(next: string): Promise<{ cwd: string; tooLarge: boolean } | undefined>;
  /** Removes the files of a call. */
  discard(next: string): Promise<void>;
}

export interface ShellOptions {
  readonly workspace: string;
  readonly state: StateFolder;
}

/** A shell in its workspace, without state. */
export function createShell({ workspace, state }: ShellOptions): Shell {
  let cwd = workspace;
  return {
    workspace,
    get cwd() {
      return cwd;
    },
    moveTo(folder) {
      cwd = folder;
    },
    async open() {
      const folder = await state.open();
      return { state: `${folder}/${STATE_FILE}`, next: `${folder}/${crypto.randomUUID()}` };
    },
    discard: ({ next }) => state.discard(next),
    async adopt({ next }) {
      const left = await state.adopt(next);
      const place = left && parsePlace(left.cwd);
      if (!left || !place) return { kind: "absent" };
      cwd = place.folderGone ? workspace : place.cwd;
      return {
        kind: left.tooLarge ? "too_large" : "adopted",
        folderGone: place.folderGone,
      };
    },
  };
}

/** Reads `kept` or `gone`, a newline, an absolute path and a newline; the path may hold newlines. */
function parsePlace(text: string): { cwd: string; folderGone: boolean } | undefined {
  const match = /^(kept|gone)\n(\/[^\0]*)\n$/.exec(text);
  const [, word, cwd] = match ?? [];
  // U+FFFD stands for bytes that are no UTF-8: such a path cannot be named by us.
  if (cwd === undefined || cwd.includes("\uFFFD")) return undefined;
  return { cwd, folderGone: word === "gone" };
}
