import { deepStrictEqual, throws } from "node:assert/strict";
import { helpText } from "../../../agent/command_line/help.ts";
import { COMMANDS } from "../../../agent/command_line/commands.ts";
import { OPTIONS } from "../../../agent/command_line/options.ts";
import {
  type Invocation,
  parseCommandLine,
  UsageError,
  variableOf,
} from "../../../agent/command_line/parse.ts";
import { ok } from "node:assert/strict";

Deno.test("parseCommandLine()", async (t) => {
  const cases: [args: string[], want: Partial<Invocation>][] = [
    [[], {}],
    [["fix", "it"], { operands: ["fix", "it"] }],
    [["-p", "fix it"], { options: { print: true }, operands: ["fix it"] }],
    [["run", "fix it"], { command: "run", operands: ["fix it"] }],
    [["fix", "run"], { operands: ["fix", "run"] }],
    [["--", "run", "--model"], { operands: ["run", "--model"] }],
    [["-p", "-"], { options: { print: true }, operands: ["-"] }],
    [["-m", "a", "--model=b"], { options: { model: "b" } }],
    [["-m=a", "-o=x=y"], { options: { model: "a", output: "x=y" } }],
    [["-mb", "-ox"], { options: { model: "b", output: "x" } }],
    [["--egress=a.test,*.b.test", "--egress=localhost:3000"], {
      options: { egress: ["a.test", "*.b.test", "localhost:3000"] },
    }],
    [["--resume"], { options: { resume: "" } }],
    [["--resume=2026"], { options: { resume: "2026" } }],
    [["-pc", "go on"], { options: { print: true, continue: true }, operands: ["go on"] }],
    [["--tools=-bash,+grep", "--tools=glob"], { options: { tools: ["-bash", "+grep", "glob"] } }],
    [["--allow-read"], { options: { "allow-read": "all" } }],
    [["--allow-read=a,b", "--allow-read=c"], { options: { "allow-read": ["a", "b", "c"] } }],
    [["--allow-read=a", "--allow-read"], { options: { "allow-read": "all" } }],
    [["--timeout=2147483"], { options: { timeout: 2_147_483 } }],
    [["--timeout", "1.5"], { options: { timeout: 1.5 } }],
    [["-r", "2a81"], { options: { resume: "2a81" } }],
    [["-r", "fix 2a81"], { options: { resume: "" }, operands: ["fix 2a81"] }],
    [["-r", "beef"], { options: { resume: "" }, operands: ["beef"] }],
    [["resume", "2a81", "go"], { command: "resume", operands: ["2a81", "go"] }],
    [["--", "tools", "that"], { operands: ["tools", "that"] }],
    [["rights", "--flags", "--tier=3"], { command: "rights", options: { flags: true, tier: "3" } }],
  ];
  for (const [args, want] of cases) {
    await t.step(`cordon ${args.join(" ")}`, () => {
      deepStrictEqual(parseCommandLine(args), {
        command: undefined,
        options: {},
        operands: [],
        ...want,
      });
    });
  }
});

Deno.test("parseCommandLine() refuses", async (t) => {
  const cases: [args: string[], message: RegExp][] = [
    [["--modle", "x"], /Unknown option "--modle", did you mean --model/],
    [["--zzzzzzzz"], /Unknown option "--zzzzzzzz"; see cordon --help/],
    [["-x"], /Unknown option "-x"/],
    [["-m="], /"-m" needs a value: -m=NAME/],
    [["--egress=a.test,https://b.test"], /"--egress" cannot be "https:\/\/b\.test": it is a host/],
    [["--egress=10.0.0.1"], /"--egress" cannot be "10\.0\.0\.1": it is a host/],
    [["--egress=a.test:99999"], /"--egress" cannot be "a\.test:99999"/],
    [["--model"], /"--model" needs a value/],
    [["--model", "--print"], /"--model" needs a value/],
    [["--print=yes"], /"--print" takes no value/],
    [["--max-turns=0"], /whole number from 1 to 1000000, in digits/],
    [["--max-turns=9999999999"], /whole number from 1 to 1000000/],
    [["--timeout=1e99"], /cannot be "1e99": it is a number from 0.001 to 2147483, in digits/],
    [["--timeout=2147484"], /number from 0.001 to 2147483/],
    [["--max-turns=1.5"], /whole number/],
    [["--timeout=soon"], /cannot be "soon"/],
    [["--approval=always"], /one of on-escape, ask, deny, all/],
    [["tools", "that", "fail"], /^Unexpected "that" after cordon tools; .* goes after --$/],
    [["--flags", "hi"], /^Option "--flags" is for cordon rights alone$/],
    [["tools", "--tier=3"], /^Option "--tier" is for cordon rights alone$/],
  ];
  for (const [args, message] of cases) {
    await t.step(`cordon ${args.join(" ")}`, () => {
      throws(() => parseCommandLine(args), (error) => {
        ok(error instanceof UsageError);
        ok(message.test(error.message), error.message);
        return true;
      });
    });
  }
});

