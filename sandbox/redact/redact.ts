import { type ControlStripper, controlStripper } from "../commands/control.ts";
import { MORE, type Shape, tokenShapes } from "./token_shapes.ts";

/** A value that neither model, log nor screen may see. */
export interface Secret {
  /** Shown in its place: the name of its variable or file. */
  readonly name: string;
  readonly value: string;
}

/**
 * Puts `[redacted: NAME]` in place of secrets: the given values exactly as they are, and what looks
 * like a token or private key. It takes one pass, whatever the number of secrets. Control
 * sequences can tear a secret: strip them before (`control.ts`).
 */
export interface Redactor {
  /** The whole of a text. */
  redact(text: string): string;
  /** For text in pieces; finds what {@linkcode Redactor.redact} finds in the whole. */
  stream(): ControlStripper;
}

/** Shorter values are words by chance; in characters. */
export const MIN_SECRET_CHARS = 6;

/** A redactor of the given values; those shorter than {@linkcode MIN_SECRET_CHARS} are left out. */
export function createRedactor(secrets: readonly Secret[]): Redactor {
  const values = secrets.filter(({ value }) => value.length >= MIN_SECRET_CHARS);
  const index = indexOf([...values.map(literal), ...tokenShapes()]);
  const stream = () => redactionStream(index);
  return {
    stream,
    redact(text) {
      const whole = stream();
      return whole.strip(text) + whole.end();
    },
  };
}

/**
 * For raw output in pieces: control sequences are taken out first, so that none can tear a secret,
 * then secrets.
 */
export function cleanStream(redactor: Redactor): ControlStripper {
  const controls = controlStripper();
  const secrets = redactor.stream();
  return {
    strip: (text) => secrets.strip(controls.strip(text)),
    end: () => secrets.strip(controls.end()) + secrets.end(),
  };
}

/** A JSON value with every string in it redacted, names of members included. */
export function redactJson<T>(redactor: Redactor, value: T): T {
  // Strings stay strings and everything else stays as it is, so the type stays.
  return redactUnknown(redactor, value) as T;
}

/** The marker in place of a secret of this name. */
export function redactedMarker(name: string): string {
  return `[redacted: ${shownName(name)}]`;
}

/** A name that ends no marker and makes no line. */
function shownName(name: string): string {
  return name.replace(/[^\w .-]/g, "").slice(0, 60) || "secret";
}

function redactUnknown(redactor: Redactor, value: unknown): unknown {
  if (typeof value === "string") return redactor.redact(value);
  if (Array.isArray(value)) return value.map((item) => redactUnknown(redactor, item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [
      redactor.redact(name),
      redactUnknown(redactor, item),
    ]),
  );
}

/** A value as a shape: it ends where it ends. */
function literal({ name, value }: Secret): Shape {
  return {
    name: shownName(name),
    prefix: value,
    measure(text, at, final) {
      if (text.startsWith(value, at)) return value.length;
      const left = text.length - at;
      return !final && left < value.length && value.startsWith(text.slice(at)) ? MORE : 0;
    },
  };
}

/** Shapes by how they begin, so that most places of a text cost one look into a table. */
interface Index {
  readonly byPair: ReadonlyMap<number, readonly Shape[]>;
  /** For ASCII pairs, whether {@linkcode Index.byPair} has any. */
  readonly ascii: Uint8Array;
  /** First characters of all shapes. */
  readonly firsts: ReadonlySet<number>;
}

function indexOf(shapes: readonly Shape[]): Index {
  const byPair = new Map<number, Shape[]>();
  const ascii = new Uint8Array(1 << 14);
  for (const shape of shapes) {
    const [first, second] = [shape.prefix.charCodeAt(0), shape.prefix.charCodeAt(1)];
    const pair = first << 16 | second;
    byPair.set(pair, [...byPair.get(pair) ?? [], shape]);
    if (first < 128 && second < 128) ascii[first << 7 | second] = 1;
  }
  return { byPair, ascii, firsts: new Set(shapes.map(({ prefix }) => prefix.charCodeAt(0))) };
}

/** The next place from `at` where a shape may begin; the text's length where there is none. */
function nextPlace({ byPair, ascii, firsts }: Index, text: string, at: number): number {
  const last = text.length - 1;
  let first = text.charCodeAt(at);
  for (let place = at; place < last; place++) {
    const second = text.charCodeAt(place + 1);
    const may = (first | second) < 128
      ? ascii[first << 7 | second] === 1
      : byPair.has(first << 16 | second);
    if (may) return place;
    first = second;
  }
  return firsts.has(text.charCodeAt(last)) ? last : text.length;
}

/** What stands at a place of a text. */
type Found =
  | { readonly kind: "secret"; readonly shape: Shape; readonly length: number }
  | { readonly kind: "more" };

/** The longest secret at a place; undefined where there is none. */
function findAt(
  shapes: readonly Shape[],
  text: string,
  at: number,
  final: boolean,
): Found | undefined {
  let found: Found | undefined;
  let longest = 0;
  for (const shape of shapes) {
    const length = text.startsWith(shape.prefix.slice(0, text.length - at), at)
      ? measured(shape, text, at, final)
      : 0;
    if (length === MORE) return { kind: "more" };
    if (length > longest) {
      longest = length;
      found = { kind: "secret", shape, length };
    }
  }
  return found;
}

/** The prefix matches as far as the text goes. */
function measured(shape: Shape, text: string, at: number, final: boolean): number {
  if (text.length - at >= shape.prefix.length) return shape.measure(text, at, final);
  return final ? 0 : MORE;
}

function redactionStream(index: Index): ControlStripper {
  /** What has not been judged; the character before it has, and shapes look at that one. */
  let held = "";
  let before = "";
  let goingOn: Shape | undefined;

  function run(text: string, final: boolean): string {
    const all = before + held + text;
    let out = "";
    let at = before.length;
    let copied = at;
    while (at < all.length) {
      if (goingOn) {
        const { end, done } = goingOn.goOn?.(all, at, final) ?? { end: at, done: true };
        const waits = !done && end === at;
        at = copied = end;
        if (waits) break;
        if (done) goingOn = undefined;
        continue;
      }
      at = nextPlace(index, all, at);
      if (at === all.length) break;
      const found = foundAt(index, all, at, final);
      if (found === undefined) at++;
      else if (found.kind === "more") break;
      else {
        out += `${all.slice(copied, at)}[redacted: ${found.shape.name}]`;
        at = copied = at + found.length;
        if (found.shape.goOn) goingOn = found.shape;
      }
    }
    out += all.slice(copied, at);
    before = at > 0 ? all.slice(at - 1, at) : "";
    held = all.slice(at);
    return out;
  }

  return {
    strip: (text) => run(text, false),
    end() {
      const rest = run("", true);
      held = before = "";
      goingOn = undefined;
      return rest;
    },
  };
}

/** {@linkcode findAt} where a second character is there; a first one alone may have to wait for it. */
function foundAt({ byPair }: Index, text: string, at: number, final: boolean): Found | undefined {
  if (at + 1 === text.length) return final ? undefined : { kind: "more" };
  const shapes = byPair.get(text.charCodeAt(at) << 16 | text.charCodeAt(at + 1));
  return shapes && findAt(shapes, text, at, final);
}
