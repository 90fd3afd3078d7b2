import type { Finding } from "./classification.ts";
import type { Literal } from "./literals.ts";
import type { Program } from "./programs.ts";

/** What a flag takes. */
type Value = "none" | "text" | "path" | "optional";

/** A program's flags, ready to look up. */
interface FlagTable {
  readonly values: ReadonlyMap<string, Value>;
  readonly endless: ReadonlySet<string>;
  readonly pattern: ReadonlySet<string>;
  readonly required: ReadonlySet<string>;
}

/** A program's words sorted by what they are, or what is wrong with them. */
export interface Sorted {
  readonly paths: readonly Literal[];
  readonly finding?: Finding;
}

const tables = new WeakMap<Program, FlagTable>();

/** Sorts `args` by the flags that `program` permits; the first word that it does not know ends it. */
export function sortArguments(name: string, program: Program, args: readonly Literal[]): Sorted {
  if (program.verbatim) return { paths: [] };
  if (program.alone && args.length > 0) return { paths: [], finding: runsAnything(name) };
  return new Sorter(name, program, args).sort();
}

class Sorter {
  readonly #paths: Literal[] = [];
  readonly #operands: Literal[] = [];
  readonly #seen = new Set<string>();
  readonly #table: FlagTable;
  #at = 0;

  constructor(
    readonly name: string,
    readonly program: Program,
    readonly args: readonly Literal[],
  ) {
    this.#table = tableOf(program);
  }

  sort(): Sorted {
    let flagsEnded = false;
    for (; this.#at < this.args.length; this.#at++) {
      const arg = this.args[this.#at];
      if (arg === undefined) break;
      if (!flagsEnded && arg.text === "--") flagsEnded = true;
      else if (!flagsEnded && arg.startsWild) return this.#fail(wild(arg));
      else if (!flagsEnded && /^-./.test(arg.text)) {
        const finding = this.#flag(arg);
        if (finding) return this.#fail(finding);
      } else {
        this.#operands.push(arg);
        if (this.program.flagsFirst) flagsEnded = true;
      }
    }
    const finding = this.#requirements() ?? this.#operandFinding();
    return finding ? this.#fail(finding) : { paths: this.#paths };
  }

  #fail(finding: Finding): Sorted {
    return { paths: this.#paths, finding };
  }

  #flag(arg: Literal): Finding | undefined {
    const { text } = arg;
    if (arg.isGlob) return flagFinding(this.name, text, "may become another flag");
    if (/^-\d+$/.test(text) && this.#table.values.has("-#")) return undefined;
    if (text.startsWith("--") || this.#table.values.has(text)) return this.#longFlag(arg);
    return this.#shortFlags(arg);
  }

  #longFlag(arg: Literal): Finding | undefined {
    const equals = arg.text.indexOf("=");
    const flag = equals < 0 ? arg.text : arg.text.slice(0, equals);
    const value = this.#table.values.get(flag);
    if (value === undefined || (value === "none" && equals >= 0)) return this.#unknown(flag);
    this.#seen.add(flag);
    if (value === "none" || (value === "optional" && equals < 0)) return undefined;
    return equals < 0 ? this.#nextValue(flag, value) : this.#take(value, arg, equals + 1);
  }

  /** `-la`, `-n5`, `-n 5`: every letter must be known until one takes the rest. */
  #shortFlags(arg: Literal): Finding | undefined {
    for (let at = 1; at < arg.text.length; at++) {
      const flag = `-${arg.text[at]}`;
      const value = this.#table.values.get(flag);
      if (value === undefined) return this.#unknown(flag);
      this.#seen.add(flag);
      if (value === "none") continue;
      if (at + 1 === arg.text.length) return this.#nextValue(flag, value);
      return this.#take(value, arg, at + 1);
    }
    return undefined;
  }

  #unknown(flag: string): Finding {
    if (this.#table.endless.has(flag)) {
      return { code: "non_terminating", detail: `"${this.name} ${flag}" does not end by itself` };
    }
    return flagFinding(this.name, flag, "is not known as read-only");
  }

  /**
   * The next word as a flag's value. It is judged as a flag too where it looks like one: programs
   * differ on whether such a word is swallowed.
   */
  #nextValue(flag: string, value: Value): Finding | undefined {
    const next = this.args[this.#at + 1];
    if (next === undefined) return flagFinding(this.name, flag, "lacks its value");
    if (next.startsWild) return wild(next);
    if (/^-./.test(next.text)) {
      const isNumber = /^-\d+$/.test(next.text);
      return isNumber || this.#isKnown(next.text) ? this.#skip(value, next) : this.#unknown(
        next.text,
      );
    }
    return this.#skip(value, next);
  }

  #skip(value: Value, next: Literal): undefined {
    this.#at += 1;
    return this.#take(value, next, 0);
  }

  #isKnown(text: string): boolean {
    if (text === "--") return false;
    if (text.startsWith("--")) return this.#table.values.has(text.split("=")[0] ?? text);
    return [...text.slice(1)].every((letter) => this.#table.values.has(`-${letter}`));
  }

  #take(value: Value, arg: Literal, from: number): undefined {
    if (value === "path") this.#paths.push({ ...arg, text: arg.text.slice(from) });
  }

  #requirements(): Finding | undefined {
    const { required } = this.#table;
    if (required.size === 0 || [...required].some((flag) => this.#seen.has(flag))) return undefined;
    return runsAnything(this.name);
  }

  #operandFinding(): Finding | undefined {
    const { operands = "paths", maxOperands = Infinity, operandForm } = this.program;
    const [first] = this.#operands;
    if (operands === "none" && first) {
      return flagFinding(this.name, first.text, "is not an argument of its read-only form");
    }
    const extra = this.#operands[maxOperands];
    if (extra) return flagFinding(this.name, extra.text, "would be written to");
    const odd = operandForm && this.#operands.find(({ text }) => !operandForm.test(text));
    if (odd) return flagFinding(this.name, odd.text, "is not known as read-only");
    const patternGiven = [...this.#table.pattern].some((flag) => this.#seen.has(flag));
    const from = operands === "pattern" && !patternGiven ? 1 : 0;
    if (operands === "paths" || operands === "pattern") {
      this.#paths.push(...this.#operands.slice(from));
    }
    return undefined;
  }
}

function runsAnything(name: string): Finding {
  return { code: "not_allowlisted", detail: `"${name}" may run any program` };
}

function wild(arg: Literal): Finding {
  return { code: "expansion", detail: `the names that "${arg.text}" matches may be flags` };
}

/** A finding about one word of a program. */
export function flagFinding(program: string, word: string, what: string): Finding {
  return { code: "flag", detail: `"${word}" of ${program || "the program"} ${what}` };
}

function tableOf(program: Program): FlagTable {
  const known = tables.get(program);
  if (known) return known;
  const table = {
    values: new Map(words(`${program.flags ?? ""} --help --version`).map(parseFlag)),
    endless: new Set(words(program.endless)),
    pattern: new Set(words(program.patternFlags)),
    required: new Set(words(program.requires)),
  };
  tables.set(program, table);
  return table;
}

function words(text: string | undefined): string[] {
  return text?.split(" ").filter((word) => word !== "") ?? [];
}

function parseFlag(spec: string): [flag: string, value: Value] {
  if (spec.endsWith("=@")) return [spec.slice(0, -2), "path"];
  if (spec.endsWith("=")) return [spec.slice(0, -1), "text"];
  if (spec.endsWith("?")) return [spec.slice(0, -1), "optional"];
  return [spec, "none"];
}
