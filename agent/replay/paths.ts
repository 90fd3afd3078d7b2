/** What may follow a path without being a part of it. */
const END = String.raw`(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])`;

/** A function that puts one path in the place of another, as a whole and before what lies below it. */
export function pathSwap(from: string, to: string): (text: string) => string {
  const pattern = new RegExp(from.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + END, "gu");
  return (text) => text.replaceAll(pattern, () => to);
}
