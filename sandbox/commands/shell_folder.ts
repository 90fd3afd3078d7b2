import { dirname, join } from "node:path";
import { runBashScript } from "./bash_script.ts";
import { CommandError } from "./commands.ts";
import type { Environment } from "./environment.ts";
import { MAX_CWD_FILE_BYTES, MAX_STATE_BYTES, STATE_FILE, type StateFolder } from "./shell.ts";
import { lookAt } from "../files/look_at.ts";
import { isMissing } from "../files/system_errors.ts";

/** What a call leaves: that it is whole, and its state. */
const ENDINGS = [".cwd", ".sh"];

/** Keeps the shell's state in a folder that Deno may read and write. */
export function ownStateFolder(folder: string): StateFolder {
  return {
    async open() {
      await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
      return folder;
    },
    // A handful of small system calls after each command: waiting for each in turn takes longer.
    adopt: (next) => Promise.resolve(adoptFiles(next, join(folder, STATE_FILE))),
    discard: (next) => Promise.resolve(discardFiles(next)),
  };
}

function adoptFiles(next: string, state: string): { cwd: string; tooLarge: boolean } | undefined {
  try {
    const cwd = readTrusted(`${next}.cwd`);
    // Empty: the call was opened and did not end by itself.
    if (cwd === undefined || cwd === "") return undefined;
    return { cwd, tooLarge: !putInPlace(`${next}.sh`, state) };
  } finally {
    discardFiles(next);
  }
}

function discardFiles(next: string): void {
  for (const ending of ENDINGS) removeIfThere(next + ending);
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
}

/**
 * Keeps the shell's state where only bash may write: in a folder that bash makes on first use, and
 * that {@linkcode AsyncDisposable} takes away.
 */
export function bashStateFolder(environment: Environment): StateFolder & AsyncDisposable {
  let made: Promise<string> | undefined;
  return {
    open: () => made ??= makeFolder(environment),
    async adopt(next) {
      const state = join(dirname(next), STATE_FILE);
      const args = [next, state, String(MAX_CWD_FILE_BYTES), String(MAX_STATE_BYTES)];
      const [word, ...rest] = (await runBashScript(ADOPT, args, environment)).split(":");
      const cwd = rest.join(":");
      return cwd === "" ? undefined : { cwd, tooLarge: word === "too_large" };
    },
    async discard(next) {
      await runBashScript('rm -f -- "$@"', ENDINGS.map((ending) => next + ending), environment);
    },
    async [Symbol.asyncDispose]() {
      if (made) await runBashScript('rm -rf -- "$1"', [await made], environment);
    },
  };
}

async function makeFolder(environment: Environment): Promise<string> {
  const script = 'mktemp -d "${TMPDIR:-/tmp}/cordon-XXXXXXXXXX"';
  const folder = (await runBashScript(script, [], environment)).replace(/\n$/, "");
  if (folder !== "") return folder;
  throw new CommandError(
    `Cannot keep the shell's state: no folder can be made in "${
      environment["TMPDIR"] ?? "/tmp"
    }", make it writable`,
  );
}

/** Arguments: prefix of the call's files, state file, and the two limits. Prints `kept:` or
 * `too_large:`, then what the `.cwd` file holds. */
const ADOPT = `
next=$1 state=$2 max_cwd=$3 max_state=$4 word=too_large cwd= content=
[[ -f $next.cwd && ! -L $next.cwd ]] && IFS= read -r -d '' -n "$max_cwd" cwd <"$next.cwd"
if [[ $cwd && -f $next.sh && ! -L $next.sh ]]; then
  if ! IFS= read -r -N "$max_state" content <"$next.sh"; then
    word=kept
    [[ -s $next.sh ]] && mv -f -- "$next.sh" "$state"
  fi
fi
rm -f -- ${ENDINGS.map((ending) => `"$next${ending}"`).join(" ")}
printf '%s:%s' "$word" "$cwd"
`;

/**
 * The text of a small regular file that commands have written; undefined where it is something
 * else. Deno follows links when it opens, so what was opened is compared with what was seen.
 */
function readTrusted(path: string): string | undefined {
  const seen = lookAt(path);
  if (!seen?.isFile || seen.size > MAX_CWD_FILE_BYTES) return undefined;
  using file = Deno.openSync(path);
  const opened = file.statSync();
  if (opened.ino !== seen.ino || opened.dev !== seen.dev) return undefined;
  const buffer = new Uint8Array(MAX_CWD_FILE_BYTES);
  const count = file.readSync(buffer) ?? 0;
  return new TextDecoder().decode(buffer.subarray(0, count));
}

/** Whether the state of a call took the place of the one before. */
function putInPlace(from: string, to: string): boolean {
  const seen = lookAt(from);
  // Empty: the command was not run.
  if (seen?.size === 0) return true;
  if (!seen?.isFile || seen.size >= MAX_STATE_BYTES) return false;
  Deno.renameSync(from, to);
  return true;
}
