import { FOREIGN_PREFIX } from "./names.ts";

/**
 * Which foreign tools `--tools` leaves on. As with our own, plain names replace the default, which is
 * all of them, and `+` and `-` add and take away; `mcp__server` names all tools of a server. Pure.
 */
export function foreignSelection(list: readonly string[]): (name: string) => boolean {
  const replaced = list.some((item) => !/^[+-]/.test(item));
  const entries = list.map((item) => ({
    off: item.startsWith("-"),
    name: item.replace(/^[+-]/, ""),
  }))
    .filter(({ name }) => name.startsWith(FOREIGN_PREFIX));
  return (name) => {
    const last = entries.findLast((entry) =>
      name === entry.name || name.startsWith(`${entry.name}__`)
    );
    return last ? !last.off : !replaced;
  };
}
