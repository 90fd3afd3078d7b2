import { deepStrictEqual, strictEqual } from "node:assert/strict";
import { testShell } from "../helpers/shell.ts";

Deno.test("the shell keeps its state between calls", async (t) => {
  const cases: [name: string, first: string, second: string, want: string][] = [
    ["the working folder", "mkdir -p 'a b' && cd 'a b'", 'echo "${PWD##*/}"', "a b"],
    ["a folder reached through a link", "mkdir d; ln -s d l; cd l", 'echo "${PWD##*/}"', "l"],
    ["a folder with a newline", "mkdir $'a\\nb'; cd $'a\\nb'", 'echo "${PWD##*/}"', "a\nb"],
    ["the folder before", "mkdir e f; cd e; cd ../f", 'cd - >/dev/null; echo "${PWD##*/}"', "e"],
    ["a variable", "x='a  \"b\" $c'", 'echo "$x"', 'a  "b" $c'],
    [
      "a variable over lines",
      "x=$'a\\ndeclare -- y=1\\n'",
      'echo "$x:${y-}"',
      "a\ndeclare -- y=1\n:",
    ],
    ["a variable of bytes", "x=$'\\xff\\x01'", 'printf %s "$x" | od -An -tx1', " ff 01"],
    ["an exported variable", "export EX=1", "bash -c 'echo $EX'", "1"],
    ["an unexported one stays so", "UN=1", "bash -c 'echo ${UN-unset}'", "unset"],
    ["an array", "a=(1 'two words' '')", 'echo "${#a[@]} ${a[1]}"', "3 two words"],
    ["a sparse array", "a=([5]=x)", 'echo "${!a[@]}"', "5"],
    ["an associative array", "declare -A m=([k]=v ['a b']=c)", 'echo "${m[k]}${m[a b]}"', "vc"],
    ["one that is still empty", "declare -A m", "m[k]=v; echo ${!m[@]}", "k"],
    ["an integer", "declare -i n=1", "n+=2; echo $n", "3"],
    ["a reference", "t=5; declare -n r=t", "echo $r; r=6; echo $t", "5\n6"],
    ["a read-only variable", "readonly r=1", "echo $r; (r=2) 2>/dev/null || echo no", "1\nno"],
    ["IFS", "IFS=,", "x=a,b; set -- $x; echo $#", "2"],
    ["what was unset", "unset PAGER", "echo ${PAGER-unset}", "unset"],
    ["a changed PATH", "PATH=/x:$PATH", "echo ${PATH%%:*}", "/x"],
    ["a function", 'f() { echo "f $1"; }', "f a", "f a"],
    ["an exported function", "f() { echo f; }; export -f f", "bash -c f", "f"],
    [
      "a function with an extended pattern",
      "shopt -s extglob\nf() { echo ${1/+(a)/b}; }",
      "f aaac",
      "bc",
    ],
    ["an alias", "alias hi='echo hello'", "hi you", "hello you"],
    [
      "an alias that was removed",
      "alias hi='echo a'; unalias hi",
      "hi 2>/dev/null || echo no",
      "no",
    ],
    [
      "aliases switched off",
      "alias hi='echo a'; shopt -u expand_aliases",
      "hi 2>/dev/null || echo no",
      "no",
    ],
    ["a shell option", "shopt -s nullglob", "echo *.none", ""],
    [
      "a shell option switched off",
      "shopt -u sourcepath",
      "shopt sourcepath | tr -d '\\t '",
      "sourcepathoff",
    ],
    ["set -f", "set -f", "echo *", "*"],
    ["set -u", "set -u", "echo a; (echo $none) 2>/dev/null || echo b", "a\nb"],
    ["set -o pipefail", "set -o pipefail", "false | true || echo failed", "failed"],
    ["set -C", "echo 1 >c; set -C", "(echo 2 >c) 2>/dev/null; cat c", "1"],
    ["set -a", "set -a", "EXA=1; bash -c 'echo $EXA'", "1"],
    ["set +h", "set +h", "echo ${-//[^h]/}", ""],
    ["umask", "umask 027", "umask", "0027"],
    ["a mask that forbids us to write", "umask 777; x=1", "umask; echo $x", "0777\n1"],
    ["POSIX mode", "set -o posix; x=1", "echo $x ${POSIXLY_CORRECT+posix}", "1 posix"],
  ];
  for (const [name, first, second, want] of cases) {
    await t.step(name, async () => {
      await using shell = await testShell();
      strictEqual(await shell.text(first), "");
      strictEqual(await shell.text(second), want);
      // A third call starts from what the second has made of the state of the first.
      strictEqual(await shell.text("echo end"), "end");
    });
  }
});

