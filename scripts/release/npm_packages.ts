/** The packages of npm: one that starts Cordon, and one for each platform with the portable form. */
import { dirname, join } from "node:path";
import type { Built } from "./binaries.ts";
import type { DocumentName } from "./documents.ts";
import type { Platform } from "./platforms.ts";

/** What they are made of. */
export interface NpmBuild {
  readonly version: string;
  readonly documents: Readonly<Record<DocumentName, string>>;
  /** What was built; those that have the portable form become packages. */
  readonly built: readonly Pick<Built, "platform" | "portable">[];
  /** A folder to put them together in. */
  readonly work: string;
  /** The folder that the archives land in; made where it is missing. */
  readonly output: string;
}

/** The fields of a `package.json` that ours have. */
export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly os: readonly string[];
  readonly cpu?: readonly string[];
  readonly libc?: readonly string[];
  readonly bin?: Readonly<Record<string, string>>;
  readonly man?: readonly string[];
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly preferUnplugged?: boolean;
}

const LAUNCHER = new URL("npm_launcher.sh", import.meta.url);

const README = `# Cordon

A coding agent inside a set of rights that it knows, shows and enforces. \`cordon --help\` and
\`man cordon\` tell how it is used, \`cordon doctor\` what it lacks on this machine. Linux (glibc) and
macOS, on x86_64 and arm64; on Windows use WSL 2.
`;

/** The `package.json` of the package that people install. */
export function mainManifest(version: string, platforms: readonly Platform[]): Manifest {
  return {
    name: "cordon",
    version,
    description: "A coding agent inside a set of rights that it knows, shows and enforces",
    license: "MIT",
    // Elsewhere npm itself says that it does not fit.
    os: ["darwin", "linux"],
    bin: { cordon: "bin/cordon" },
    man: ["man/cordon.1"],
    optionalDependencies: Object.fromEntries(
      platforms.map((platform) => [packageName(platform), version]),
    ),
  };
}

/**
 * The `package.json` of a platform's package; npm installs it on machines that it fits.
 * @throws {RangeError} for a platform without the portable form
 */
export function platformManifest(version: string, platform: Platform): Manifest {
  if (platform.portable === undefined) {
    throw new RangeError(`Cannot pack ${platform.name}: it has no portable form`);
  }
  return {
    name: packageName(platform),
    version,
    description: `Cordon for ${platform.name}; install the package cordon`,
    license: "MIT",
    ...platform.portable.npm,
    // It is started as a file, so that Yarn must not keep it in an archive.
    preferUnplugged: true,
  };
}

/** A package before it is packed. */
interface Package {
  readonly manifest: Manifest;
  /** Its other files beside the program, by their names in it. */
  readonly texts: Readonly<Record<string, string>>;
  /** The file that becomes `bin/cordon`. */
  readonly program: string | URL;
}

/**
 * Packs them by `npm pack` into `output`, as `NAME-VERSION.tgz`; nothing where no platform has the
 * portable form.
 * @throws {Error} with npm's own words when it fails, and where npm is not installed
 */
export async function packForNpm(build: NpmBuild): Promise<void> {
  await Deno.mkdir(build.output, { recursive: true });
  const platforms = platformPackages(build);
  if (platforms.length === 0) return;
  const packages = [mainPackage(build), ...platforms];
  const folders = await Promise.all(
    packages.map((it) => layOut(join(build.work, "npm", it.manifest.name), it)),
  );
  await npmPack(folders, build.output);
}

function mainPackage({ version, documents, built }: NpmBuild): Package {
  const packed = built.filter(({ portable }) => portable !== undefined);
  return {
    manifest: mainManifest(version, packed.map(({ platform }) => platform)),
    texts: {
      "README.md": README,
      "LICENSE": documents.LICENSE,
      "man/cordon.1": documents["cordon.1"],
      "completions/cordon.bash": documents["cordon.bash"],
      "completions/cordon.fish": documents["cordon.fish"],
      "completions/_cordon": documents._cordon,
    },
    program: LAUNCHER,
  };
}

function platformPackages({ version, documents, built }: NpmBuild): Package[] {
  return built.flatMap(({ platform, portable }) =>
    portable === undefined ? [] : [{
      manifest: platformManifest(version, platform),
      texts: {
        "README.md": README,
        "LICENSE": documents.LICENSE,
        "THIRD_PARTY_NOTICES.txt": documents["THIRD_PARTY_NOTICES.txt"],
      },
      program: portable,
    }]
  );
}

async function layOut(folder: string, { manifest, texts, program }: Package): Promise<string> {
  const files = { ...texts, "package.json": `${JSON.stringify(manifest, undefined, 2)}\n` };
  for (const [name, text] of Object.entries(files)) {
    await Deno.mkdir(dirname(join(folder, name)), { recursive: true });
    await Deno.writeTextFile(join(folder, name), text);
  }
  const bin = join(folder, "bin/cordon");
  await Deno.mkdir(dirname(bin), { recursive: true });
  await Deno.copyFile(program, bin);
  await Deno.chmod(bin, 0o755);
  return folder;
}

async function npmPack(folders: readonly string[], output: string): Promise<void> {
  const args = ["pack", "--ignore-scripts", "--pack-destination", output, ...folders];
  const { success, stderr } = await new Deno.Command("npm", { args, stdin: "null" }).output()
    .catch(explainNoNpm);
  if (success) return;
  throw new Error(`Cannot run npm pack: ${new TextDecoder().decode(stderr).trim()}`);
}

function explainNoNpm(error: unknown): never {
  if (!(error instanceof Deno.errors.NotFound)) throw error;
  throw new Error("Cannot pack for npm: npm is not installed; it comes with Node", {
    cause: error,
  });
}

function packageName({ name }: Platform): string {
  return `cordon-${name}`;
}
