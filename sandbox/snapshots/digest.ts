import { hash } from "node:crypto";

/** SHA-256 in hex. */
export function digestOf(bytes: Uint8Array): string {
  return hash("sha256", bytes, "hex");
}