Deno.test("parseCommandLine() keeps the options it understood beside one that it does not", () => {
  throws(() => parseCommandLine(["--output-format=json", "--nonsense"]), (error) => {
    ok(error instanceof UsageError);
    deepStrictEqual(error.options, { "output-format": "json" });
    return true;
  });
});

Deno.test("parseCommandLine() keeps the options beside a variable that it does not understand", () => {
  const env = new Map([["CORDON_MAX_TURNS", "few"]]);
  throws(() => parseCommandLine(["--output-format=json"], (name) => env.get(name)), (error) => {
    ok(error instanceof UsageError);
    ok(/^Option "CORDON_MAX_TURNS" cannot be "few"/.test(error.message), error.message);
    deepStrictEqual(error.options, { "output-format": "json" });
    return true;
  });
});

Deno.test("parseCommandLine() takes variables where no flag was given", () => {
  const env = new Map([
    ["CORDON_MODEL", "from-env"],
    ["CORDON_OUTPUT_FORMAT", "json"],
    ["CORDON_NO_SESSION", "1"],
    ["CORDON_APPROVAL", "all"],
    ["CORDON_PROFILE", "off"],
    ["CORDON_ALLOW_READ", "/"],
  ]);
  const { options } = parseCommandLine(["-m", "from-flag"], (name) => env.get(name));
  deepStrictEqual(options, { model: "from-flag", "output-format": "json", "no-session": true });
});

Deno.test("parseCommandLine() reads no variable for what a flag says in another way", async (t) => {
  const cases: [args: string[], variables: string[], want: Invocation["options"]][] = [
    [["--provider=a"], ["CORDON_BASE_URL"], { provider: "a" }],
    [["--base-url=a"], ["CORDON_PROVIDER"], { "base-url": "a" }],
    [["-m", "a"], ["CORDON_PROVIDER"], { model: "a", provider: "from-env" }],
    // Nobody can tell which of two variables is meant: whoever uses them refuses both.
    [[], ["CORDON_PROVIDER", "CORDON_BASE_URL"], { provider: "from-env", "base-url": "from-env" }],
  ];
  for (const [args, variables, want] of cases) {
    await t.step(`${args.join(" ")} with ${variables.join(", ")}`, () => {
      const env = (name: string) => variables.includes(name) ? "from-env" : undefined;
      deepStrictEqual(parseCommandLine(args, env).options, want);
    });
  }
});

Deno.test("variableOf() has no variable for what widens rights", () => {
  const widening = [
    "approval",
    "profile",
    ...Object.keys(OPTIONS).filter((n) => /^(allow|deny)-/.test(n)),
  ];
  for (const name of widening) {
    // The names come from the table itself.
    deepStrictEqual(variableOf(name as keyof typeof OPTIONS), undefined, name);
  }
  deepStrictEqual(variableOf("max-turns"), "CORDON_MAX_TURNS");
});

Deno.test("helpText() names every option and command within 80 columns", () => {
  const help = helpText("1.2.3");
  for (const name of Object.keys(OPTIONS)) ok(help.includes(`--${name}`), name);
  for (const name of Object.keys(COMMANDS)) ok(new RegExp(`^  ${name}\\b`, "m").test(help), name);
  for (const line of help.split("\n")) ok(line.length <= 80, line);
});
