import { strictEqual } from "node:assert/strict";
import type { Place } from "../../../agent/shell/classification.ts";
import { loadClassifier } from "../../../agent/shell/classifier.ts";

Deno.test("classify() lets what only reads run", async (t) => {
  const classifier = await loadClassifier();
  const cases: [kind: string, ...commands: string[]][] = [
    ["lists", "ls && pwd || true", "ls &", "ls & pwd", "ls\n\npwd\n", "  ls  ", "! ls", ""],
    ["pipes", "ls |\n# why\nwc -l", "ls | cat > /dev/null -n", "sort f | uniq -c | sort -rn"],
    ["sinks", "ls > /dev/null 2>&1", "ls &>/dev/null", "ls 2>/dev/null src", "ls 2>&-"],
    ["input", "cat < a.txt", "cat <<< hi", "cat -n <<< hi foo"],
    ["here-documents", "cat <<EOF\nplain\nEOF", "cat <<EOF; ls\nhi\nEOF\npwd"],
    ["quoted here-documents", "cat <<\\EOF\n$x `id`\nEOF", "cat <<E'O'F\n$(id)\nEOF"],
    ["other here-documents", "cat <<-EOF\n\thi\n\tEOF", "cat <<A - <<'B'\na\nA\nb\nB"],
    ["here-document in a pipe", "cat <<EOF | grep x\nhi\nEOF", "cat <<EOF\n\\$x\nEOF"],
    ["spelling", "l\\s", "'ls' -l", '"l"s', "ls \\\n -l", 'echo "a\\\nb"', "echo x#y"],
    ["text", "echo a=b c+=d", "echo {} a{b}", "echo é 日本", "grep x$ f", 'echo "exit $?"'],
    ["comments", "ls # $(rm x)", "# rm x\nls"],
    ["flags", "head -20 f", "head -n -5 f", "tail -n +3 f", "grep -A3 -B 2 x f", "rg -e -x src"],
    ["long flags", "ls --color=never", "grep -rn 'a|b' --include='*.ts' src", "ls --help"],
    ["find", "find . \\( -name a -o -iname b \\) -print", "find src -mtime -7 -size +10k"],
    ["tests", "[ -f a ] && cat a", "test -d src || echo none", "[ 1 -lt 2 ]"],
    ["operands", "uniq -c a", "xxd -l 16 f", "date +%F", "seq 1 10", "command -v node"],
    ["globs behind a folder or --", "wc -l src/*.ts", "cat -- *.txt", "echo *", "ls src/*"],
    ["folders", "cd src && ls", "cd src; cat a.txt", "cat ./src/../a.txt"],
    ["the system's public files", "ls /usr/include", "cat /etc/os-release", "cat /proc/cpuinfo"],
    ["an example is no secret", "cat .env.example", "grep -rn process.env src"],
  ];
  for (const [kind, ...commands] of cases) {
    await t.step(kind, () => {
      for (const command of commands) {
        const { decision, reason } = classifier.classify(command);
        strictEqual(decision, "allow", `${JSON.stringify(command)} ${reason}`);
      }
    });
  }
});

Deno.test("classify() knows what lies inside the workspace", async () => {
  const classifier = await loadClassifier();
  const place: Place = { workspace: "/home/ann/app", cwd: "/home/ann/app/src" };
  const cases: [command: string, decision: string][] = [
    ["cat /home/ann/app/a.txt", "allow"],
    ["cat ../a.txt", "allow"],
    ["cat ../../other/a.txt", "ask"],
    ["cat /home/ann/application/a.txt", "ask"],
    ["cat /home/ann/app/.env", "ask"],
    ["rm -rf ../../..", "deny"],
    ["rm -rf ../build", "ask"],
  ];
  for (const [command, decision] of cases) {
    strictEqual(classifier.classify(command, place).decision, decision, command);
  }
});