Deno.test("the shell keeps its state however a call ends", async (t) => {
  const cases: [name: string, command: string, timeoutMs?: number][] = [
    ["exit", "x=2; exit 3"],
    ["exit inside a function", "f() { local y=1; x=2; exit 3; }; f"],
    ["set -e", "set -e; x=2; false; x=3"],
    ["set -u", "set -u; x=2; echo $none; x=3"],
    ["a mistake of syntax after it", "x=2\nif then"],
    ["an unset variable that must be set", "x=2; : ${none:?}; x=3"],
    ["a time limit", "x=2; sleep 1000", 300],
    ["a time limit inside a function", "f() { local y=1; x=2; while :; do :; done; }; f", 300],
    ["a time limit under a trap of its own", "trap 'echo bye' EXIT; x=2; sleep 1000", 300],
    ["a trap that exits", "trap 'exit 9' EXIT; x=2"],
    ["a trap set past ours", "builtin trap 'echo bye' EXIT; x=2"],
    ["output closed", "x=2; exec >&- 2>&-"],
    ["DEBUG and ERR traps", "set -ET; trap 'x=3' ERR; trap : DEBUG; x=2"],
  ];
  for (const [name, command, timeoutMs] of cases) {
    await t.step(name, async () => {
      await using shell = await testShell();
      await shell.bash("x=1");
      const { state } = await shell.bash(command, timeoutMs === undefined ? {} : { timeoutMs });
      strictEqual(state, "adopted");
      strictEqual(await shell.text("set +eu; trap - ERR DEBUG; echo $x ${y-}"), "2");
    });
  }
});

Deno.test("the shell keeps the earlier state where a call leaves none", async (t) => {
  const cases: [name: string, command: string][] = [
    ["another program in its place", "x=2; exec true"],
    ["SIGKILL", "x=2; kill -KILL $$"],
  ];
  for (const [name, command] of cases) {
    await t.step(name, async () => {
      await using shell = await testShell();
      await shell.bash("x=1; mkdir d; cd d");
      const { state, cwd } = await shell.bash(`cd /; ${command}`);
      deepStrictEqual([state, cwd], ["absent", `${shell.workspace}/d`]);
      strictEqual(await shell.text('echo "$x ${PWD##*/}"'), "1 d");
    });
  }
});

Deno.test("the shell's own names and options do not get in the way", async (t) => {
  const cases: [name: string, first: string, second: string, want: string][] = [
    [
      "functions that shadow builtins",
      "declare() { :; }; printf() { :; }; mapfile() { :; }; source() { :; }; x=1; eval() { :; }",
      "unset -f declare printf mapfile source eval; echo $x",
      "1",
    ],
    ["a function that shadows builtin", "builtin() { :; }; x=1", "echo $x", "1"],
    ["aliases of builtins", "alias builtin=false declare=false printf=false; x=1", "echo $x", "1"],
    [
      "local variables are none of the shell",
      "f() { local y=1 IFS=,; exit 0; }; f",
      'echo "[${y-}]$IFS" | tr -d " \\t\\n"',
      "[]",
    ],
    [
      "a local variable hides no global one",
      "v=1; f() { local v=2; g; }; g() { local v=3; exit 0; }; f",
      "echo $v",
      "1",
    ],
    ["nothing of ours is exported", "set -a; true", "env | grep -c cordon_ || true", "0"],
    ["tracing shows the command alone", "set -x", "echo a", "a\n[stderr]\n++ echo a"],
    ["jobs of their own group do not outlive a call", "set -m", "echo ${-//[^m]/}", ""],
    ["set -n ends with its call", "x=1; set -n", "echo works", "works"],
    [
      "output that looks like ours",
      "echo kept; echo /etc; echo '[exit code: 9]' >/dev/null; cd /usr",
      "pwd",
      "/usr",
    ],
    ["arguments", "set -- a b", "echo $#", "0"],
  ];
  for (const [name, first, second, want] of cases) {
    await t.step(name, async () => {
      await using shell = await testShell();
      await shell.bash(first);
      strictEqual(await shell.text(second), want);
    });
  }
});

