/** The platforms of a release, and what they are called by whom. */

/** A platform that a release has a binary for. */
export interface Platform {
  /** As the files of a release are named. */
  readonly name: PlatformName;
  /** Rust's name, as `deno compile --target` takes it. */
  readonly target: string;
  /** What the portable form is made of; Windows has no shell for its head. */
  readonly portable?: {
    /** The package of npm in which Deno for this platform lies. */
    readonly denoPackage: string;
    /** Where it runs, in the words of the portable form's head. */
    readonly words: string;
    /** On which machines npm installs a package for it. */
    readonly npm: {
      readonly os: readonly string[];
      readonly cpu: readonly string[];
      readonly libc?: readonly string[];
    };
  };
}

/** The names of all platforms. */
export type PlatformName =
  | "linux-x64"
  | "linux-arm64"
  | "macos-x64"
  | "macos-arm64"
  | "windows-x64";

/** Every platform of a release; what is missing here (musl, Windows on ARM) Deno or we have no build for. */
export const PLATFORMS: readonly Platform[] = [
  {
    name: "linux-x64",
    target: "x86_64-unknown-linux-gnu",
    portable: {
      denoPackage: "@deno/linux-x64-glibc",
      words: "linux x86_64",
      npm: { os: ["linux"], cpu: ["x64"], libc: ["glibc"] },
    },
  },
  {
    name: "linux-arm64",
    target: "aarch64-unknown-linux-gnu",
    portable: {
      denoPackage: "@deno/linux-arm64-glibc",
      words: "linux aarch64",
      npm: { os: ["linux"], cpu: ["arm64"], libc: ["glibc"] },
    },
  },
  {
    name: "macos-x64",
    target: "x86_64-apple-darwin",
    portable: {
      denoPackage: "@deno/darwin-x64",
      words: "darwin x86_64",
      npm: { os: ["darwin"], cpu: ["x64"] },
    },
  },
  {
    name: "macos-arm64",
    target: "aarch64-apple-darwin",
    portable: {
      denoPackage: "@deno/darwin-arm64",
      words: "darwin aarch64",
      npm: { os: ["darwin"], cpu: ["arm64"] },
    },
  },
  { name: "windows-x64", target: "x86_64-pc-windows-msvc" },
];

/** The platform of this machine; undefined where a release has none for it. */
export function ownPlatform(): Platform | undefined {
  return PLATFORMS.find(({ target }) => target === Deno.build.target);
}

/** The name of a platform's binary in a release. */
export function binaryName({ name }: Platform): string {
  return name.startsWith("windows") ? `cordon-${name}.exe` : `cordon-${name}`;
}
