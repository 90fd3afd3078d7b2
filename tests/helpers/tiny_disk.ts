import { ok } from "node:assert/strict";
import { join } from "node:path";
import { tempDir } from "./temp_dir.ts";

/** A disk of its own; gone when its block ends. */
export interface TinyDisk extends AsyncDisposable {
  /** Absolute. */
  readonly path: string;
  join(name: string): string;
  /** Makes it read-only. */
  seal(): Promise<void>;
}

/** Mounts a disk of 64 KB, 32 of them taken by the file `ballast`. Linux, and root's right. */
export async function tinyDisk(): Promise<TinyDisk> {
  const dir = await tempDir({ "disk/": "" });
  const path = dir.join("disk");
  await mount("-t", "tmpfs", "-o", "size=64k", "tmpfs", path);
  await Deno.writeFile(join(path, "ballast"), new Uint8Array(32 * 1024));
  return {
    path,
    join: (name) => join(path, name),
    seal: () => mount("-o", "remount,ro", path),
    async [Symbol.asyncDispose]() {
      await start("umount", path);
      await dir[Symbol.asyncDispose]();
    },
  };
}

/** Whether this machine lets us mount one. */
export async function canMount(): Promise<boolean> {
  if (Deno.build.os !== "linux" || Deno.uid() !== 0) return false;
  await using dir = await tempDir();
  return await start("mount", "-t", "tmpfs", "tmpfs", dir.path) &&
    await start("umount", dir.path);
}

async function mount(...args: string[]): Promise<void> {
  ok(await start("mount", ...args), `mount ${args.join(" ")}`);
}

/** Runs a program; true where it ends well. */
async function start(program: string, ...args: string[]): Promise<boolean> {
  const env = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin" };
  const options = { args, env, clearEnv: true, detached: true } as const;
  const silent = { stdin: "null", stdout: "null", stderr: "null" } as const;
  try {
    return (await new Deno.Command(program, { ...options, ...silent }).spawn().status).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
