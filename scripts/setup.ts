/**
 * Brings the system programs that tests start: `deno task setup`, and first thing in
 * `deno task test`. As root on Debian it installs what is missing, elsewhere it names it; the tests
 * that need it report themselves skipped. Nothing missing: no output, no network. With
 * `--no-install` it only names.
 */
import { delimiter, join } from "node:path";

/** A program that tests start and that neither Deno nor npm brings. */
export interface Program {
  readonly name: string;
  readonly debianPackage: string;
  /** Which tests cannot run without it. */
  readonly usedBy: string;
  /** A folder that is there when it is installed, where it is no program on PATH. Absolute. */
  readonly place?: string;
}

/** One line a program; a test that starts another one adds it here. */
export const PROGRAMS: readonly Program[] = [
  { name: "Xvfb", debianPackage: "xvfb", usedBy: "screenshot, computer" },
  {
    name: "at-spi",
    debianPackage: "at-spi2-core",
    usedBy: "computer",
    place: "/usr/share/doc/at-spi2-core",
  },
  { name: "bash", debianPackage: "bash", usedBy: "commands, bash" },
  { name: "bwrap", debianPackage: "bubblewrap", usedBy: "confinement" },
  { name: "chromium", debianPackage: "chromium", usedBy: "browser" },
  { name: "curl", debianPackage: "curl", usedBy: "escapes" },
  { name: "dbus-run-session", debianPackage: "dbus", usedBy: "computer" },
  { name: "ed", debianPackage: "ed", usedBy: "tmux" },
  { name: "fish", debianPackage: "fish", usedBy: "completions" },
  {
    name: "gir1.2-atspi",
    debianPackage: "gir1.2-atspi-2.0",
    usedBy: "computer",
    place: "/usr/share/doc/gir1.2-atspi-2.0",
  },
  {
    name: "gir1.2-gtk",
    debianPackage: "gir1.2-gtk-3.0",
    usedBy: "computer",
    place: "/usr/share/doc/gir1.2-gtk-3.0",
  },
  { name: "git", debianPackage: "git", usedBy: "end to end, ignore rules" },
  { name: "groff", debianPackage: "groff-base", usedBy: "the man page" },
  { name: "import", debianPackage: "imagemagick", usedBy: "screenshot" },
  { name: "ip", debianPackage: "iproute2", usedBy: "escapes" },
  { name: "ipython3", debianPackage: "python3-ipython", usedBy: "python" },
  { name: "jq", debianPackage: "jq", usedBy: "the GitHub Action" },
  { name: "less", debianPackage: "less", usedBy: "tmux" },
  { name: "lynx", debianPackage: "lynx", usedBy: "browser" },
  { name: "mandoc", debianPackage: "mandoc", usedBy: "the man page" },
  {
    name: "matplotlib",
    debianPackage: "python3-matplotlib",
    usedBy: "python",
    place: "/usr/lib/python3/dist-packages/matplotlib",
  },
  { name: "perl", debianPackage: "perl-base", usedBy: "escapes, deep folders" },
  { name: "ps", debianPackage: "procps", usedBy: "processes left behind" },
  { name: "python3", debianPackage: "python3", usedBy: "python" },
  {
    name: "python3-gi",
    debianPackage: "python3-gi",
    usedBy: "computer",
    place: "/usr/share/doc/python3-gi",
  },
  { name: "rg", debianPackage: "ripgrep", usedBy: "grep" },
  { name: "script", debianPackage: "bsdutils", usedBy: "conversations at a terminal" },
  { name: "scrot", debianPackage: "scrot", usedBy: "screenshot, computer" },
  { name: "setpriv", debianPackage: "util-linux", usedBy: "what an ordinary user may do" },
  { name: "shellcheck", debianPackage: "shellcheck", usedBy: "our shell scripts" },
  { name: "slurmctld", debianPackage: "slurm-wlm", usedBy: "the Slurm recipe" },
  { name: "socat", debianPackage: "socat", usedBy: "egress" },
  { name: "strace", debianPackage: "strace", usedBy: "no unasked network contact" },
  {
    name: "tkinter",
    debianPackage: "python3-tk",
    usedBy: "computer",
    place: "/usr/share/doc/python3-tk",
  },
  { name: "tmux", debianPackage: "tmux", usedBy: "tmux, interactive screen" },
  { name: "unshare", debianPackage: "util-linux", usedBy: "escapes" },
  { name: "vim", debianPackage: "vim", usedBy: "tmux" },
  { name: "xdotool", debianPackage: "xdotool", usedBy: "computer" },
  { name: "xterm", debianPackage: "xterm", usedBy: "screenshot, computer" },
  { name: "zsh", debianPackage: "zsh", usedBy: "completions" },
];

