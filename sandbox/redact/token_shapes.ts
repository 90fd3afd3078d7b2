/** Answer of {@linkcode Shape.measure} where the text so far cannot tell. */
export const MORE = -1;

/** A kind of secret that is known by its look. */
export interface Shape {
  /** What the place of a secret is called. */
  readonly name: string;
  /** How each begins; at least two characters. */
  readonly prefix: string;
  /**
   * The length of a secret at `at`, where the prefix has been found; 0 for none, {@linkcode MORE}
   * where `text` ends too soon and is not `final`. Waits for no more than some thousand characters.
   */
  measure(text: string, at: number, final: boolean): number;
  /** Where a secret that has been measured goes on to, from `at`; absent for one of fixed length. */
  goOn?(text: string, at: number, final: boolean): Continuation;
}

/** What belongs to a secret that is already known as one. */
export interface Continuation {
  /** The characters before it belong to the secret. */
  readonly end: number;
  /** Whether the secret ends there; else it is to be asked again from there, or has to wait. */
  readonly done: boolean;
}

/** As much of a secret is looked at before it is judged, in characters. */
export const MAX_LOOK = 2048;

const ALNUM = /[A-Za-z0-9]*/y;
const WORD = /[A-Za-z0-9_]*/y;
const WEB = /[A-Za-z0-9_-]*/y;
const DOTTED = /[A-Za-z0-9_.-]*/y;
const HEX = /[a-f0-9]*/y;
const UPPER = /[A-Z0-9]*/y;

/**
 * Tokens by their documented prefixes: name, prefixes, what follows, and how much of it at least
 * (at most what `exact` says). A run without a digit is a word and no token.
 */
const TOKENS: readonly (readonly [name: string, prefixes: string, run: RegExp, min: number])[] = [
  ["API key", "sk- gsk_ xai- pplx- sk_ant_", WEB, 20],
  ["GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", ALNUM, 30],
  ["GitHub token", "github_pat_", WORD, 22],
  ["GitLab token", "glpat- gldt- glrt-", WEB, 20],
  ["Slack token", "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xapp-", WEB, 20],
  ["Google key", "AIza", WEB, 35],
  ["Google token", "ya29. GOCSPX-", WEB, 20],
  ["Stripe key", "sk_live_ rk_live_ sk_test_ rk_test_ whsec_", ALNUM, 16],
  ["npm token", "npm_", ALNUM, 36],
  ["PyPI token", "pypi-", WEB, 50],
  ["Hugging Face token", "hf_", ALNUM, 30],
  ["Replicate token", "r8_", ALNUM, 30],
  ["DigitalOcean token", "dop_v1_ doo_v1_", HEX, 60],
  ["Databricks token", "dapi", HEX, 32],
  ["Shopify token", "shpat_ shpss_ shpca_", HEX, 32],
  ["SendGrid key", "SG.", DOTTED, 50],
  ["Linear key", "lin_api_", ALNUM, 30],
  ["Docker token", "dckr_pat_", WEB, 20],
  ["Vault token", "hvs. hvb.", WEB, 24],
  ["Atlassian token", "ATATT3x", WEB, 50],
  ["age key", "AGE-SECRET-KEY-1", UPPER, 50],
];

/** AWS key ids have this length after their prefix, neither less nor more. */
const AWS_ID_LENGTH = 16;

/** A token has a digit among so many characters. */
const DIGIT_CHARS = 100;

/** Every shape; none of them is a word of a program or a sentence. */
export function tokenShapes(): Shape[] {
  return [
    ...TOKENS.flatMap(([name, prefixes, run, min]) => {
      const hasLook = (rest: string) => rest.length >= min && /\d/.test(rest.slice(0, DIGIT_CHARS));
      return prefixes.split(" ").map((prefix) => token(name, prefix, run, hasLook));
    }),
    ...["AKIA", "ASIA"].map((prefix) =>
      token("AWS key id", prefix, UPPER, (rest) => rest.length === AWS_ID_LENGTH)
    ),
    webToken(),
    PRIVATE_KEY,
  ];
}

function token(
  name: string,
  prefix: string,
  run: RegExp,
  isToken: (rest: string) => boolean,
): Shape {
  const endOf = runEnds(run);
  return {
    name,
    prefix,
    measure(text, at, final) {
      if (isInWord(text, at)) return 0;
      const start = at + prefix.length;
      const limit = at + MAX_LOOK;
      const end = Math.min(endOf(text, start), limit);
      if (end === text.length && end < limit && !final) return MORE;
      return isToken(text.slice(start, end)) ? end - at : 0;
    },
    goOn: (text, at) => continued(run, text, at),
  };
}

