import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import fc from "fast-check";
import {
  cleanStream,
  createRedactor,
  redactJson,
  type Redactor,
  type Secret,
} from "../../../sandbox/redact/redact.ts";
import { secretFileKind, secretValues } from "../../../sandbox/redact/secret_values.ts";

/** Put together here, so that no scanner takes this file for a leak. */
const AFTER = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8";
const GITHUB = `ghp_${AFTER}`;
const AWS = "AKIA" + "ABCDEFGH12345678";
const WEB_TOKEN = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${AFTER}`;
const LINES = Array.from({ length: 5 }, (_, index) => `${AFTER}${AFTER.slice(0, 28)}`.slice(index));
const PEM = `-----BEGIN RSA PRIVATE KEY-----\n${LINES.join("\n")}\n-----END RSA PRIVATE KEY-----`;

const OWN: Secret[] = [
  { name: "OPENAI_API_KEY", value: "own-key-value-1" },
  { name: "LONGER", value: "own-key-value-1-and-more" },
  { name: "odd\n]name", value: "päss wörd\u202e" },
  { name: "SHORT", value: "abc" },
];

Deno.test("Redactor.redact()", async (t) => {
  const redactor = createRedactor(OWN);
  const cases: [name: string, text: string, want: string][] = [
    ["nothing", "", ""],
    ["a value", "key=own-key-value-1;", "key=[redacted: OPENAI_API_KEY];"],
    ["the longest value", "own-key-value-1-and-more", "[redacted: LONGER]"],
    ["a value twice", "own-key-value-1own-key-value-1", "[redacted: OPENAI_API_KEY]".repeat(2)],
    ["a value within a word", "xown-key-value-1x", "x[redacted: OPENAI_API_KEY]x"],
    ["the beginning of a value", "own-key-value-", "own-key-value-"],
    ["a value in another case", "OWN-KEY-VALUE-1", "OWN-KEY-VALUE-1"],
    ["a value beyond ASCII", "a päss wörd\u202e b", "a [redacted: oddname] b"],
    ["a value that is a word by chance", "abc", "abc"],
    ["a GitHub token", `GITHUB_TOKEN=${GITHUB}\n`, "GITHUB_TOKEN=[redacted: GitHub token]\n"],
    ["a token in quotes", `"${GITHUB}"`, '"[redacted: GitHub token]"'],
    ["an API key", `sk-proj-${AFTER}`, "[redacted: API key]"],
    ["an API key with a long end", `sk-${AFTER.repeat(300)} x`, "[redacted: API key] x"],
    ["an AWS key id", `id ${AWS}, x`, "id [redacted: AWS key id], x"],
    ["a web token", `Bearer ${WEB_TOKEN}`, "Bearer [redacted: JSON web token]"],
    ["a private key", `a ${PEM} b`, "a [redacted: private key] b"],
    ["a private key in JSON", JSON.stringify({ key: PEM }), '{"key":"[redacted: private key]"}'],
    ["two private keys", `${PEM}\n${PEM}`, "[redacted: private key]\n[redacted: private key]"],
    [
      "a private key with numbered lines",
      PEM.replace(/^/gm, "  12\t"),
      "  12\t[redacted: private key]",
    ],
    ["a private key without its end", PEM.slice(0, 200), "[redacted: private key]"],
    [
      "an OpenPGP key",
      PEM.replaceAll("RSA PRIVATE KEY", "PGP PRIVATE KEY BLOCK"),
      "[redacted: private key]",
    ],
  ];
  for (const [name, text, want] of cases) {
    await t.step(name, () => strictEqual(redactor.redact(text), want));
  }
});

Deno.test("Redactor.redact() leaves programs and prose alone", async (t) => {
  const redactor = createRedactor([]);
  const texts = [
    "risk-assessment-of-the-2024-project-and-more",
    "class sk-some-long-name-of-a-css-class",
    `const begin = "-----BEGIN PRIVATE KEY-----";\nif (a) { throw new Error("x"); }`,
    "a file with -----BEGIN PRIVATE KEY----- in it and then a lot of prose that goes on and on",
    PEM.replaceAll("RSA PRIVATE KEY", "CERTIFICATE"),
    "npm_config_registry=https://registry.example.test npm_package_version",
    `AKIA${"A".repeat(17)} AKIA123`,
    `${AFTER}AKIAABCDEFGH12345678`,
    "eyJhbGciOiJIUzI1NiJ9 alone, and eyJhbGciOiJIUzI1NiJ9.notclaims",
    "xoxb-short hf_transformers ghp_short",
  ];
  for (const text of texts) {
    await t.step(text.slice(0, 40), () => strictEqual(redactor.redact(text), text));
  }
});

function inPieces(redactor: Redactor, text: string, sizes: readonly number[]): string {
  const stream = redactor.stream();
  let out = "";
  let at = 0;
  for (const size of sizes) {
    out += stream.strip(text.slice(at, at + size));
    at += size;
  }
  return out + stream.strip(text.slice(at)) + stream.end();
}

/** Text made of secrets, their parts, and what looks like them. */
const fragment = fc.oneof(
  fc.constantFrom(
    ...[GITHUB, AWS, WEB_TOKEN, PEM, `sk-${AFTER}`, ...OWN.map(({ value }) => value)],
    ..."sk- ghp_ eyJ AKIA ----- -----BEGIN .eyJ own- \n".split(" "),
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    " ",
    "x".repeat(2100),
  ),
  fc.tuple(fc.constantFrom(GITHUB, PEM, WEB_TOKEN, "own-key-value-1-and-more"), fc.nat(120)).map(
    ([text, end]) => text.slice(0, end),
  ),
  fc.string({ maxLength: 5 }),
);
const texts = fc.array(fragment, { maxLength: 12, size: "max" }).map((parts) => parts.join(""));
const sizes = fc.array(fc.oneof(fc.nat(3), fc.nat(100)), { maxLength: 200, size: "max" });

Deno.test("Redactor.stream() finds in pieces what redact() finds in the whole", () => {
  const redactor = createRedactor(OWN);
  fc.assert(
    fc.property(texts, sizes, (text, sizes) => {
      strictEqual(inPieces(redactor, text, sizes), redactor.redact(text));
    }),
    { numRuns: 500 },
  );
});

Deno.test("Redactor.redact() leaves no given value, and all that is none", () => {
  const redactor = createRedactor(OWN);
  const words = fc.array(fc.constantFrom("one", " ", "own", "-", "key", "own-key-value-1"));
  fc.assert(fc.property(words.map((parts) => parts.join("")), (text) => {
    const shown = redactor.redact(text);
    ok(!shown.includes("own-key-value-1"));
    strictEqual(shown.replaceAll("[redacted: OPENAI_API_KEY]", "own-key-value-1"), text);
  }));
});

Deno.test("Redactor.stream() holds no more back than it must", () => {
  const stream = createRedactor(OWN).stream();
  strictEqual(stream.strip("a line\n"), "a line\n");
  strictEqual(stream.strip("own-key"), "");
  strictEqual(stream.strip("s are fine\n"), "own-keys are fine\n");
  // A token's end is not awaited for ever.
  let shown = stream.strip(`sk-${AFTER}`);
  for (let piece = 0; piece < 200; piece++) shown += stream.strip(AFTER);
  strictEqual(shown, "[redacted: API key]");
  strictEqual(stream.strip("\n"), "\n");
  strictEqual(stream.end(), "");
});

Deno.test("cleanStream() finds a secret that control sequences tear", () => {
  const stream = cleanStream(createRedactor(OWN));
  const text = "a own-\x1b[31mkey-val\x1b]0;t\x07ue-1\x1b[0m b\r";
  const shown = [...text].map((char) => stream.strip(char)).join("") + stream.end();
  strictEqual(shown, "a [redacted: OPENAI_API_KEY] b\n");
});

Deno.test("redactJson() takes secrets out of every string and leaves the rest", () => {
  const value = { a: ["own-key-value-1", 1, null, true], "own-key-value-1": { b: "x" } };
  deepStrictEqual(redactJson(createRedactor(OWN), value), {
    a: ["[redacted: OPENAI_API_KEY]", 1, null, true],
    "[redacted: OPENAI_API_KEY]": { b: "x" },
  });
});

Deno.test("Redactor.redact() takes time by the length of the text", () => {
  const redactor = createRedactor(
    Array.from({ length: 500 }, (_, index) => ({ name: "n", value: `value-${index}-of-many` })),
  );
  // Were any of these quadratic, the test would not end within minutes.
  const hostile = ["sk-", "sk-a1", " eyJ", ".eyJaaaaaaaa", "-----BEGIN ", "value-", "-"].concat(
    "-----BEGIN PRIVATE KEY----- ",
    `-----BEGIN PRIVATE KEY-----${"a".repeat(40)}(`,
  );
  for (const part of hostile) {
    const text = part.repeat(Math.ceil(1_000_000 / part.length));
    ok(redactor.redact(text).length > 0);
  }
});

Deno.test("secretFileKind()", () => {
  const kinds = [
    ".env",
    ".env.local",
    ".ENV.production",
    ".env.example",
    ".envrc",
    "credentials",
    "credentials.json",
    ".credentials",
    "credentials_test.ts",
    "server.pem",
    "pem",
  ].map(secretFileKind);
  deepStrictEqual(kinds, [
    "environment",
    "environment",
    "environment",
    undefined,
    undefined,
    "settings",
    "settings",
    "settings",
    undefined,
    "keys",
    undefined,
  ]);
});

Deno.test("secretValues()", async (t) => {
  const cases: [name: string, file: string, text: string, want: string[]][] = [
    ["a password", ".env", "DB_PASSWORD=correcthorse", ["DB_PASSWORD correcthorse"]],
    ["quotes and export", ".env", "export API_KEY=\"a b\\nc d e\"\nTOKEN='single one'", [
      "API_KEY a b\nc d e",
      "TOKEN single one",
    ]],
    ["a comment behind a value", ".env", "TOKEN=abcdefgh # mine", ["TOKEN abcdefgh"]],
    ["a random value of an ordinary name", ".env", "DB=s3cr3t-0a1b2c3d4e5f", [
      "DB s3cr3t-0a1b2c3d4e5f",
    ]],
    ["an address with a password", ".env", "DATABASE_URL=postgres://me:hunter22@db/x", [
      "DATABASE_URL postgres://me:hunter22@db/x",
      "DATABASE_URL hunter22",
    ]],
    [
      "what is no secret",
      ".env",
      "NODE_ENV=production\nPORT=8080\nURL=http://localhost:3000\nNAME=my application\nREGION=eu-west-1\nTOKEN=changeme\nKEY=<your key>\nID=12345678",
      [],
    ],
    [
      "a private key",
      ".env",
      `SIGNING="${PEM.replaceAll("\n", "\\n")}"`,
      LINES.map((line) => `SIGNING ${line}`),
    ],
    [
      "a file of AWS",
      "credentials",
      `[default]\naws_access_key_id = ${AWS}\naws_secret_access_key = ${AFTER}`,
      [
        `aws_access_key_id ${AWS}`,
        `aws_secret_access_key ${AFTER}`,
      ],
    ],
    ["JSON", "credentials.json", '{"type": "service", "client_secret": "abc-def-ghi", "n": 1}', [
      "client_secret abc-def-ghi",
    ]],
    ["a key file", "k.pem", PEM, LINES.map((line) => `k.pem ${line}`)],
    ["a certificate", "c.pem", PEM.replaceAll("RSA PRIVATE KEY", "CERTIFICATE"), []],
    ["another file", "main.ts", "API_KEY=abcdefghijkl", []],
  ];
  for (const [name, file, text, want] of cases) {
    await t.step(name, () => {
      deepStrictEqual(secretValues(file, text).map(({ name, value }) => `${name} ${value}`), want);
    });
  }
});
