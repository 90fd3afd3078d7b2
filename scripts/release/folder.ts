/** A folder that is there whole or not at all. */
import { basename, dirname, resolve } from "node:path";

/** With the exit code of a process that one of them has ended. Windows knows SIGINT alone. */
const ENDING_SIGNALS: readonly (readonly [Deno.Signal, number])[] = Deno.build.os === "windows"
  ? [["SIGINT", 130]]
  : [["SIGHUP", 129], ["SIGINT", 130], ["SIGTERM", 143]];

/**
 * Has `fill` write into a new folder beside `path`, and puts it in the place of `path` when all is
 * there. Where that fails, or a signal ends the process, `path` is as it was.
 */
export async function replaceFolder<T>(
  path: string,
  fill: (folder: string) => Promise<T>,
): Promise<T> {
  const whole = resolve(path);
  await Deno.mkdir(dirname(whole), { recursive: true });
  const draft = await Deno.makeTempDir({ dir: dirname(whole), prefix: `.${basename(whole)}-` });
  const discard = () => Deno.removeSync(draft, { recursive: true });
  using _listening = onEndingSignal(discard);
  try {
    const result = await fill(draft);
    await Deno.chmod(draft, 0o755);
    await putInPlace(draft, whole);
    return result;
  } catch (error) {
    discard();
    throw error;
  }
}

/** A folder cannot be renamed onto one that holds something, so that one steps aside first. */
async function putInPlace(draft: string, whole: string): Promise<void> {
  const aside = `${draft}.old`;
  const stoodThere = await renamed(whole, aside);
  try {
    await Deno.rename(draft, whole);
  } catch (error) {
    if (stoodThere) await Deno.rename(aside, whole);
    throw error;
  }
  if (stoodThere) await Deno.remove(aside, { recursive: true });
}

/** False where there is nothing to rename. */
async function renamed(from: string, to: string): Promise<boolean> {
  try {
    await Deno.rename(from, to);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function onEndingSignal(discard: () => void): Disposable {
  const listeners = ENDING_SIGNALS.map(([signal, code]) => {
    const listener = () => {
      discard();
      Deno.exit(code);
    };
    Deno.addSignalListener(signal, listener);
    return () => Deno.removeSignalListener(signal, listener);
  });
  return { [Symbol.dispose]: () => listeners.forEach((remove) => remove()) };
}