/** After the header: a dot, and the beginning of the claims. */
const CLAIMS = /^\.eyJ[A-Za-z0-9_-]{8}$/;
const CLAIMS_CHARS = 12;
const MIN_HEADER_CHARS = 12;

/** RFC 7519: a header and claims, both JSON objects in base64url, and mostly a signature. */
function webToken(): Shape {
  const endOf = runEnds(WEB);
  return {
    name: "JSON web token",
    prefix: "eyJ",
    measure(text, at, final) {
      if (isInWord(text, at)) return 0;
      const dot = endOf(text, at);
      if (dot - at >= MAX_LOOK || (dot < text.length && text[dot] !== ".")) return 0;
      if (text.length - dot < CLAIMS_CHARS && !final) return MORE;
      const isToken = dot - at >= MIN_HEADER_CHARS &&
        CLAIMS.test(text.slice(dot, dot + CLAIMS_CHARS));
      return isToken ? dot + CLAIMS_CHARS - at : 0;
    },
    goOn: (text, at) => continued(DOTTED, text, at),
  };
}

/** "risk-..." holds the prefix of a key, as does a long run of base64. */
function isInWord(text: string, at: number): boolean {
  return at > 0 && /[A-Za-z0-9]/.test(text[at - 1] ?? "");
}

function continued(run: RegExp, text: string, at: number): Continuation {
  const end = endOfRun(run, text, at);
  return { end, done: end < text.length };
}

function endOfRun(run: RegExp, text: string, at: number): number {
  run.lastIndex = at;
  return at + (run.exec(text)?.[0].length ?? 0);
}

/** {@linkcode endOfRun} that looks at each run of a text once, however often it is asked in it. */
function runEnds(run: RegExp): (text: string, at: number) => number {
  let last = { text: "", from: 0, end: 0 };
  return (text, at) => {
    const known = last.text === text && at >= last.from && at <= last.end;
    if (!known) last = { text, from: at, end: endOfRun(run, text, at) };
    return last.end;
  };
}

const KEY_BEGIN = /-----BEGIN (?:[A-Z0-9]{1,20} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const MAX_KEY_BEGIN = 100;
const KEY_END = /-----END [A-Z0-9 ]{1,60}-----/;
const MAX_KEY_END = 80;

/** What stands in a block: base64, its header fields, line ends (also escaped), numbers of lines. */
const KEY_BODY = /[A-Za-z0-9+/=\s:,.\\|→-]*/y;

/** Lines of a key have 64 characters or more; what stands behind a mere mention has no such word. */
const KEY_LINE = /[A-Za-z0-9+/=]{40}/;

/** So much of a block is looked at in one go, in characters. */
const KEY_WINDOW = 32 * 1024;

/** RFC 7468 and OpenPGP. Of a block without an end everything is taken that may stand in one. */
const PRIVATE_KEY: Shape = {
  name: "private key",
  prefix: "-----BEGIN ",
  measure(text, at, final) {
    KEY_BEGIN.lastIndex = at;
    const begin = KEY_BEGIN.exec(text)?.[0];
    if (begin === undefined) {
      const rest = text.slice(at, at + MAX_KEY_BEGIN);
      const mayBegin = rest.length < MAX_KEY_BEGIN && /^[A-Z0-9 -]*$/.test(rest);
      return mayBegin && !final ? MORE : 0;
    }
    const start = at + begin.length;
    const seen = text.slice(start, start + MAX_LOOK);
    const body = seen.slice(0, endOfRun(KEY_BODY, seen, 0)).split("-----", 1)[0] ?? "";
    if (KEY_LINE.test(body)) return begin.length;
    const open = body.length === seen.length && body.length < MAX_LOOK;
    return open && !final ? MORE : 0;
  },
  goOn(text, at, final) {
    const window = text.slice(at, at + KEY_WINDOW);
    const run = endOfRun(KEY_BODY, window, 0);
    const end = KEY_END.exec(window.slice(0, run));
    if (end) return { end: at + end.index + end[0].length, done: true };
    if (run < window.length) return { end: at + run, done: true };
    if (final && at + run === text.length) return { end: text.length, done: true };
    // What may be a part of the end is looked at again.
    return { end: at + Math.max(0, run - MAX_KEY_END), done: false };
  },
};
