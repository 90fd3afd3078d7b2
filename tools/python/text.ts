import { byteSize } from "../byte_size.ts";
import { exitMarker, joinParts, outputParts, truncationMarker } from "../command_text.ts";
import type { Content } from "../tool.ts";
import type { PythonImage, PythonValue } from "./value.ts";

/** What the model reads of a cell: stdout, `[stderr]` and stderr, files, markers; then images. */
export function renderCell(value: PythonValue): Content[] {
  const { requested_timeout_ms: requested, timeout_ms: limit } = value;
  const text = joinParts([
    ...outputParts(value),
    requested === undefined ? "" : `[timeout_ms ${requested} is too long: ${limit} used]`,
    ...value.images.map(imageLine),
    ...markers(value),
  ]);
  return [
    { type: "text", text },
    ...value.images.flatMap(({ blob, media_type }): Content[] =>
      blob === undefined ? [] : [{ type: "image", blob, mediaType: media_type }]
    ),
  ];
}

function imageLine({ path, bytes, blob }: PythonImage): string {
  const what = path === "" ? "figure" : path;
  return `[image: ${what}, ${byteSize(bytes)}${blob === undefined ? ", too large to show" : ""}]`;
}

function markers(value: PythonValue): string[] {
  return [
    value.interrupted ? "[interrupted]" : "",
    value.timed_out ? `[timed out after ${value.timeout_ms}ms]` : "",
    exitMarker(value),
    value.state_lost
      ? "[interpreter ended: its variables are lost, the next call starts anew]"
      : "",
    truncationMarker(value),
  ];
}
