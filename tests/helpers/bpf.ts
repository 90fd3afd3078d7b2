/** What a filter is asked: `struct seccomp_data` of linux/seccomp.h. */
export interface Call {
  /** AUDIT_ARCH_* of the caller. */
  readonly arch: number;
  readonly number: number;
  /** The arguments, each as its low 32 bits. */
  readonly args?: readonly number[];
}

/** Runs a classic BPF program as the kernel does, and answers its action. */
export function runFilter(program: Uint8Array, call: Call): number {
  const code = new DataView(program.buffer, program.byteOffset, program.byteLength);
  const data = seccompData(call);
  let accumulator = 0;
  for (let index = 0; index * 8 < program.length; index++) {
    const opcode = code.getUint16(index * 8, true);
    const [then, otherwise] = [code.getUint8(index * 8 + 2), code.getUint8(index * 8 + 3)];
    const operand = code.getUint32(index * 8 + 4, true);
    switch (opcode) {
      case 0x20:
        accumulator = data.getUint32(operand, true);
        break;
      case 0x54:
        accumulator = (accumulator & operand) >>> 0;
        break;
      case 0x15:
        index += accumulator === operand ? then : otherwise;
        break;
      case 0x35:
        index += accumulator >= operand ? then : otherwise;
        break;
      case 0x45:
        index += (accumulator & operand) !== 0 ? then : otherwise;
        break;
      case 0x06:
        return operand;
      default:
        throw new RangeError(`No such instruction: ${opcode}`);
    }
  }
  throw new RangeError("The program ran past its end");
}

function seccompData({ arch, number, args = [] }: Call): DataView {
  const data = new DataView(new ArrayBuffer(64));
  data.setUint32(0, number, true);
  data.setUint32(4, arch, true);
  args.forEach((value, index) => data.setUint32(16 + 8 * index, value, true));
  return data;
}
