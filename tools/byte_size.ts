/** A number of bytes for people: `512 bytes`, `3.1 KB`, `64 MB` (KB of 1024 bytes). */
export function byteSize(bytes: number): string {
  if (bytes < 1024) return bytes === 1 ? "1 byte" : `${bytes} bytes`;
  const units = ["KB", "MB", "GB"];
  let value = bytes;
  let unit = "bytes";
  for (const next of units) {
    if (value < 1024) break;
    value /= 1024;
    unit = next;
  }
  return `${value < 10 ? Number(value.toFixed(1)) : Math.round(value)} ${unit}`;
}
