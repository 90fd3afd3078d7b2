/**
 * Bash that becomes the project's Python: a virtual environment in the workspace (as uv and poetry
 * make it) or the one that is active, else the system's. One that does not start, since it was made
 * elsewhere, is passed over. Arguments: the workspace, then those of Python.
 */
const FIND = `
workspace=$1
shift
for folder in "$workspace/.venv" "$VIRTUAL_ENV" "$workspace/venv" "$CONDA_PREFIX"; do
  python=$folder/bin/python
  [[ $folder && -x $python ]] || continue
  "$python" -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null </dev/null || continue
  export VIRTUAL_ENV=$folder PATH=$folder/bin:$PATH
  exec "$python" "$@"
done
unset VIRTUAL_ENV
exec python3 "$@"`;

/**
 * The first thing that the interpreter does: it reads the driver, whose length comes in eight
 * digits before it. The working folder is off the path until then, since a file there may be named
 * like a module that the driver imports.
 */
const BOOT = `
import os, sys
if sys.path and sys.path[0] == "": del sys.path[0]
left = int(os.read(0, 8))
text = b""
while len(text) < left: text += os.read(0, left - len(text))
exec(compile(text, "<cordon>", "exec"), {"__name__": "cordon"})`;

/** The argument array that starts the project's interpreter, waiting for its driver. */
export function interpreterArguments(workspace: string): [string, ...string[]] {
  const find = ["bash", "--noprofile", "--norc", "-c", FIND, "cordon", workspace] as const;
  return [...find, "-c", BOOT];
}

/** The driver as the interpreter reads it first. */
export function withLength(driver: Uint8Array): Uint8Array {
  const length = new TextEncoder().encode(String(driver.length).padStart(8, "0"));
  const whole = new Uint8Array(length.length + driver.length);
  whole.set(length);
  whole.set(driver, length.length);
  return whole;
}
