/**
 * Node's file functions, loaded when they are first used: that costs 15 ms, which `--version`, and a
 * text answer in a view, need not spend. A dynamic import would do it too, but not synchronously.
 */
export function nodeFs(): typeof import("node:fs") {
  // deno-lint-ignore no-process-global -- importing node:process loads as much as it is to spare
  return process.getBuiltinModule("node:fs");
}
