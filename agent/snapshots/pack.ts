import { deflateRawSync, inflateRawSync } from "node:zlib";

/** Where an object lies in a pack. */
export interface Slot {
  /** In bytes. */
  readonly offset: number;
  readonly length: number;
  readonly deflated: boolean;
}

/** Shorter objects are stored as they are, in bytes. */
const MIN_DEFLATED_BYTES = 256;

/** Bytes as they are stored: deflated where that saves at least a tenth. */
export function encodeObject(bytes: Uint8Array): { bytes: Uint8Array; deflated: boolean } {
  if (bytes.length < MIN_DEFLATED_BYTES) return { bytes, deflated: false };
  const shorter = deflateRawSync(bytes, { level: 1 });
  return shorter.length <= bytes.length * 0.9
    ? { bytes: shorter, deflated: true }
    : { bytes, deflated: false };
}

/** The opposite of {@linkcode encodeObject}. */
export function decodeObject(stored: Uint8Array, deflated: boolean): Uint8Array {
  return deflated ? new Uint8Array(inflateRawSync(stored)) : stored;
}

/** Bytes of a slot in an index: hash, offset, length, whether it is deflated. */
const SLOT_BYTES = 32 + 8 + 4 + 1;

/** The index of a pack as it lies on the disk. */
export function encodeIndex(slots: ReadonlyMap<string, Slot>): Uint8Array {
  const bytes = new Uint8Array(slots.size * SLOT_BYTES);
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const [hash, { offset, length, deflated }] of slots) {
    bytes.set(Uint8Array.fromHex(hash), at);
    view.setFloat64(at + 32, offset);
    view.setUint32(at + 40, length);
    view.setUint8(at + 44, deflated ? 1 : 0);
    at += SLOT_BYTES;
  }
  return bytes;
}

/** Reads an index; what follows its last whole slot is passed over. */
export function decodeIndex(bytes: Uint8Array): Map<string, Slot> {
  const slots = new Map<string, Slot>();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (let at = 0; at + SLOT_BYTES <= bytes.length; at += SLOT_BYTES) {
    slots.set(bytes.subarray(at, at + 32).toHex(), {
      offset: view.getFloat64(at + 32),
      length: view.getUint32(at + 40),
      deflated: view.getUint8(at + 44) === 1,
    });
  }
  return slots;
}
