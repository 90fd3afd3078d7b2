/**
 * Bash that becomes the project's Python: a virtual environment in the workspace (as uv and poetry
 * make it) or the one that is active, else the first on PATH. One that does not start is passed over:
 * a virtual environment may have been made elsewhere, a shim may lead to what is not in view.
 * Arguments: the workspace, then those of Python.
 */
const FIND = `
workspace=$1
shift
starts() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 8))' 2>/dev/null </dev/null; }
for folder in "$workspace/.venv" "$VIRTUAL_ENV" "$workspace/venv" "$CONDA_PREFIX"; do
  [[ $folder && -x $folder/bin/python ]] && starts "$folder/bin/python" || continue
  export VIRTUAL_ENV=$folder PATH=$folder/bin:$PATH
  exec "$folder/bin/python" "$@"
done
unset VIRTUAL_ENV
mapfile -t found < <(type -aP python3)
for python in "\${found[@]}"; do starts "$python" && exec "$python" "$@"; done
echo "no python3 of version 3.8 or later starts here" >&2
exit 127`;

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
