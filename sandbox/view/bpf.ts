/** Where a comparison goes on: to the next instruction, or to a label further down. */
export type Label = string;

/** One instruction of a classic BPF program over the `seccomp_data` of a system call. */
export type Instruction =
  /** Loads the 32-bit word at this offset, in bytes. */
  | { readonly load: number }
  /** Masks what was loaded. */
  | { readonly and: number }
  /** Compares what was loaded with `value`, unsigned. */
  | {
    readonly test: "equal" | "at_least" | "any_bit";
    readonly value: number;
    readonly then?: Label;
    readonly otherwise?: Label;
  }
  /** Ends the program with a seccomp action. */
  | { readonly answer: number }
  /** A place to jump to; no instruction of its own. */
  | { readonly label: Label };

/** Codes of linux/bpf_common.h. */
const LOAD_WORD = 0x20;
const AND = 0x54;
const RETURN = 0x06;
const JUMPS = { equal: 0x15, at_least: 0x35, any_bit: 0x45 } as const;

/** A jump skips at most this many instructions: its offset is one byte. */
const FARTHEST_JUMP = 255;
const INSTRUCTION_BYTES = 8;

/**
 * The bytes of `struct sock_filter[]`, little-endian as on all machines that we build for.
 * @throws {RangeError} for a label that is unknown, behind its jump, or too far away.
 */
export function assemble(program: readonly Instruction[]): Uint8Array<ArrayBuffer> {
  const labels = labelPlaces(program);
  const code = program.filter((instruction) => !("label" in instruction));
  const bytes = new DataView(new ArrayBuffer(code.length * INSTRUCTION_BYTES));
  code.forEach((instruction, index) => {
    const { opcode, then, otherwise, operand } = encode(instruction, index, labels);
    const at = index * INSTRUCTION_BYTES;
    bytes.setUint16(at, opcode, true);
    bytes.setUint8(at + 2, then);
    bytes.setUint8(at + 3, otherwise);
    bytes.setUint32(at + 4, operand, true);
  });
  return new Uint8Array(bytes.buffer);
}

function labelPlaces(program: readonly Instruction[]): ReadonlyMap<Label, number> {
  const places = new Map<Label, number>();
  let index = 0;
  for (const instruction of program) {
    if ("label" in instruction) places.set(instruction.label, index);
    else index++;
  }
  return places;
}

interface Encoded {
  readonly opcode: number;
  readonly then: number;
  readonly otherwise: number;
  readonly operand: number;
}

function encode(
  instruction: Instruction,
  index: number,
  labels: ReadonlyMap<Label, number>,
): Encoded {
  const plain = { then: 0, otherwise: 0 };
  if ("load" in instruction) return { ...plain, opcode: LOAD_WORD, operand: instruction.load };
  if ("and" in instruction) return { ...plain, opcode: AND, operand: instruction.and };
  if ("answer" in instruction) return { ...plain, opcode: RETURN, operand: instruction.answer };
  if ("label" in instruction) throw new RangeError(`"${instruction.label}" is no instruction`);
  return {
    opcode: JUMPS[instruction.test],
    then: distance(instruction.then, index, labels),
    otherwise: distance(instruction.otherwise, index, labels),
    operand: instruction.value,
  };
}

function distance(
  label: Label | undefined,
  index: number,
  labels: ReadonlyMap<Label, number>,
): number {
  if (label === undefined) return 0;
  const place = labels.get(label);
  const skipped = (place ?? 0) - index - 1;
  if (place === undefined || skipped < 0 || skipped > FARTHEST_JUMP) {
    throw new RangeError(`Cannot jump to "${label}": ${skipped} instructions away`);
  }
  return skipped;
}
