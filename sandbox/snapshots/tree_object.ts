import * as z from "zod";
import { byName } from "../files/list.ts";
import type { TreeEntry } from "./entry.ts";

/** A folder's listing as bytes, the same for the same content; its hash names the folder's state. */
export function encodeTree(entries: Iterable<readonly [string, TreeEntry]>): Uint8Array {
  const rows = [...entries].sort(([a], [b]) => byName(a, b)).map(([name, entry]) => {
    switch (entry.kind) {
      case "file":
        return [name, "file", entry.mode, entry.size, entry.hash];
      case "link":
        return [name, "link", entry.target];
      case "folder":
        return [name, "folder", entry.mode, entry.tree];
      case "left_out":
        return [name, "left_out", entry.why];
    }
  });
  return new TextEncoder().encode(JSON.stringify(rows));
}

const row = z.union([
  z.tuple([z.string(), z.literal("file"), z.int(), z.int(), z.string()]),
  z.tuple([z.string(), z.literal("link"), z.string()]),
  z.tuple([z.string(), z.literal("folder"), z.int(), z.string()]),
  z.tuple([z.string(), z.literal("left_out"), z.string()]),
]);

/**
 * Reads a folder's listing back.
 * @throws {SyntaxError} where the bytes are none.
 */
export function decodeTree(bytes: Uint8Array): Map<string, TreeEntry> {
  const rows = z.array(row).safeParse(JSON.parse(new TextDecoder().decode(bytes)));
  if (!rows.success) throw new SyntaxError("Cannot read a snapshot: it is no listing of a folder");
  return new Map(rows.data.map((found): [string, TreeEntry] => {
    switch (found[1]) {
      case "file":
        return [found[0], { kind: "file", mode: found[2], size: found[3], hash: found[4] }];
      case "link":
        return [found[0], { kind: "link", target: found[2] }];
      case "folder":
        return [found[0], { kind: "folder", mode: found[2], tree: found[3] }];
      case "left_out":
        return [found[0], { kind: "left_out", why: found[2] }];
    }
  }));
}
