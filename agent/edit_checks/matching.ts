import picomatch from "picomatch";

/**
 * Whether a file's name, relative to the workspace, fits a glob; one without a slash is about the
 * last part of the name, as in ignore files.
 */
export function matcherOf(glob: string): (name: string) => boolean {
  const matches = picomatch(glob, { dot: true, basename: !glob.includes("/") });
  return (name) => matches(name);
}
