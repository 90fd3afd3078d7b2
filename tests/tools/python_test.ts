import { deepStrictEqual, match, ok, strictEqual } from "node:assert/strict";
import type { Commands } from "../../sandbox/commands/commands.ts";
import { functionsSentence } from "../../tools/python/functions.ts";
import { pythonTool } from "../../tools/python.ts";
import { glob } from "../../tools/glob.ts";
import { readFile } from "../../tools/read_file.ts";
import { BOTH_COMMANDS, type CommandHouse } from "../helpers/both_commands.ts";
import { onHost } from "../helpers/confined.ts";
import { hasProgram } from "../helpers/has_program.ts";
import { gone } from "../helpers/processes.ts";
import { pythonCells } from "../helpers/python_cells.ts";
import { filesIn, planOf } from "../helpers/tool_calls.ts";

const noPython = !await hasProgram("python3");
const LOST = "[interpreter ended: its variables are lost, the next call starts anew]";

/** Whether the system's own Python has a module; what a test imports must be that one's. */
async function hasModule(house: CommandHouse, name: string): Promise<boolean> {
  return (await pythonCells(house).run(`import ${name}`)).error === undefined;
}

for (const kind of BOTH_COMMANDS) {
  const ignore = kind.ignore || noPython;

  Deno.test({ name: `python in a ${kind.name}: cells`, ignore }, async (t) => {
    // Modules of a project must not get in the way of what the driver imports.
    await using house = await kind.open({ "json.py": "raise SystemExit", "mine.py": "y = 7" });
    const { text, run } = pythonCells(house);

    const cells: [name: string, code: string, text: string][] = [
      ["the last expression is shown", "x = 1\nx + 1", "2"],
      ["variables stay", "x", "1"],
      ["None is not shown", "None", ""],
      ["nor what a semicolon ends", "5;", ""],
      ["what was shown last is _", "'a'\n", "'a'"],
      ["and can be used", "_ * 2", "'aa'"],
      [
        "streams stay apart",
        "import sys; print('o'); print('e', file=sys.stderr)",
        "o\n[stderr]\ne",
      ],
      ["programs write, too", "import os; os.system('echo c; echo d >&2')", "c\n0\n[stderr]\nd"],
      ["await at the top", "import asyncio; await asyncio.sleep(0, 3)", "3"],
      ["functions find themselves", "def f(n): return n and n * f(n - 1)\nf(0)", "0"],
      ["the project's modules", "import mine; mine.y", "7"],
      ["in the namespace of __main__", "__name__, sys.argv", "('__main__', [''])"],
      ["an exit is no end", "sys.exit(3)", "[exit code: 3]"],
      ["an exit in words", "sys.exit('no')", "[stderr]\nno\n[exit code: 1]"],
      ["and all is kept", "x", "1"],
      [
        "a class can be pickled",
        "import pickle\nclass C: pass\ntype(pickle.loads(pickle.dumps(C())))",
        "<class '__main__.C'>",
      ],
      [
        "bytes that are no text",
        "sys.stdout.buffer.write(b'\\xff\\n'); print('\\udc80')",
        "\ufffd\n\\udc80",
      ],
      ["control sequences are taken out", "print('\\x1b[31mred\\x1b[0m')", "red"],
      [
        "a NUL is no mark",
        "os.write(2, b'\\0abc\\0'); os.write(1, b'\\0.{}\\0'); ",
        ".{}\n[stderr]\nabc",
      ],
      ["streams that were closed are back", "os.close(1); os.close(2); sys.stdout.close()", ""],
      ["as before", "print('here')", "here"],
      [
        "a fork ends where its cell does",
        "pid = os.fork()\nif pid: os.waitpid(pid, 0)\nprint('z')",
        "z\nz",
      ],
      [
        "processes of multiprocessing",
        "import multiprocessing as m\nwith m.Pool(2) as p: print(p.map(abs, [-1, -2]))",
        "[1, 2]",
      ],
    ];
    for (const [name, code, want] of cells) {
      await t.step(name, async () => strictEqual(await text(code), want));
    }

    const failures: [name: string, code: string, want: RegExp][] = [
      [
        "a traceback of the cell alone",
        "def g():\n  1/0\ng()",
        /^\[stderr\]\nTraceback .*\n {2}File "<cell \d+>", line 3, in <module>\n {4}g\(\)\n {2}File "<cell \d+>", line 2, in g\n {4}1\/0\n[ ~^]*\n?ZeroDivisionError: division by zero$/,
      ],
      [
        "of libraries the last frame alone",
        "import fractions\nfractions.Fraction('x')",
        /^\[stderr\]\nTraceback.*\n {2}File "<cell \d+>", line 2.*\n.*\n(?:[ ~^]*\n)? {2}File ".*fractions\.py".*ValueError/s,
      ],
      [
        "a syntax error",
        "x = (",
        /^\[stderr\]\n {2}File "<cell \d+>", line 1\n {4}x = \(\n.*SyntaxError: /s,
      ],
      ["nothing to read", "input()", /EOFError/],
      ["recursion", "def r(): r()\nr()", /RecursionError/],
      [
        "a chain of causes",
        "try: 1/0\nexcept Exception as e: raise ValueError('v') from e",
        /ZeroDivisionError.*direct cause.*ValueError: v$/s,
      ],
      [
        "an exception that cannot say itself",
        "class E(Exception):\n  def __str__(self): 1/0\nraise E",
        /E: .*exception/,
      ],
      [
        "a last expression that cannot say itself",
        "class R:\n  def __repr__(self): 1/0\nR()",
        /ZeroDivisionError/,
      ],
    ];
    for (const [name, code, want] of failures) {
      await t.step(name, async () => match(await text(code), want));
    }

    await t.step("the value says what failed", async () => {
      const { error, exit_code, state_lost } = await run("raise KeyError('k')");
      deepStrictEqual({ error, exit_code, state_lost }, {
        error: { name: "KeyError", message: "'k'" },
        exit_code: 0,
        state_lost: false,
      });
    });

    await t.step("much output is cut, and kept in a file", async () => {
      const much = await run(
        "print('x' * 99 + '\\n', end='') or [print('y' * 99) for _ in range(30000)];",
      );
      ok(much.stdout.length < 60_000);
      const { truncated, spill } = much;
      deepStrictEqual(truncated?.total, 3_000_100);
      strictEqual(spill?.bytes, 3_000_100);
    });
  });

  Deno.test({ name: `python in a ${kind.name}: limits and ends`, ignore }, async (t) => {
    await using house = await kind.open();
    const { text, run } = pythonCells(house);
    await run("x = 1; import os, time, signal");

    const interrupted: [name: string, code: string][] = [
      ["one that waits", "time.sleep(60)"],
      ["one that computes", "while True: pass"],
      ["one in a loop that gives Python no turn", "import re; re.match('(a+)+$', 'a' * 50 + 'b')"],
      ["one whose program waits", "os.system('sleep 60')"],
      ["one whose subprocess waits", "import subprocess; subprocess.run(['sleep', '60'])"],
      ["one that waits for a coroutine", "import asyncio; await asyncio.sleep(60)"],
    ];
    for (const [name, code] of interrupted) {
      await t.step(`interrupts ${name}`, async () => {
        const value = await run(code, { timeoutMs: 150 });
        deepStrictEqual([value.timed_out, value.state_lost, value.signal], [true, false, null]);
        strictEqual(await text("x"), "1");
      });
    }

    await t.step("the person's interruption keeps the state", async () => {
      const signal = AbortSignal.timeout(100);
      match(await text("time.sleep(60)", { signal }), /KeyboardInterrupt\n\[interrupted\]$/);
      strictEqual(await text("x"), "1");
    });

    await t.step("an interrupt that comes late hurts nobody", async () => {
      for (let ms = 1; ms < 12; ms++) await run("time.sleep(0.005)", { timeoutMs: ms });
      strictEqual(await text("x"), "1");
    });

    await t.step("one that cannot be interrupted is killed, with what it started", async () => {
      const code = "signal.signal(signal.SIGINT, signal.SIG_IGN)\n" +
        "import subprocess; p = subprocess.Popen(['sleep', '600'])\nsum(range(10**12))";
      strictEqual(
        await text(code, { timeoutMs: 200 }),
        [
          "[timed out after 200ms]",
          // Without a view it is asked to end first.
          `[killed by signal: ${kind.name === "view" ? "SIGKILL" : "SIGTERM"}]`,
          LOST,
        ].join("\n"),
      );
      match(await text("x"), /NameError: name 'x' is not defined/);
    });

    const deaths: [name: string, code: string, marker: string][] = [
      ["_exit", "import os; os._exit(4)", "[exit code: 4]"],
      ["a crash", "import ctypes; ctypes.string_at(0)", "[killed by signal: SIGSEGV]"],
      ["SIGKILL", "import os; os.kill(os.getpid(), 9)", "[killed by signal: SIGKILL]"],
    ];
    for (const [name, code, marker] of deaths) {
      await t.step(`dies of ${name}, and starts anew`, async () => {
        await run("x = 2");
        strictEqual(await text(`print('last')\n${code}`), `last\n${marker}\n${LOST}`);
        strictEqual(await text("1 + 1"), "2");
      });
    }

    await t.step("threads go on, and what they write comes with the next cell", async () => {
      await run("import threading, time\nstarted = threading.Event()\ngo = threading.Event()");
      await run(
        "def late(): go.wait(); print('from a thread'); started.set()\n" +
          "threading.Thread(target=late, daemon=True).start()",
      );
      match(await text("go.set(); started.wait(); print('cell')"), /from a thread\ncell/);
    });

    await t.step("a background program does not hold up a cell", async () => {
      match(await text("import os; os.system('sleep 600 &'); print('on')"), /^0?\n?on$/m);
    });
  });

  Deno.test({ name: `python in a ${kind.name}: images`, ignore }, async (t) => {
    await using house = await kind.open();
    const noPillow = !await hasModule(house, "PIL.Image");
    const noPlots = !await hasModule(house, "matplotlib.pyplot");
    const cells = pythonCells(house);
    const PNG = [0x89, 0x50, 0x4e, 0x47];
    const begins = (name: string) => [...(cells.saved.get(name) ?? []).slice(0, 4)];

    await t.step({
      name: "of Pillow: as last value, shown, and written",
      ignore: noPillow,
      async fn() {
        const value = await cells.run("from PIL import Image\nim = Image.new('RGB', (4, 4))\nim");
        deepStrictEqual(value.images.map(({ path, media_type }) => ({ path, media_type })), [
          { path: "", media_type: "image/png" },
        ]);
        strictEqual(value.stdout, "");
        deepStrictEqual(begins(value.images[0]?.blob ?? ""), PNG);
        strictEqual((await cells.run("im.show()")).images.length, 1);
        const written = await cells.run("im.save('a.png'); im.save('b.jpg'); open('no.png', 'w')");
        deepStrictEqual(
          written.images.map(({ path, media_type }) => ({ path, media_type })),
          [
            { path: `${house.workspace}/a.png`, media_type: "image/png" },
            { path: `${house.workspace}/b.jpg`, media_type: "image/jpeg" },
          ],
        );
        match(await cells.text("im.save('c.png')"), /^\[image: .*c\.png, \d+ bytes\]$/);
      },
    });

    await t.step({
      name: "too many or too large ones are only named",
      ignore: noPillow,
      async fn() {
        const many = await cells.run(
          "for i in range(12): Image.new('RGB', (4, 4), (i, 0, 0)).save(f'm{i}.png')",
        );
        strictEqual(many.images.length, 12);
        strictEqual(many.images.filter(({ blob }) => blob !== undefined).length, 8);
        const large = await cells.text(
          "Image.frombytes('RGB', (1400, 1400), os.urandom(1400*1400*3)).save('large.png')"
            .replace("os.", "__import__('os')."),
        );
        match(large, /^\[image: .*large\.png, 5\.\d MB, too large to show\]$/);
      },
    });

    await t.step({
      name: "of matplotlib: left open or shown, once",
      ignore: noPlots,
      async fn() {
        const drawn = await cells.run(
          "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()",
        );
        deepStrictEqual([drawn.stderr, drawn.images.length], ["", 1]);
        strictEqual((await cells.run("1")).images.length, 0);
        strictEqual((await cells.run("f, a = plt.subplots(); plt.close(); f")).images.length, 1);
        strictEqual((await cells.run("plt.figure(); plt.figure(); 0")).images.length, 1);
      },
    });
  });

  Deno.test({ name: `python in a ${kind.name}: IPython's syntax`, ignore }, async (t) => {
    await using house = await kind.open();
    const { text, run } = pythonCells(house);
    const noIPython = !await hasModule(house, "IPython");
    await run("x = 5");
    const cells: [code: string, want: RegExp][] = [
      ["!echo hi $((1+1))", /^hi 2$/],
      ["%time x", /5/],
      ["len?", /Return the number of items/],
      ["y = !echo a\ny[0]", /^'a'$/],
      ["get_ipython().__class__.__name__", /InteractiveShell/],
      ["x", /^5$/],
    ];
    for (const [code, want] of cells) {
      await t.step({
        name: code,
        ignore: noIPython,
        fn: async () => match(await text(code), want),
      });
    }
  });

  Deno.test(
    { name: `python in a ${kind.name} takes the project's own first`, ignore },
    async (t) => {
      const python = await onHost(
        "/",
        "python3",
        "-c",
        "import sys; print(sys.executable, end='')",
      );
      const wrapper = (name: string) => `#!/bin/bash\nexport WHO=${name}\nexec "${python}" "$@"\n`;
      await using house = await kind.open({
        ".venv/bin/python": wrapper("venv"),
        "other/.keep": "",
      });
      await t.step("one that is not executable is passed over", async () => {
        strictEqual(await pythonCells(house).text("import os; os.environ.get('WHO')"), "");
      });
      await Deno.chmod(`${house.workspace}/.venv/bin/python`, 0o755);
      await t.step("a .venv in the workspace", async () => {
        strictEqual(
          await pythonCells(house).text("import os; os.environ['WHO'], os.environ['VIRTUAL_ENV']"),
          `('venv', '${house.workspace}/.venv')`,
        );
      });
      await t.step("a shim on PATH that leads nowhere is passed over", async () => {
        await Deno.remove(`${house.workspace}/.venv/bin/python`);
        await Deno.writeTextFile(`${house.workspace}/other/python3`, "#!/nowhere\n", {
          mode: 0o755,
        });
        const commands: Commands = {
          ...house.commands,
          open: (argv, options) =>
            house.commands.open(argv, {
              ...options,
              env: { ...options?.env, PATH: `${house.workspace}/other:/usr/bin:/bin` },
            }),
        };
        strictEqual(await pythonCells({ ...house, commands }).text("1 + 1"), "2");
      });
      await Deno.writeTextFile(`${house.workspace}/.venv/bin/python`, "#!/nowhere\n", {
        mode: 0o755,
      });
      await t.step("one that does not start is passed over", async () => {
        strictEqual(await pythonCells(house).text("import os; os.environ.get('WHO')"), "");
      });
    },
  );

  Deno.test({ name: `python in a ${kind.name} calls tools`, ignore }, async (t) => {
    await using house = await kind.open();
    const asked: unknown[] = [];
    const { text, run } = pythonCells(house, [readFile, glob], (name, args) => {
      asked.push({ name, args });
      if (name === "glob") return Promise.resolve({ ok: false, problem: "Not run: no" });
      return Promise.resolve({ ok: true, value: { text: "\0ä", n: 1 } });
    });
    await t.step("by keyword, and gets the value", async () => {
      strictEqual(await text("read_file(path='a', limit=3)"), "{'text': '\\x00ä', 'n': 1}");
      deepStrictEqual(asked.splice(0), [{ name: "read_file", args: { path: "a", limit: 3 } }]);
    });
    await t.step("a refusal is an exception", async () => {
      strictEqual(
        await text("try: glob(pattern='*')\nexcept ToolError as e: print(e)"),
        "Not run: no",
      );
      match(await text("glob()"), /TypeError: glob\(\) missing 1 required keyword-only argument/);
    });
    await t.step("help() tells more", async () => {
      match(await text("help(read_file)"), /read_file\(\*, path=None.*Read a file/s);
    });
    await t.step("only the cell's own thread calls", async () => {
      match(
        await text(
          "import concurrent.futures as c\nc.ThreadPoolExecutor().submit(read_file).result()",
        ),
        /ToolError: Cannot call read_file/,
      );
    });
    await t.step("a cell that waits for an answer can be interrupted", async () => {
      const { text, run } = pythonCells(house, [readFile], () => new Promise(() => {}));
      await run("x = 1");
      const value = await run("read_file(path='a')", { timeoutMs: 100 });
      deepStrictEqual([value.timed_out, value.error?.name], [true, "KeyboardInterrupt"]);
      strictEqual(await text("x"), "1");
    });
    await run("1");
  });
}

Deno.test({ name: "python: nothing is left", ignore: noPython }, async () => {
  for (const kind of BOTH_COMMANDS.filter(({ ignore }) => !ignore)) {
    let pids: number[] = [];
    {
      await using house = await kind.open();
      const { text } = pythonCells(house);
      const told = await text(
        "import os, subprocess\nprint(os.getpid(), subprocess.Popen(['sleep', '999']).pid)",
      );
      // In a view a process sees another number.
      if (kind.name === "process group") pids = told.split(" ").map(Number);
    }
    await gone(pids);
  }
});

Deno.test("python plans its code as a command, whatever is in it", async () => {
  const code = "print('it''s')\nimport os # $(rm -rf /) `x` \\";
  deepStrictEqual(await planOf(pythonTool(), { code }, { files: filesIn("/w") }), {
    touches: [{
      kind: "command",
      command: "python3 -c 'print('\\''it'\\'''\\''s'\\'')\nimport os # $(rm -rf /) `x` \\'",
    }],
  });
});

Deno.test("python tells of its functions, with signatures while they are short", () => {
  strictEqual(functionsSentence([]), "");
  match(
    functionsSentence([readFile]),
    /: read_file\(path=None, paths=None, offset=None, limit=None\); /,
  );
  const many = Array.from({ length: 30 }, () => readFile);
  match(functionsSentence(many), /: read_file, read_file, .*; help\(f\) tells more\.$/);
});