/** Pauses before the second and third try of apt-get, whose mirrors fail now and then, in milliseconds. */
const RETRY_PAUSES_MS = [2_000, 10_000];

/** The programs of `programs` that no folder of `searchPath` (the form of `PATH`) holds. */
export function missingPrograms(programs: readonly Program[], searchPath: string): Program[] {
  const folders = searchPath.split(delimiter).filter((folder) => folder !== "");
  return programs.filter(({ name, place }) =>
    place === undefined
      ? !folders.some((folder) => isExecutable(join(folder, name)))
      : !isFolder(place)
  );
}

/** The command by which a person installs `missing` on Debian. */
export function installCommand(missing: readonly Program[]): string {
  return `apt-get install -y --no-install-recommends ${packagesOf(missing).join(" ")}`;
}

/**
 * Installs (`mayInstall`) or names what is missing, on stderr, and resolves to what is missing
 * afterwards. A failed installation is told and is no error: the tests concerned are skipped and
 * counted.
 */
export async function setup(mayInstall = canInstall()): Promise<Program[]> {
  const missing = missingPrograms(PROGRAMS, Deno.env.get("PATH") ?? "");
  if (missing.length === 0) return [];
  if (!mayInstall) {
    console.error(`setup: missing ${describe(missing)}; install with: ${installCommand(missing)}`);
    return missing;
  }
  console.error(`setup: installing ${packagesOf(missing).join(", ")} for ${describe(missing)}`);
  const failure = await install(packagesOf(missing));
  const left = missingPrograms(missing, Deno.env.get("PATH") ?? "");
  if (left.length > 0) {
    console.error(`setup: still missing ${describe(left)}\n${failure}`.trimEnd());
  }
  return left;
}

function isExecutable(path: string): boolean {
  const info = statIfThere(path);
  return info !== undefined && info.isFile && ((info.mode ?? 0) & 0o111) !== 0;
}

function isFolder(path: string): boolean {
  return statIfThere(path)?.isDirectory ?? false;
}

/** Undefined also where this user may not look. */
function statIfThere(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound || error instanceof Deno.errors.NotADirectory) {
      return undefined;
    }
    if (error instanceof Deno.errors.PermissionDenied) return undefined;
    throw error;
  }
}

function canInstall(): boolean {
  return Deno.uid() === 0 && isExecutable("/usr/bin/apt-get");
}

function packagesOf(programs: readonly Program[]): string[] {
  return [...new Set(programs.map(({ debianPackage }) => debianPackage))];
}

function describe(programs: readonly Program[]): string {
  return programs.map(({ name, usedBy }) => `${name} (tests of ${usedBy})`).join(", ");
}

/** Resolves to the output of the last failed try, empty when the packages are installed. */
async function install(packages: readonly string[]): Promise<string> {
  let failure = "";
  for (const pauseMs of [0, ...RETRY_PAUSES_MS]) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    failure = await aptGet("update") ||
      await aptGet("install", "-y", "--no-install-recommends", ...packages);
    if (failure === "") return "";
  }
  return failure;
}

/** Resolves to what apt-get said when it failed, and to nothing when it did not. */
async function aptGet(...args: string[]): Promise<string> {
  const child = new Deno.Command("/usr/bin/apt-get", {
    args: ["-q", ...args],
    clearEnv: true,
    env: { ...Deno.env.toObject(), DEBIAN_FRONTEND: "noninteractive", LC_ALL: "C" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const { success, stdout, stderr } = await child.output();
  if (success) return "";
  const decoder = new TextDecoder();
  return `apt-get ${args.join(" ")}\n${decoder.decode(stdout)}${decoder.decode(stderr)}`;
}

if (import.meta.main) await setup(canInstall() && !Deno.args.includes("--no-install"));
