import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import { COMMANDS } from "../../agent/command_line/commands.ts";
import { OPTIONS } from "../../agent/command_line/options.ts";
import { newWorld, type World } from "../helpers/cordon.ts";
import { hasProgram } from "../helpers/has_program.ts";

/** A line up to the cursor, and what is offered there. */
type Case = readonly [line: string, offered: readonly string[]];

const EVERYWHERE: readonly Case[] = [
  ["cordon vers", ["version"]],
  ["cordon --output-f", ["--output-format"]],
  ["cordon -p --approval=", [
    "--approval=all",
    "--approval=ask",
    "--approval=deny",
    "--approval=on-escape",
  ]],
  ["cordon completion z", ["zsh"]],
  ["cordon sessions ren", ["rename"]],
  ["cordon export 2026", ["20261201-101530-7f3a"]],
  ["cordon resume 2026", ["20261201-101530-7f3a"]],
  ["cordon rights --cl", ["--classify"]],
  // Options of one sub-command are not offered to others.
  ["cordon tools --cl", []],
];

Deno.test("bash completes", { ignore: !await hasProgram("bash") }, async (t) => {
  await using world = await completing("bash");
  const cases: readonly Case[] = [
    ...EVERYWHERE.map(([line, offered]): Case => [line, offered.map(afterEquals)]),
    ["cordon -m x --wire ch", ["chat"]],
    ["cordon -C su", ["sub"]],
    ["cordon --allow-read=su", ["sub"]],
    // Files are left to bash itself.
    ["cordon -i a", []],
    ["cordon -p -- --wi", []],
  ];
  for (const [line, offered] of cases) {
    await t.step(line, async () => {
      deepStrictEqual(
        (await lines(world, ["bash", "--norc", "-c", BASH, "bash", line])).sort(),
        offered,
      );
    });
  }
});

Deno.test("zsh completes", { ignore: !await hasProgram("zsh") }, async (t) => {
  await using world = await completing("zsh");
  const cases: readonly Case[] = [
    ["cordon vers", ["cordon version"]],
    ["cordon --output-f", ["cordon --output-format="]],
    ["cordon -p --wire=ch", ["cordon -p --wire=chat"]],
    ["cordon completion z", ["cordon completion zsh"]],
    ["cordon sessions ren", ["cordon sessions rename"]],
    ["cordon export 2026", ["cordon export 20261201-101530-7f3a"]],
    ["cordon rights --cl", ["cordon rights --classify"]],
    ["cordon tools --cl", ["cordon tools --cl"]],
    ["cordon -C su", ["cordon -C sub/"]],
    ["cordon --allow-read=su", ["cordon --allow-read=sub/"]],
    ["cordon -i a.p", ["cordon -i a.png"]],
    ["cordon batch a.p", ["cordon batch a.png"]],
  ];
  for (const [line, [completed = ""]] of cases) {
    await t.step(line, async () => {
      const [shown = ""] = await lines(world, ["zsh", "-f", "-c", ZSH, "zsh", line]);
      strictEqual(shown.trimEnd(), completed);
    });
  }
});

Deno.test("fish completes", { ignore: !await hasProgram("fish") }, async (t) => {
  await using world = await completing("fish");
  const cases: readonly Case[] = [
    ...EVERYWHERE,
    ["cordon -C su", ["sub/"]],
    ["cordon -i a.p", ["a.png"]],
    ["cordon batch a.p", ["a.png"]],
  ];
  for (const [line, offered] of cases) {
    await t.step(line, async () => {
      const shown = await lines(world, ["fish", "--no-config", "-c", FISH, line]);
      deepStrictEqual(shown.map((row) => row.split("\t")[0]).sort(), offered);
    });
  }
});

Deno.test("the man page tells every option and command, and troff finds no fault with it", {
  ignore: !await hasProgram("groff"),
}, async () => {
  await using world = await completing("man");
  const args = ["-man", "-Tascii", "-ww", "-P-cbou", world.join("work/script")];
  const { success, stdout, stderr } = await new Deno.Command("groff", { args }).output();
  ok(success);
  strictEqual(new TextDecoder().decode(stderr), "");
  const text = new TextDecoder().decode(stdout).replaceAll(/\s+/g, " ");
  for (const name of Object.keys(OPTIONS)) ok(text.includes(`--${name}`), name);
  for (const [name, { help }] of Object.entries(COMMANDS)) {
    match(text, new RegExp(`\\b${name}\\b`));
    ok(text.includes(help.slice(0, 20)), help);
  }
  ok(text.includes(".cordon/config.jsonc"));
});

Deno.test("completion names the shells that it knows", async () => {
  await using world = await newWorld();
  for (const args of [[], ["tcsh"], ["bash", "zsh"]]) {
    const run = await world.run(["completion", ...args]);
    deepStrictEqual([run.code, run.stdout], [2, ""]);
    match(run.stderr, /^error: Cannot complete: name one of bash, zsh, fish, man/);
  }
});

/** Words of the line as bash splits them: `=` is a word of its own. */
const BASH = `
source ./script
cordon() { printf '20261201-101530-7f3a  2026-12-01 10:15  done  one\\n'; }
COMP_LINE=$1
read -ra COMP_WORDS <<<"\${1//=/ = }"
[[ $1 == *[\\ =] ]] && COMP_WORDS+=('')
[[ $1 == *= ]] && unset "COMP_WORDS[-1]"
COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
_cordon
((\${#COMPREPLY[@]})) && printf '%s\\n' "\${COMPREPLY[@]}"
exit 0
`;

/** A line editor of its own, whose buffer is shown after a tab. */
const ZSH = `
zmodload zsh/zpty
zpty line zsh -f -i
zpty -w line 'PS1=; PS2=; unsetopt zle_bracketed_paste; autoload -Uz compinit; compinit -u -D
  source ./script; cordon() { print "20261201-101530-7f3a  2026-12-01 10:15  done  one" }
  show() { print -r -- "<<$BUFFER>>"; exit }; zle -N show; bindkey ^X show; print RE""ADY'
zpty -r -m line out '*READY*'
zpty -w -n line "$1"$'\\t\\x18'
zpty -r -m line out '*<<*>>*'
print -r -- "\${\${out##*<<}%%>>*}"
`;

const FISH = `
source ./script
function cordon; echo '20261201-101530-7f3a  2026-12-01 10:15  done  one'; end
complete -C $argv[1]
`;

/** In bash `=` ends a word, so that only what follows it is offered. */
function afterEquals(word: string): string {
  return word.replace(/^--[\w-]+=/, "");
}

/** A world whose folder holds the script of a shell, and something to complete. */
async function completing(shell: string): Promise<World> {
  const world = await newWorld({ "sub/inner.txt": "", "a.png": "" });
  const { code, stdout, stderr } = await world.run(["completion", shell]);
  deepStrictEqual([code, stderr], [0, ""]);
  await Deno.writeTextFile(world.join("work/script"), stdout);
  return world;
}

async function lines(world: World, [program = "", ...args]: readonly string[]): Promise<string[]> {
  const { stdout, stderr } = await new Deno.Command(program, {
    args,
    cwd: world.work,
    clearEnv: true,
    env: { PATH: Deno.env.get("PATH") ?? "", HOME: world.join("home"), TERM: "dumb" },
    signal: AbortSignal.timeout(20_000),
  }).output();
  strictEqual(new TextDecoder().decode(stderr), "");
  return new TextDecoder().decode(stdout).split("\n").filter((row) => row.trim() !== "");
}
