/** A folder that is there whole or not at all. */
import { basename, dirname, resolve } from "node:path";
import { ENDING_SIGNALS } from "../ending_signals.ts";

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
    putInPlace(draft, whole);
    return result;
  } catch (error) {
    discard();
    throw error;
  }
}

/**
 * A folder cannot be renamed onto one that holds something, so that one steps aside first. All at
 * once, since a signal that came between would find neither in place.
 */
function putInPlace(draft: string, whole: string): void {
  const aside = `${draft}.old`;
  const stoodThere = renamed(whole, aside);
  try {
    Deno.renameSync(draft, whole);
  } catch (error) {
    if (stoodThere) Deno.renameSync(aside, whole);
    throw error;
  }
  if (stoodThere) Deno.removeSync(aside, { recursive: true });
}

/** False where there is nothing to rename. */
function renamed(from: string, to: string): boolean {
  try {
    Deno.renameSync(from, to);
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