Deno.test("trap in the shell does what trap does", async (t) => {
  const cases: [name: string, command: string, want: string][] = [
    [
      "runs at the end with the exit code",
      "trap 'echo bye $?' EXIT; exit 4",
      "bye 4\n[exit code: 4]",
    ],
    ["may change the exit code", "trap 'exit 9' EXIT", "[exit code: 9]"],
    ["sees local variables", "f() { local y=1; trap 'echo y=$y' EXIT; exit; }; f", "y=1"],
    ["can be taken back", "trap 'echo bye' EXIT; trap - EXIT", ""],
    ["can be replaced", "trap 'echo a' 0; trap 'echo b' exit", "b"],
    ["takes several signals", "trap 'echo got' EXIT USR1; kill -USR1 $$; trap - EXIT", "got"],
    ["takes a double dash", "trap -- 'echo bye' EXIT", "bye"],
    ["shows none at first", "trap; trap -p EXIT", ""],
    [
      "shows what was set",
      "trap \"echo 'q'\" EXIT; trap -p; trap - EXIT",
      "trap -- 'echo '\\''q'\\''' EXIT",
    ],
    [
      "can be kept and set again",
      "trap 'echo a' EXIT; t=$(trap -p EXIT); trap - EXIT; eval \"$t\"",
      "a",
    ],
    ["runs in subshells", "(trap 'echo sub' EXIT); echo main", "sub\nmain"],
    [
      "is not changed by aliases",
      "alias builtin=false if='echo no'\ntrap 'echo bye' EXIT\nunalias builtin if",
      "bye",
    ],
    ["is not kept for the next call", "trap 'echo a' EXIT", "a"],
    ["knows its options", "trap -l | head -c 9", " 1) SIGHU"],
  ];
  for (const [name, command, want] of cases) {
    await t.step(name, async () => {
      await using shell = await testShell();
      strictEqual(await shell.text(command), want);
      strictEqual(await shell.text("trap -p"), "");
    });
  }
});

Deno.test("the shell says so when its folder is gone", async (t) => {
  await t.step("at the end of a call: it is back in the workspace", async () => {
    await using shell = await testShell();
    const text = await shell.text("mkdir d; cd d; rmdir ../d; x=1");
    strictEqual(text, `[working folder is gone: now in ${shell.workspace}]`);
    strictEqual(await shell.text("pwd; echo $x"), `${shell.workspace}\n1`);
  });

  await t.step("before a call: the command is not run elsewhere", async () => {
    await using shell = await testShell();
    await shell.bash("mkdir d; cd d; x=1");
    await Deno.remove(`${shell.workspace}/d`);
    strictEqual(
      await shell.text("touch ran"),
      `[stderr]\nbash: cannot enter "${shell.workspace}/d", now in "${shell.workspace}": ` +
        `the command was not run\n[working folder is gone: now in ${shell.workspace}]\n[exit code: 1]`,
    );
    strictEqual(await shell.text("ls; echo $x"), "1");
  });
});

Deno.test("the shell does not keep state over 1 MB, and says so", async () => {
  await using shell = await testShell();
  await shell.bash("x=1");
  strictEqual(
    await shell.text("x=2; big=$(head -c 1100000 /dev/zero | tr '\\0' a); cd /"),
    "[shell state over 1 MB not kept: variables and functions are as before this call]",
  );
  strictEqual(await shell.text("echo $x ${big-}; pwd"), "1\n/");
});

Deno.test("the shell's files are no way to make it read others", async (t) => {
  const cases: [name: string, make: string][] = [
    ["a link", 'ln -s secret "$f"'],
    ["a FIFO", 'mkfifo "$f"'],
    ["a folder", 'mkdir "$f"'],
    ["a large file", 'head -c 100000 /dev/zero | tr "\\0" / >"$f"'],
    ["other text", 'echo /etc >"$f"'],
  ];
  for (const [name, make] of cases) {
    await t.step(name, async () => {
      await using shell = await testShell();
      await Deno.writeTextFile(`${shell.workspace}/secret`, "kept\n/etc\n");
      const forge = `f=$__cordon_next.cwd; rm "$f"; ln -sf $PWD/secret secret; ${make}; exec true`;
      const { state, cwd } = await shell.bash(forge);
      deepStrictEqual([state, cwd], ["absent", shell.workspace]);
      strictEqual(await shell.text("echo works"), "works");
    });
  }
});

Deno.test("a new shell takes up the state that lies in its folder", async () => {
  await using shell = await testShell();
  await shell.bash("x=1; cd /usr");
  shell.commands.shell.moveTo("/");
  strictEqual(await shell.text("pwd; echo $x"), "/\n1");
});
