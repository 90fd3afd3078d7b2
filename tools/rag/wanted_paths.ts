import { matcher } from "../../sandbox/files/walk.ts";

/**
 * Which files a `path` of the model means, relative to the workspace `root` (absolute): those that
 * match it as a glob (without "/" over names), and, where it names a folder, all below it. It may be
 * absolute itself.
 */
export function wantedPaths(path: string, root: string): (file: string) => boolean {
  const plain = relativePath(path, root).replace(/\/+$/, "");
  if (plain === "" || plain === ".") return () => true;
  const matches = matcher({ pattern: plain, byName: true, hidden: true });
  return (file) => matches(file) || file.startsWith(`${plain}/`);
}

function relativePath(path: string, root: string): string {
  if (path === root) return "";
  if (path.startsWith(`${root}/`)) return path.slice(root.length + 1);
  return path.replace(/^(?:\.\/+)+/, "");
}
