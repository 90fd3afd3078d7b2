import { deepStrictEqual, notStrictEqual, ok } from "node:assert/strict";
import fc from "fast-check";
import { loadClassifier } from "../../../agent/shell/classifier.ts";

/** Commands that only read. */
const harmless = fc.constantFrom("ls", "cat a.txt", "echo 'x; y'", 'grep -n "a b" f', "wc -l f");

/** Commands off the table, in several spellings. */
const foreign = fc.constantFrom(
  ...["touch a", "rm a.txt", "./ls", "r''m a", "\\rm a", '"touch" a', "npm test", "X=1 touch a"],
  ...["touch \\\n a", "sed -i s/a/b/ f", "find . -delete", "sort -o a b", "tee a"],
);

/** Where one command can stand in a script; `inner` is put there as it is. */
const positions: readonly ((inner: string, other: string) => string)[] = [
  (inner, other) => `${other}; ${inner}`,
  (inner, other) => `${inner}\n${other}`,
  (inner, other) => `${other} && ${inner}`,
  (inner, other) => `${inner} || ${other}`,
  (inner, other) => `${other} | ${inner}`,
  (inner, other) => `${inner} |& ${other}`,
  (inner, other) => `${other} & ${inner}`,
  (inner) => `! ${inner}`,
  (inner) => `echo $(${inner})`,
  (inner) => `echo "a $(${inner}) b"`,
  (inner) => `cat <(${inner})`,
  (inner) => `(${inner})`,
  (inner) => `{ ${inner}; }`,
  (inner, other) => `if ${other}; then ${inner}; fi`,
  (inner, other) => `while ${inner}; do ${other}; done`,
  (inner) => `for i in a; do ${inner}; done`,
  (inner) => `case x in x) ${inner};; esac`,
  (inner, other) => `f() { ${inner}; }; ${other}`,
  (inner) => `echo $((a[$(${inner})]))`,
  (inner) => `[[ -v a[$(${inner})] ]]`,
  (inner) => `echo \${x:-$(${inner})}`,
  (inner) => `cat <<A\n$(${inner})\nA`,
  (inner, other) => `cat <<'A'\n${other}\nA\n${inner}`,
  (inner, other) => `cat <<"A" <<-B\n${other}\nA\n\tB\n${inner}`,
  (inner, other) => `${other} # it's\n${inner}`,
  (inner, other) => `${other} 2>/dev/null; ${inner} 2>/dev/null`,
];

const script = fc.tuple(
  foreign,
  fc.array(fc.tuple(fc.constantFrom(...positions), harmless), {
    minLength: 1,
    maxLength: 4,
  }),
).map(([inner, layers]) => layers.reduce((text, [wrap, other]) => wrap(text, other), inner));

Deno.test("a command off the table never runs unasked, wherever it stands", async () => {
  const classifier = await loadClassifier();
  fc.assert(
    fc.property(script, (text) => {
      notStrictEqual(classifier.classify(text).decision, "allow");
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("harmless commands in lists run, however they are joined", async () => {
  const classifier = await loadClassifier();
  const joint = fc.constantFrom("; ", "\n", " && ", " || ", " | ", " & ", " # it's\n", " \\\n | ");
  const list = fc.array(fc.tuple(harmless, joint), { maxLength: 6 })
    .map((parts) => parts.map(([command, by]) => command + by).join("") + "pwd");
  fc.assert(fc.property(list, (text) => {
    deepStrictEqual([text, classifier.classify(text).decision], [text, "allow"]);
  }));
});

Deno.test("classify() answers to any text, and its parts stand in it in order", async () => {
  const classifier = await loadClassifier();
  const token = fc.constantFrom(
    ..."ls cat rm -rf / a ; & | && || ( ) { } < > << <<- <<< <> >| ' \" ` $ $( ${ $(( )) [[ ]] [ ]"
      .split(
        " ",
      ),
    ...[
      "\n",
      "\\",
      " ",
      "\t",
      "#",
      "EOF",
      "$'",
      "=",
      "x=",
      "if",
      "then",
      "fi",
      "do",
      "done",
      "case",
    ],
    ...["in", "esac", "!", "*", "~", "{a,b}", "\0", "\r", "\u{1f600}", "\ud800", "\ue000", "$x"],
  );
  const text = fc.array(token, { maxLength: 30 }).map((tokens) => tokens.join(""));
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: "binary", maxLength: 60 })), (command) => {
      const result = classifier.classify(command);
      if (!command.includes("<<")) {
        let from = 0;
        for (const part of result.parts) {
          const at = command.indexOf(part, from);
          ok(at >= from, `${JSON.stringify(part)} in ${JSON.stringify(command)}`);
          from = at + part.length;
        }
      }
      ok(result.decision === "allow" || result.reason.startsWith(`${result.code}: `));
    }),
    { numRuns: 3_000 },
  );
});
