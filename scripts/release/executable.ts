/** For which platform an executable file was built, as its first bytes tell; pure. */
import type { PlatformName } from "./platforms.ts";

/** So many bytes from a file's begin are enough for builtFor(). */
const HEADER_BYTES = 4_096;

/** `e_machine` of ELF (gABI 4.1) after little-endian, 64 bits. */
const ELF_MACHINES: Readonly<Record<number, PlatformName>> = {
  62: "linux-x64",
  183: "linux-arm64",
};

/** `cputype` of Mach-O (mach/machine.h). */
const MACH_CPUS: Readonly<Record<number, PlatformName>> = {
  0x0100_0007: "macos-x64",
  0x0100_000c: "macos-arm64",
};

/** `Machine` of a PE file (PE format 3.3.1). */
const PE_MACHINES: Readonly<Record<number, PlatformName>> = { 0x8664: "windows-x64" };

/** The platform that an executable's begin names; undefined for any other file or platform. */
export function builtFor(bytes: Uint8Array): PlatformName | undefined {
  if (bytes.length < 64) return undefined;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(0) === 0x7f45_4c46) return ELF_MACHINES[view.getUint16(18, true)];
  if (view.getUint32(0, true) === 0xfeed_facf) return MACH_CPUS[view.getUint32(4, true)];
  if (view.getUint16(0) !== 0x4d5a) return undefined;
  const at = view.getUint32(0x3c, true);
  if (at + 6 > bytes.length || view.getUint32(at) !== 0x5045_0000) return undefined;
  return PE_MACHINES[view.getUint16(at + 4, true)];
}

/**
 * Looks whether the file is an executable for the platform.
 * @throws {Error} when it is not
 */
export async function checkBuiltFor(path: string, wanted: PlatformName): Promise<void> {
  const bytes = new Uint8Array(HEADER_BYTES);
  using file = await Deno.open(path);
  const count = await file.read(bytes) ?? 0;
  const seen = builtFor(bytes.subarray(0, count));
  if (seen === wanted) return;
  throw new Error(
    `Cannot use "${path}": it is ${
      seen === undefined ? "no executable of a platform that we know" : `for ${seen}`
    }, and ${wanted} is wanted`,
  );
}
