import { deepStrictEqual } from "node:assert/strict";
import type { AskCode } from "../../../agent/shell/classification.ts";
import { loadClassifier, MAX_SCRIPT_LENGTH } from "../../../agent/shell/classifier.ts";

Deno.test("classify() asks, and says why", async (t) => {
  const classifier = await loadClassifier();
  const cases: [code: AskCode, kind: string, ...commands: string[]][] = [
    [
      "not_allowlisted",
      "programs",
      "touch a",
      "git status",
      "sed p f",
      "awk 1 f",
      "make",
      "cargo b",
    ],
    ["not_allowlisted", "programs that run others", "time ls", "env -i ls", "nice ls", "xargs cat"],
    ["not_allowlisted", "builtins", "eval ls", "exec ls", "command ls", "builtin echo", "set -x"],
    ["not_allowlisted", "variables by builtins", "export x", "read x", "declare x", "let x=1"],
    ["not_allowlisted", "names", "alias ls='rm x'", "coproc ls", "./cat a", "/bin/ls", "ｌs", "LS"],
    ["not_allowlisted", "spelling", "\\rm x", "r''m x", '"rm" x', "r\\\nm x", "ls\\\n-la"],
    ["not_allowlisted", "positions", "ls; rm x", "ls\nrm x", "ls | rm x", "ls & rm x", "! rm x"],
    ["not_allowlisted", "after a comment", "ls # x\nrm y", "echo #\nrm y", "echo x#y; rm z"],
    ["not_allowlisted", "after a here-document", "cat <<E'O'F\nhi\nEOF\nrm x", "cat <<''\n\nrm x"],
    ["not_allowlisted", "a joined line is no end", "cat <<EOF\nx\\\nEOF\nEOF\nrm x"],
    ["flag", "unknown flags", "ls --colour", "cat -x f", "ls --help=x", "sort --outpu=x f"],
    [
      "flag",
      "flags that write",
      "sort -uox f",
      "sort -T x f",
      "tree -ox",
      "uniq -- a b",
      "xxd a b",
    ],
    ["flag", "flags that run", "rg --hostname-bin x p", "rg -z p", "sort --compress-program=x f"],
    ["flag", "a swallowed flag", "rg -T --pre ./x p", "find . -name -delete", "head -n --x f"],
    ["flag", "find", "find . -exec cat {} +", "find . -fprint x", "find . -okdir a \\;"],
    ["flag", "evaluation", "[ -v 'a[$(id)]' ]", "test -v x", "printf -v x y", "printf -vx y"],
    ["flag", "setting", "date 010101", "date -s x", "hostname x", "seq 1 inf"],
    ["flag", "lists of files", "wc --files0-from=x", "du --files0-from=x", "xxd -r a"],
    [
      "redirect",
      "output",
      "echo hi >f",
      "ls 2>e",
      "ls >>f",
      "ls >&f",
      "ls &>>f",
      ": >f",
      ">f",
      "ls >|f",
    ],
    ["redirect", "both ways", "cat <>f", "ls 3<>f"],
    ["redirect", "at the end of a list", "ls | sort >f", "ls && pwd >f", "! ls >f"],
    ["redirect", "unknown targets", "echo a >$x", 'echo a >"$(id)"'],
    ["substitution", "commands", "ls $(id)", "ls `id`", 'echo "a$(id)"', "ls <(id)", "cat <$(id)"],
    ["substitution", "here-documents", "cat <<EOF\n`id`\nEOF", "cat <<EOF\n\\\\$(id)\nEOF"],
    ["substitution", "assignment", "x=$(id)", "a=`id` ls"],
    ["expansion", "variables", "echo $x", 'ls "$x"', "ls ${x}", ": ${x:=1}", "echo $@", "cat < $x"],
    ["expansion", "here-documents", "cat <<EOF\n$x\nEOF", "cat <<< $x"],
    ["expansion", "arithmetic", "echo $((1+1))", "echo $((a[$(id)]))", "echo $[1+1]"],
    ["expansion", "quoting", "echo $'a'", 'echo $"a"', "ls $'\\x2d\\x52'"],
    ["expansion", "braces", "echo {a,b}", "cat {.env,a}", "echo {1..9999999}", "echo {'a',b}"],
    [
      "expansion",
      "globs that become flags",
      "ls *.ts",
      "sort *",
      "cat ?x",
      "cat [a-z]*",
      "grep x *",
    ],
    ["expansion", "globs as values", "find . -name *.ts", "head -n * f"],
    [
      "assignment",
      "variables",
      "x=1",
      "PATH=. ls",
      "LD_PRELOAD=x ls",
      "IFS=x",
      "x+=1",
      "BASH_ENV=x :",
    ],
    [
      "sensitive_path",
      "outside",
      "ls ..",
      "cat ../x",
      "cd ..",
      "cat a/../../x",
      "cat /tmp/x",
      "ls /",
    ],
    [
      "sensitive_path",
      "homes",
      "ls ~",
      "cat ~root/x",
      "cd",
      "cd -",
      "cd ~",
      "cat < ~/x",
      "cd /tmp",
    ],
    [
      "sensitive_path",
      "secrets",
      "cat src/.env",
      "cat SRC/.ENV",
      "cat id_rsa",
      "cat a.pem",
      "ls .ssh",
    ],
    [
      "sensitive_path",
      "more secrets",
      "cat credentials.json",
      "cat .env.local",
      "grep -f .npmrc x",
    ],
    [
      "sensitive_path",
      "globs",
      "cat src/.e*",
      "cat .??v",
      "cat src/*.pem",
      "cat s/id_*",
      "cat .[a-z]*",
    ],
    ["sensitive_path", "detours", "cat /usr/../etc/shadow", "cat /usr/lib/*/../../../etc/shadow"],
    ["sensitive_path", "kernel files", "cat /proc/1/environ", "cat /dev/sda", "echo >/dev/tcp/a/1"],
    ["sensitive_path", "folders", "cd .ssh && ls", "cd src && cat ../../x", "cd src && cat .env"],
    ["function_def", "functions", "f() { ls; }", "function ls { rm x; }", "cat () (sh); cat"],
    ["compound", "groups", "{ ls; }", "(ls)", "(ls) >f", "((x=1))", "{ ls; } | cat"],
    [
      "compound",
      "control",
      "for i in a; do ls; done",
      "until ls; do ls; done",
      "if ls; then ls; fi",
    ],
    ["compound", "more control", "select x in a; do ls; done", "[[ -v a[$(id)] ]]", "[[ a ]]"],
    ["non_terminating", "tail", "tail -F f", "tail --follow=name f", "tail -n5 -f f", "tail -qf x"],
    [
      "syntax",
      "unfinished",
      "echo 'a",
      'echo "a',
      "echo `a",
      "ls &&",
      "if",
      "(ls",
      "{ ls",
      "echo \\",
    ],
    ["syntax", "stray words", "ls )", "| ls", "ls | | pwd", "ls ;; pwd", "ls @(a|b)", "[ -f a"],
    ["syntax", "here-documents", "cat <<EOF\nhi", "cat <<EOF\nhi\nEOF ", "cat <<'EOF'\nhi\n EOF"],
    [
      "syntax",
      "unseen characters",
      "ls \u00a0",
      "echo \u202ex",
      "ls \0",
      "echo '\x1b[2J'",
      "echo \ufeff",
    ],
  ];
  for (const [code, kind, ...commands] of cases) {
    await t.step(`${code}: ${kind}`, () => {
      for (const command of commands) {
        const result = classifier.classify(command);
        const got = result.decision === "ask" ? result.code : result.decision;
        deepStrictEqual([command, got], [command, code], result.reason);
        deepStrictEqual(result.reason.startsWith(`${code}: `), true);
      }
    });
  }
});

Deno.test("classify() asks about what it cannot judge in bounds", async (t) => {
  const classifier = await loadClassifier();
  const cases: [name: string, script: string][] = [
    ["too long", "ls ".repeat(MAX_SCRIPT_LENGTH / 3 + 1)],
    ["parentheses", "(".repeat(5_000) + "ls" + ")".repeat(5_000)],
    ["nested subshells", "( ".repeat(400) + "ls" + " )".repeat(400)],
    ["substitutions", "$(".repeat(20_000)],
    ["backticks", "`".repeat(40_001)],
    ["redirections", "cat " + "<".repeat(20_000)],
    ["a value that doubles", "x=aaaaaaaaaa;" + "x=$x$x;".repeat(60) + "echo $x"],
    ["calls that multiply", "f() { g; g; }; g() { h; h; }; h() { f; f; }; " + "f;".repeat(50)],
    ["joined lines", "cat <<A\n" + "\\\n".repeat(30_000)],
    ["carriage returns", "ls\r\npwd\r\n"],
  ];
  for (const [name, script] of cases) {
    await t.step(name, () => deepStrictEqual(classifier.classify(script).decision, "ask"));
  }
});
